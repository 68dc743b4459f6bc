import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gptBot } from '../kit/imports/access-logs.ts'
import { until } from '../kit/service.ts'
import { startEndpoint } from '../kit/tracker/endpoint.ts'
import { rowsInLog } from '../kit/tracker/folder.ts'
import { blocks, copySenders, eventsOf, load, startFront } from '../kit/tracker/senders.ts'

/** Not quick to give up: an answer that is late, and not lost, would make an event come twice. */
const quick = { flushMs: 20, timeoutMs: 4000, retryMs: 20 }

/** A tracker behind a front that fails on request, and a sender of the page. */
async function startSender(options: object = {}) {
  const endpoint = await startEndpoint()
  const front = await startFront(endpoint.url)
  const folder = await copySenders()
  const warnings: string[] = []
  const credentials = { ingestKey: endpoint.key, siteToken: endpoint.siteToken }
  const { Sender } = await load(folder, 'sender.js')
  const warn = (message: string) => warnings.push(message)
  const sender = new Sender({ tracker: front.url, ...credentials, ...quick, warn, ...options })
  const send = (path: string, more: object = {}) =>
    sender.send({
      method: 'GET',
      url: `https://acme.com${path}`,
      status: 200,
      userAgent: gptBot,
      ...more,
    })
  return { endpoint, front, folder, sender, send, warnings, credentials }
}

