import { Agent, request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { until } from '../kit/service.ts'
import { gptBot } from '../kit/tracker/crawler-event.ts'
import { type Endpoint, headOf, startEndpoint } from '../kit/tracker/endpoint.ts'
import { ship, useWarehouse } from '../kit/tracker/folder.ts'
import { hitOf } from '../kit/tracker/service.ts'

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

const reasons: Record<number, readonly string[]> = {
  400: ['invalid_json', 'invalid_events_array'],
  401: ['missing_authorization'],
  403: ['invalid_signature', 'missing_permission', 'missing_site_token', 'invalid_site_token'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  413: ['body_too_large'],
}

const ask = (port: number, agent: Agent, { method, path, headers, body }: Sent) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sized = { ...headers, 'content-length': body.length }
    const request = httpRequest({ port, agent, method, path, headers: sized }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
    request.end(body)
  })

const text = fc.string({ unit: 'binary', maxLength: 30 })
const json = fc.oneof(text, fc.jsonValue({ stringUnit: 'binary' }))
const visible = fc.stringMatching(/^[!-~]{0,40}$/)

const hardEnds = text.map((end) => gptBot + end)
const filled = text.filter((value) => value !== '')
/** An event of a crawler with anything in the fields that may be absent, and at times in one that may not. */
const event = fc
  .tuple(
    fc.record(
      {
        path: filled,
        url: filled,
        event_name: filled,
        user_agent: fc.oneof({ weight: 5, arbitrary: hardEnds }, json),
        ip_address: json,
        referrer: json,
        referrer_domain: json,
        country: json,
        city: json,
        headers: fc.oneof(json, fc.dictionary(text, json)),
        query_parameters: fc.oneof(json, fc.dictionary(text, json)),
        custom_properties: fc.oneof(json, fc.dictionary(text, json)),
        [`__proto__`]: json,
      },
      { requiredKeys: [] },
    ),
    fc.option(fc.constantFrom(...Object.keys(hitOf('/'))), { freq: 2 }),
    fc.oneof(json, fc.integer(), fc.double(), fc.constant(Number.MAX_VALUE)),
  )
  .map(([fields, name, value]) => ({
    ...hitOf('/fuzz'),
    ...fields,
    ...(name === null ? {} : { [name]: value }),
  }))

function bodies({ siteToken }: Endpoint): fc.Arbitrary<Buffer> {
  const events = fc.oneof({ weight: 5, arbitrary: fc.array(fc.oneof(event, json)) }, json)
  const site = fc.oneof({ weight: 5, arbitrary: fc.constant(siteToken) }, json)
  const whole = fc
    .record({ site_token: site, events, other: json }, { requiredKeys: ['site_token', 'events'] })
    .map((body) => Buffer.from(JSON.stringify(body)))
  const damaged = fc
    .tuple(whole, fc.nat(), fc.nat(255), fc.boolean())
    .map(([bytes, at, byte, isCut]) => {
      const place = at % bytes.length
      if (isCut) return bytes.subarray(0, place)
      bytes[place] = byte
      return bytes
    })
  const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
  const other = json.map((value) => Buffer.from(JSON.stringify(value)))
  return fc.oneof({ weight: 6, arbitrary: whole }, damaged, noise, other)
}

function requests(endpoint: Endpoint): fc.Arbitrary<Sent> {
  const { key } = endpoint
  const good = fc.constant(`Bearer ${key}`)
  const damaged = fc
    .nat(key.length - 1)
    .map((at) => `Bearer ${key.slice(0, at)}${key.slice(at + 1)}`)
  const authorization = fc.oneof({ weight: 6, arbitrary: good }, damaged, visible)
  const named = fc.dictionary(fc.stringMatching(/^x-[a-z]{1,9}$/), visible, { maxKeys: 4 })
  const content = { 'content-type': visible, 'content-encoding': visible, accept: visible }
  const known = fc.record(
    { authorization, ...content, 'if-none-match': visible },
    { requiredKeys: [] },
  )
  return fc.record({
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constant('POST') },
      fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'),
    ),
    path: fc.oneof(
      { weight: 8, arbitrary: fc.constant('/v1/events') },
      fc.constantFrom('/v1/bots.json', '/healthz', '/readyz', '/metrics', '/v1/events/?x', '/'),
      fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).pathname),
    ),
    headers: fc
      .tuple(fc.oneof({ weight: 4, arbitrary: fc.record({ authorization: good }) }, known), named)
      .map(([first, second]) => ({ ...second, ...first })),
    body: bodies(endpoint),
  })
}

async function isWell({ url }: Endpoint): Promise<boolean> {
  const response = await fetch(`${url}/readyz`)
  return response.status === 200
}

