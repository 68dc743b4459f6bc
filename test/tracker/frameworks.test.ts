import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gptBot } from '../kit/imports/access-logs.ts'
import { runTool } from '../kit/repository.ts'
import { until } from '../kit/service.ts'
import { type Endpoint, startEndpoint } from '../kit/tracker/endpoint.ts'
import { rowsInLog } from '../kit/tracker/folder.ts'
import { copySenders, load } from '../kit/tracker/senders.ts'
import { freePort } from '../kit/web/free-port.ts'

const variablesOf = ({ url, key, siteToken }: Endpoint) => ({
  SIGHTLINE_TRACKER: url,
  SIGHTLINE_INGEST_KEY: key,
  SIGHTLINE_SITE_TOKEN: siteToken,
})

const rowsOf = async ({ dir }: Endpoint) => (await rowsInLog(dir)).map((row) => JSON.parse(row))

/** Headers that a reverse proxy adds to the visit of a crawler. */
const visit = {
  'user-agent': gptBot,
  'x-forwarded-for': '20.171.207.9',
  'x-forwarded-host': 'www.acme.com',
  'x-forwarded-proto': 'https',
  referer: 'https://a.com/?q=hush',
}

const visited = {
  host: 'www.acme.com',
  method: 'GET',
  bot_name: 'GPTBot',
  ip_address: '20.171.207.0',
  referrer: 'https://a.com/',
}

test('what is on the page passes the strictest check of types, without types of Node.js too', async () => {
  const folder = await copySenders()
  const strict = { strict: true, checkJs: true, noEmit: true, module: 'nodenext', target: 'es2023' }
  const edge =
    "import { sightline } from '@sightline/sender/workers'\nexport const fetch = sightline()"
  await writeFile(join(folder, 'edge.ts'), edge)
  const configs = [
    { include: ['*.js'], options: { lib: ['es2023', 'dom'], types: ['node'], skipLibCheck: true } },
    { include: ['edge.ts'], options: { lib: ['es2023', 'dom'], types: [] } },
  ]
  for (const { include, options } of configs) {
    const config = JSON.stringify({ compilerOptions: { ...strict, ...options }, include })
    await writeFile(join(folder, 'tsconfig.json'), config)
    const tsc = await runTool(folder, 'node_modules/typescript7/bin/tsc')
    expect(tsc.stdout).toBe('')
  }
})

describe('the program of the page', () => {
  async function start(name: string) {
    const endpoint = await startEndpoint()
    const folder = await copySenders()
    const port = await freePort()
    const env = { ...process.env, ...variablesOf(endpoint), PORT: String(port) }
    const child = spawn(process.execPath, [join(folder, name)], { env, stdio: 'inherit' })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const url = `http://127.0.0.1:${port}`
    await until(() =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    )
    return { endpoint, child, port, url }
  }

  test.each(['express.js', 'fastify.js', 'hono.js', 'server.js'])(
    '%s sends each request, and the last ones at SIGTERM',
    async (name) => {
      const { endpoint, child, url } = await start(name)
      const reply = await fetch(`${url}/?token=hush`, {
        headers: { ...visit, connection: 'close' },
      })
      expect([reply.status, await reply.text()]).toEqual([200, 'Hello'])
      await fetch(`${url}/absent`, { headers: { 'user-agent': gptBot, connection: 'close' } })
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
      const rows = await rowsOf(endpoint)
      const absent = name === 'server.js' ? 200 : 404
      expect(rows).toMatchObject([
        { ...visited, path: '/', status_code: 200 },
        { path: '/absent', status_code: absent, host: '127.0.0.1', ip_address: '127.0.0.0' },
      ])
      expect(JSON.stringify(rows)).not.toMatch(/hush|20\.171\.207\.9/)
    },
  )
})