/** A site that Express serves, with the middleware of the page. */
async function startSite(options: object = {}) {
  const started = await startSender(options)
  const { sightline } = await load(started.folder, 'express.js')
  const app = express().set('trust proxy', 'loopback').use(sightline(started.sender))
  app.get('/page/:n', (_, response) => {
    response.send('Hello')
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const visit = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(url + path, { headers: { 'user-agent': gptBot, ...headers } })
    return [reply.status, await reply.text()]
  }
  return { ...started, visit }
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `/page/${from + i}`)

describe('the sender with Express', () => {
  test('tells the tracker of each request, and of no address and no query', async () => {
    const { endpoint, front, visit, sender } = await startSite()
    await visit('/page/1?token=hush', {
      'x-forwarded-for': '20.171.207.9',
      referer: 'https://a.com/?q=hush',
    })
    await visit('/absent', { 'x-forwarded-for': '2a03:2880:1:2::5' })
    await sender.flush()
    const rows = (await rowsInLog(endpoint.dir)).map((row) => JSON.parse(row))
    expect(rows).toMatchObject([
      {
        path: '/page/1',
        host: '127.0.0.1',
        method: 'GET',
        status_code: 200,
        ip_address: '20.171.207.0',
        referrer: 'https://a.com/',
        bot_name: 'GPTBot',
      },
      { path: '/absent', status_code: 404, ip_address: '2a03:2880:1::' },
    ])
    const sent = front.bodies.join()
    for (const secret of ['hush', '20.171.207.9', '2a03:2880:1:2'])
      expect(sent).not.toContain(secret)
    expect(sender.counts).toEqual({ sent: 2, kept: 2, dropped: 0, refused: 0 })
  })

  test('answers while the tracker is away, whichever way; then all events arrive, once', async () => {
    const { endpoint, front, visit, sender, warnings } = await startSite()
    let next = 0
    for (const mode of ['down', 'hangs', 'overloaded', 'works'] as const) {
      await front.becomes(mode)
      const heard = front.bodies.length
      const paths = numbered(next, next + 15)
      next += 15
      const replies = await Promise.all(paths.map((path) => visit(path)))
      expect(replies.filter(([status, body]) => status !== 200 || body !== 'Hello')).toEqual([])
      // So long that it was tried.
      await until(() => (mode === 'down' ? warnings : front.bodies).length > heard)
    }
    await until(() => sender.counts.sent === next)
    const paths = await endpoint.paths()
    expect(paths.sort()).toEqual(numbered(0, next).sort())
    expect(sender.counts).toEqual({ sent: next, kept: next, dropped: 0, refused: 0 })
    // Each kind of failure once.
    expect(warnings).toEqual([
      expect.stringMatching(/no tracker \(.*ECONN/),
      expect.stringContaining('no tracker (TimeoutError'),
      expect.stringContaining('answers 503'),
    ])
  })
})

describe('the sender', () => {
  test('bounds what waits, drops the oldest of it, and counts', async () => {
    const { endpoint, front, send, sender } = await startSender({ maxQueueBytes: 1_000_000 })
    await front.becomes('down')
    const before = process.memoryUsage().heapUsed
    const total = 10_000
    for (let i = 0; i < total; i++) send(`/${i}/${'x'.repeat(1000)}`)
    const { dropped } = sender.counts
    expect(sender.waiting + dropped).toBeLessThanOrEqual(total)
    expect(sender.waiting).toBeLessThan(1000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
    await front.becomes('works')
    await until(() => sender.counts.sent + dropped === total)
    expect(sender.counts).toMatchObject({ dropped, refused: 0 })
    const numbers = (await endpoint.paths()).map((path) => Number(path.split('/')[1]))
    expect(new Set(numbers).size).toBe(total - dropped)
    expect(numbers.length).toBe(total - dropped)
    // The newest are there, in their order.
    expect(numbers.slice(-400)).toEqual(Array.from({ length: 400 }, (_, i) => total - 400 + i))
  })

  test('sends a burst in few requests over few connections, none of them over 1 MB', async () => {
    const { endpoint, front, send, sender } = await startSender()
    for (let i = 0; i < 3000; i++) send(`/${i}`, { referrer: `https://a.com/${'é'.repeat(1000)}` })
    await sender.flush(60_000)
    expect(sender.counts).toEqual({ sent: 3000, kept: 3000, dropped: 0, refused: 0 })
    expect(await endpoint.paths()).toHaveLength(3000)
    const sizes = front.bodies.map((body) => Buffer.byteLength(body))
    expect(Math.max(...sizes)).toBeLessThan(600_000)
    expect(front.bodies.length).toBeLessThan(30)
    expect(front.connections).toBeLessThan(front.bodies.length / 2)
  })

  test('waits as long as the tracker asks for', async () => {
    const { front, send, sender } = await startSender()
    await front.becomes('overloaded')
    send('/a')
    await until(() => front.heard.length === 1)
    await front.becomes('works')
    await until(() => sender.counts.sent === 1)
    const [first, second] = front.heard
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900)
  })

  test('does not ask twice where it is refused, and says why once', async () => {
    const { front, send, sender, warnings } = await startSender({ siteToken: 'st_forged' })
    for (const path of ['/a', '/b']) {
      send(path)
      await sender.flush()
    }
    expect(warnings).toEqual([expect.stringMatching(/events refused: 403 .*invalid_site_token/)])
    expect(front.heard.map(({ status }) => status)).toEqual([403, 403])
    expect(sender.counts).toEqual({ sent: 0, kept: 0, dropped: 0, refused: 2 })
  })

  test.each([
    { tracker: undefined },
    { tracker: 'tracker' },
    { ingestKey: '' },
    { siteToken: undefined },
  ])('without what it needs says so, and nothing else: %o', async (lack) => {
    const { send, sender, warnings, front } = await startSender(lack)
    send('/a')
    await sender.flush()
    expect(warnings).toEqual([expect.stringContaining('missing')])
    expect(front.bodies).toEqual([])
  })

  test('drops an event at its deadline, and counts it', async () => {
    const { front, send, sender } = await startSender({ deadlineMs: 300 })
    await front.becomes('down')
    send('/old')
    await until(() => sender.counts.dropped === 1)
    await front.becomes('works')
    send('/new')
    await sender.flush()
    expect(sender.counts).toEqual({ sent: 1, kept: 1, dropped: 1, refused: 0 })
  })

  test('waits for others until its events are settled', async () => {
    const { front, send, sender } = await startSender({ flushMs: 300 })
    const settled = Array.from({ length: 5 }, (_, i) => {
      send(`/${i}`)
      return sender.settled()
    })
    await Promise.all(settled)
    expect(sender.counts.sent).toBe(5)
    expect(front.bodies).toHaveLength(1)
    await sender.settled()
  })

  test('takes what is no request without a word', async () => {
    const { send, sender } = await startSender()
    send('', { url: 'nonsense' })
    sender.send({
      method: 'GET',
      url: 'https://acme.com/',
      status: 200,
      userAgent: null,
      address: 'x',
    })
    await sender.flush()
    expect(sender.counts).toEqual({ sent: 1, kept: 0, dropped: 1, refused: 0 })
  })
})

describe('a program with the sender', () => {
  async function runProgram(
    started: Awaited<ReturnType<typeof startSender>>,
    program: string,
    timeoutMs = 60_000,
  ) {
    const options = { tracker: started.front.url, ...started.credentials, timeoutMs }
    const path = join(started.folder, 'program.js')
    const head = `import { Sender } from '@sightline/sender'
      const sender = new Sender(${JSON.stringify(options)})
      const request = { method: 'GET', url: 'https://acme.com/last', status: 200, userAgent: 'GPTBot/1.2' }`
    await writeFile(path, `${head}\n${program}`)
    const child: ChildProcess = spawn(process.execPath, [path], { stdio: 'ignore' })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const [code] = await once(child, 'exit')
    return code
  }

  test.each([
    ['that ends by itself', 'sender.send(request)'],
    ['that flushes before it exits', 'sender.send(request); await sender.flush(); process.exit(0)'],
  ])('%s sends what waits first', async (_, program) => {
    const started = await startSender()
    expect(await runProgram(started, program)).toBe(0)
    expect(await started.endpoint.paths()).toEqual(['/last'])
  })

  test('that flushes before it exits waits for the retry', async () => {
    const started = await startSender()
    await started.front.becomes('overloaded')
    const ended = runProgram(started, 'sender.send(request); await sender.flush(60_000)')
    await until(() => started.front.heard.length === 1)
    await started.front.becomes('works')
    expect(await ended).toBe(0)
    expect(await started.endpoint.paths()).toEqual(['/last'])
  })

  test.each(['down', 'hangs', 'overloaded'] as const)('ends while the tracker %s', async (mode) => {
    const started = await startSender()
    await started.front.becomes(mode)
    expect(await runProgram(started, 'sender.send(request)', 1000)).toBe(0)
  })
})

describe('nginx', () => {
  test("a line of its log is an event, and Vector's request takes many", async () => {
    const endpoint = await startEndpoint()
    const format = /log_format sightline escape=json ([^;]*);/.exec(
      blocks.get('sightline.conf') ?? '',
    )
    const template = (format?.[1] ?? '').replaceAll(/'\s*'|^'|'$/g, '')
    const values: Record<string, string> = {
      sightline_at: String(Date.now()),
      sightline_took: '0012',
      sightline_address: '20.171.207.0',
      sightline_path: '/nginx',
      request_method: 'GET',
      scheme: 'https',
      host: 'acme.com',
      status: '200',
      http_user_agent: gptBot,
      sightline_referrer: 'https://a.com/',
    }
    const line = template.replaceAll(/\$(\w+)/g, (_, name) => values[name] ?? `no ${name}`)
    const vector = blocks.get('vector.yaml') ?? ''
    const [prefix = '', suffix = ''] = ['prefix', 'suffix'].map(
      (name) => new RegExp(`payload_${name}: '(.*)'`).exec(vector)?.[1],
    )
    const begin = prefix.replace(/\$\{SIGHTLINE_SITE_TOKEN\}/, endpoint.siteToken)
    const body = `${begin}[${line},${line}]${suffix}`
    expect(eventsOf(body)).toHaveLength(2)
    expect(await endpoint.post(body)).toMatchObject({ status: 202 })
    const row = {
      path: '/nginx',
      host: 'acme.com',
      status_code: 200,
      response_time_ms: 12,
      referrer: 'https://a.com/',
    }
    const rows = (await rowsInLog(endpoint.dir)).map((each) => JSON.parse(each))
    expect(rows).toMatchObject([row, row])
  })
})