test('every request gets a documented answer, and the warehouse accepts every kept event', async () => {
  const endpoint = await startEndpoint()
  const agent = new Agent({ keepAlive: true })
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(requests(endpoint), async (sent) => {
      const { status, text } = await ask(endpoint.port, agent, sent)
      seen.add(status)
      if (status === 202) expect(text).toBe('')
      else if (status === 200) expect(['GET', 'HEAD']).toContain(sent.method)
      else if (sent.method === 'HEAD') expect(reasons).toHaveProperty(String(status))
      else {
        const { error, message } = JSON.parse(text)
        expect(reasons[status], `${status} ${text}`).toContain(error)
        expect(message).toMatch(/\.$/)
      }
    }),
    // Chance alone asks for a page once in five hundred requests.
    {
      numRuns: 1500,
      examples: [[{ method: 'GET', path: '/healthz', headers: {}, body: Buffer.alloc(0) }]],
    },
  )
  agent.destroy()
  expect([...seen].sort()).toEqual([200, 202, 400, 401, 403, 404, 405])
  expect(endpoint.told.lines).toEqual([])

  const kept = await endpoint.metric('events_kept_total')
  expect(kept).toBeGreaterThan(100)
  const { rows, deadLetters } = await ship(endpoint.dir, useWarehouse().warehouse)
  expect({ rows, refused: deadLetters.rows }).toEqual({ rows: kept, refused: 0 })
})

test('bytes that are hardly HTTP, in any pieces, break nothing for others', async () => {
  const endpoint = await startEndpoint({ requestTimeoutMs: 300 })
  const body = endpoint.bodyOf([hitOf('/a')])
  const whole = endpoint.head(`Content-Length: ${body.length}`) + body
  const inPieces = `${endpoint.head('Transfer-Encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const start = fc.constantFrom(whole, inPieces, whole + inPieces, headOf('GET /healthz') + whole)
  const change = fc.tuple(fc.nat(), fc.string({ unit: 'binary', maxLength: 5 }), fc.nat(9))
  const damage = fc.array(change, { maxLength: 3 })
  const noise = fc
    .uint8Array({ maxLength: 300 })
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
  const stream = fc.oneof(
    noise,
    fc.tuple(start, damage).map(([bytes, changes]) =>
      changes.reduce((text, [at, put, remove]) => {
        const place = at % text.length
        return text.slice(0, place) + put + text.slice(place + remove)
      }, bytes),
    ),
  )
  const statuses = new Set<number>()
  async function sendTo(sent: string, size: number): Promise<void> {
    const { send, socket, answers } = await endpoint.dial()
    const bytes = Buffer.from(sent)
    for (let at = 0; at < bytes.length; at += size) send(bytes.subarray(at, at + size))
    for (const status of await answers(1)) statuses.add(status)
    socket.destroy()
  }
  const streams = fc.array(fc.tuple(stream, fc.integer({ min: 1, max: 400 })), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(streams, async (all) => {
      await Promise.all(all.map(([sent, size]) => sendTo(sent, size)))
    }),
    { numRuns: 40 },
  )
  // 408, 417, 431 and 505 are what HTTP itself has for this.
  const documented = [200, 202, 400, 401, 403, 404, 405, 408, 413, 417, 431, 505]
  expect([...statuses].filter((status) => !documented.includes(status))).toEqual([])
  expect(statuses).toContain(202)
  expect(await isWell(endpoint)).toBe(true)
  await until(async () => (await endpoint.metric('held_body_bytes')) === 0)
})

test('a flood of large bodies stays within memory, and refuses what does not fit', async () => {
  const maxHeldBytes = 8 * 2 ** 20
  const endpoint = await startEndpoint({ maxHeldBytes })
  const senders = await Promise.all(Array.from({ length: 64 }, () => endpoint.dial()))
  const most = 2 ** 20 - 1
  for (const { send } of senders) {
    send(endpoint.head(`Content-Length: ${most + 1}`) + ' '.repeat(most))
  }
  let peak = 0
  await until(async () => {
    peak = Math.max(peak, await endpoint.metric('held_body_bytes'))
    return senders.filter(({ statuses }) => statuses[0] === 503).length >= 56
  })
  expect(peak).toBeGreaterThan(maxHeldBytes / 2)
  expect(peak).toBeLessThanOrEqual(maxHeldBytes)
  // Those that fitted are served when their last byte comes.
  for (const { send } of senders) send(' ')
  await until(() => senders.every(({ statuses }) => statuses.length > 0))
  const answers = senders.flatMap(({ statuses }) => statuses)
  expect(new Set(answers)).toEqual(new Set([400, 503]))
  expect(await endpoint.metric('held_body_bytes')).toBe(0)
  expect((await endpoint.post(endpoint.bodyOf([hitOf('/after')]))).status).toBe(202)
})