test('a client that left before the answer counts as 499', async () => {
  const endpoint = await startEndpoint()
  const folder = await copySenders()
  const [{ Sender }, { watch }] = await Promise.all(
    ['sender.js', 'node.js'].map((name) => load(folder, name)),
  )
  const sender = new Sender({ environment: variablesOf(endpoint) })
  const heard = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    watch(sender, request, response)
    heard.resolve()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const leaving = new AbortController()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/left`
  const reply = fetch(url, { headers: visit, signal: leaving.signal })
  await heard.promise
  leaving.abort()
  await expect(reply).rejects.toThrow('aborted')
  await until(() => sender.waiting === 1)
  await sender.flush()
  expect(await rowsOf(endpoint)).toMatchObject([{ ...visited, path: '/left', status_code: 499 }])
})

describe('functions that end with their request', () => {
  function lifetime() {
    const waited: Promise<unknown>[] = []
    return { waited, waitUntil: (promise: Promise<unknown>) => waited.push(promise) }
  }
  const asked = (url: string) => new Request(url, { headers: visit })

  test('the Worker of the page passes the answer of the site on, and sends afterwards', async () => {
    const endpoint = await startEndpoint()
    const { default: worker } = await import(join(await copySenders(), 'worker.js'))
    const context = lifetime()
    // The tracker itself is the site.
    const request = asked(`${endpoint.url}/nowhere`)
    const reply = await worker.fetch(request, variablesOf(endpoint), context)
    expect(reply.status).toBe(404)
    expect(context.waited).toHaveLength(1)
    await Promise.all(context.waited)
    expect(await rowsOf(endpoint)).toMatchObject([
      { ...visited, path: '/nowhere', status_code: 404 },
    ])
  })

  test('a Worker that fails is sent as 500, and fails as before', async () => {
    const endpoint = await startEndpoint()
    const { sightline } = await load(await copySenders(), 'workers.js')
    const context = lifetime()
    const failing = sightline(() => {
      throw new Error('broken')
    })
    const reply = failing(asked('https://x.dev/broken'), variablesOf(endpoint), context)
    await expect(reply).rejects.toThrow('broken')
    await Promise.all(context.waited)
    expect(await rowsOf(endpoint)).toMatchObject([{ path: '/broken', status_code: 500 }])
  })

  test('Hono on Workers sends after each answer', async () => {
    const endpoint = await startEndpoint()
    const { default: app } = await import(join(await copySenders(), 'hono-worker.js'))
    const context = lifetime()
    const reply = await app.fetch(asked('https://x.dev/'), variablesOf(endpoint), context)
    expect(await reply.text()).toBe('Hello')
    await Promise.all(context.waited)
    expect(await rowsOf(endpoint)).toMatchObject([{ ...visited, path: '/', status_code: 200 }])
  })

  test('a proxy of Next.js keeps the answer of your own proxy, and its status', async () => {
    const endpoint = await startEndpoint()
    const folder = await copySenders()
    const [{ Sender }, { sightline }] = await Promise.all(
      ['sender.js', 'next.js'].map((name) => load(folder, name)),
    )
    const sender = new Sender({ environment: variablesOf(endpoint), flushMs: 20 })
    const own = (request: Request) =>
      request.url.endsWith('/old') ? Response.redirect('https://www.acme.com/new', 308) : undefined
    const proxy = sightline(sender, own)
    const context = lifetime()
    expect((await proxy(asked('http://localhost:3000/old'), context)).status).toBe(308)
    expect(await proxy(asked('http://localhost:3000/new'), context)).toBeUndefined()
    await Promise.all(context.waited)
    expect(await rowsOf(endpoint)).toMatchObject([
      { ...visited, path: '/old', status_code: 308 },
      { ...visited, path: '/new', status_code: 200 },
    ])
  })
})

test('log.js sends the lines of Apache and of Caddy', async () => {
  const endpoint = await startEndpoint()
  const folder = await copySenders()
  const apache = {
    method: 'GET',
    url: 'https://www.acme.com/apache',
    status: 200,
    durationMs: 7,
    userAgent: gptBot,
    referrer: '-',
    address: '20.171.207.9',
  }
  const caddy = {
    request: {
      remote_ip: '20.171.207.9',
      method: 'GET',
      host: 'www.acme.com',
      uri: '/caddy?token=hush',
      headers: { 'User-Agent': [gptBot], Referer: ['https://a.com/?q=hush'] },
    },
    duration: 0.0121,
    status: 404,
  }
  const env = { ...process.env, ...variablesOf(endpoint) }
  const stdio: ['pipe', 'inherit', 'ignore'] = ['pipe', 'inherit', 'ignore']
  const child = spawn(process.execPath, [join(folder, 'log.js')], { env, stdio })
  child.stdin.end(`${JSON.stringify(apache)}\nno JSON\n${JSON.stringify(caddy)}\n`)
  expect(await once(child, 'exit')).toEqual([0, null])
  const address = { host: 'www.acme.com', ip_address: '20.171.207.0', bot_name: 'GPTBot' }
  expect(await rowsOf(endpoint)).toMatchObject([
    { ...address, path: '/apache', status_code: 200, response_time_ms: 7 },
    {
      ...address,
      path: '/caddy',
      status_code: 404,
      response_time_ms: 12,
      referrer: 'https://a.com/',
    },
  ])
})

test('middleware.js of Vercel lets the page answer, and sends the request', async () => {
  const endpoint = await startEndpoint()
  const folder = await copySenders()
  const program = `const { default: middleware } = await import('./middleware.js')
    const waits = []
    const request = new Request('https://www.acme.com/vercel?token=hush', { headers: { 'user-agent': '${gptBot}' } })
    const reply = await middleware(request, { waitUntil: (promise) => waits.push(promise) })
    await Promise.all(waits)
    process.exit(reply === undefined ? 0 : 1)`
  await writeFile(join(folder, 'vercel.mjs'), program)
  const env = { ...process.env, ...variablesOf(endpoint) }
  const child = spawn(process.execPath, [join(folder, 'vercel.mjs')], { env, stdio: 'inherit' })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await rowsOf(endpoint)).toMatchObject([{ host: 'www.acme.com', path: '/vercel' }])
})
