import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { browser, combinedLine, gptBot, noon } from '../kit/imports/access-logs.ts'
import { until } from '../kit/service.ts'
import { dial, type Endpoint, headOf, startEndpoint } from '../kit/tracker/endpoint.ts'
import { rowsInLog } from '../kit/tracker/folder.ts'

interface Push {
  readonly query?: string
  readonly headers?: Record<string, string>
}

/** Pushes a log as its host does: the key in `Authorization` unless the headers or the query have one. */
async function push(
  { url, key, siteToken }: Endpoint,
  source: string,
  body: string | Buffer<ArrayBuffer>,
  { query = `site=${siteToken}`, headers = { authorization: `Bearer ${key}` } }: Push = {},
) {
  const response = await fetch(`${url}/v1/logs/${source}?${query}`, {
    method: 'POST',
    headers,
    body,
  })
  const text = await response.text()
  const counted = ['kept', 'dropped'].map((name) => response.headers.get(`sightline-${name}`))
  return { status: response.status, text, counted, headers: response.headers }
}

const rowsOf = async ({ dir }: Endpoint) => (await rowsInLog(dir)).map((row) => JSON.parse(row))

const at = noon(1)
const person = { agent: browser, address: '203.0.113.7' }
const crawler = { agent: gptBot, address: '20.171.207.9' }
type Visitor = typeof person
const jsonLines = (entries: readonly object[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

const cloudflare = (path: string, { agent, address }: Visitor, id: string) => ({
  RayID: id,
  ClientIP: address,
  ClientRequestHost: 'acme.com',
  ClientRequestMethod: 'GET',
  ClientRequestURI: path,
  ClientRequestUserAgent: agent,
  EdgeResponseStatus: 200,
  EdgeStartTimestamp: at.toISOString(),
  EdgeTimeToFirstByteMs: 30,
})
const vercel = (path: string, { agent, address }: Visitor, requestId: string) => ({
  id: randomUUID(),
  requestId,
  source: 'lambda',
  host: 'acme-1.vercel.app',
  message: 'a line that a function wrote',
  timestamp: at.getTime() + 5,
  proxy: {
    timestamp: at.getTime(),
    method: 'GET',
    scheme: 'https',
    host: 'acme.com',
    path,
    userAgent: [agent],
    referer: '',
    statusCode: 200,
    clientIp: address,
    region: 'fra1',
  },
})
const netlify = (path: string, { agent, address }: Visitor, id: string) => ({
  log_type: 'traffic',
  request_id: id,
  timestamp: at.toISOString(),
  method: 'GET',
  url: `https://acme.com${path}`,
  status_code: 200,
  duration: 30,
  user_agent: agent,
  client_ip: address,
  country: 'US',
})
const fastly = (path: string, { agent, address }: Visitor) => ({
  timestamp: at.toISOString().replace(/\.\d+Z/, '+0000'),
  host: 'acme.com',
  url: path,
  request_method: 'GET',
  request_user_agent: agent,
  response_status: 200,
  client_ip: address,
})
const nginx = (path: string, { agent, address }: Visitor, id: string) => ({
  time_iso8601: at.toISOString(),
  request_id: id,
  request_method: 'GET',
  host: 'acme.com',
  request_uri: path,
  status: '200',
  request_time: '0.030',
  http_user_agent: agent,
  remote_addr: address,
})
const cloudfront = (path: string, { agent, address }: Visitor, id: string) => ({
  date: at.toISOString().slice(0, 10),
  time: at.toISOString().slice(11, 19),
  'cs-method': 'GET',
  'cs-uri-stem': path,
  'sc-status': '200',
  'cs(User-Agent)': encodeURIComponent(agent),
  'c-ip': address,
  'x-host-header': 'acme.com',
  'x-edge-request-id': id,
  'time-taken': '0.030',
})
const firehose = (lines: readonly string[]) =>
  JSON.stringify({
    requestId: 'one',
    timestamp: Date.now(),
    records: lines.map((line) => ({ data: Buffer.from(line).toString('base64') })),
  })

const sources = {
  cloudflare,
  vercel,
  netlify,
  fastly,
  nginx,
  cloudfront,
} as const

describe.each(Object.entries(sources))('a log of %s', (name, entryOf) => {
  test('packed or not: the visits of crawlers are stored, those of people are not', async () => {
    const endpoint = await startEndpoint()
    const entries = [
      entryOf('/prices?q=1', crawler, 'a'),
      entryOf('/cart', person, 'b'),
      entryOf('/about', crawler, 'c'),
    ]
    const text =
      name === 'cloudfront'
        ? firehose(entries.map((entry) => JSON.stringify(entry)))
        : jsonLines(entries)
    const plain = await push(endpoint, name, text)
    expect([plain.status, plain.counted]).toEqual([200, ['2', '1']])
    const rows = await rowsOf(endpoint)
    const stored = { host: 'acme.com', bot_name: 'GPTBot', status_code: 200, method: 'GET' }
    expect(rows).toMatchObject([
      { ...stored, path: '/prices', ip_address: '20.171.207.0', timestamp: at.getTime() },
      { ...stored, path: '/about' },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/cart|203\.0\.113|207\.9|Firefox/)
    const again = await push(endpoint, name, gzipSync(text), {
      headers: { authorization: `Bearer ${endpoint.key}`, 'content-encoding': 'gzip' },
    })
    expect(again.status).toBe(200)
    // Fastly names no request: a body that is sent a second time counts twice.
    expect(await rowsOf(endpoint)).toHaveLength(name === 'fastly' ? 4 : 2)
  })
})

describe('what hosts do to try an address', () => {
  test('Logpush sends its own test', async () => {
    const endpoint = await startEndpoint()
    const trial = await push(endpoint, 'cloudflare', gzipSync('{"content":"tests"}'))
    expect([trial.status, trial.counted]).toEqual([200, ['0', '0']])
  })

  test('Vercel looks for its code, and signs with the ingest key as the secret of the drain', async () => {
    const endpoint = await startEndpoint()
    const { url, key, siteToken } = endpoint
    const seen = await fetch(`${url}/v1/logs/vercel?site=${siteToken}&verify=abc123`)
    expect([seen.status, seen.headers.get('x-vercel-verify')]).toEqual([200, 'abc123'])
    const asked = await fetch(`${url}/v1/logs/vercel`, { headers: { 'x-vercel-verify': 'def456' } })
    expect(asked.headers.get('x-vercel-verify')).toBe('def456')

    const body = JSON.stringify([vercel('/', crawler, 'a'), vercel('/', crawler, 'a')])
    const query = `site=${siteToken}&key=${key}`
    const signedBy = (secret: string) => ({
      'x-vercel-signature': createHmac('sha1', secret).update(body).digest('hex'),
    })
    const forged = await push(endpoint, 'vercel', body, { query, headers: signedBy('other') })
    expect([forged.status, forged.text]).toEqual([403, expect.stringContaining('drain')])
    expect(await rowsOf(endpoint)).toEqual([])
    const signed = await push(endpoint, 'vercel', body, { query, headers: signedBy(key) })
    // Two entries about one request.
    expect([signed.status, signed.counted]).toEqual([200, ['1', '0']])
  })

  test('Fastly looks for a challenge', async () => {
    const { url } = await startEndpoint()
    const response = await fetch(`${url}/.well-known/fastly/logging/challenge`)
    expect([response.status, await response.text()]).toEqual([200, '*\n'])
  })

  test('Firehose sends the key in a header of its own, and reads the id of its request in the reply', async () => {
    const endpoint = await startEndpoint()
    const headers = {
      'x-amz-firehose-request-id': 'one',
      'x-amz-firehose-access-key': endpoint.key,
    }
    const fields = 'timestamp,c-ip,sc-status,cs-method,cs-host,cs-uri-stem,cs-user-agent'
    const line = `${at.getTime() / 1000}.123\t20.171.207.9\t200\tGET\tacme.com\t/\t${encodeURIComponent(gptBot)}\n`
    const query = `site=${endpoint.siteToken}&fields=${fields}`
    const stored = await push(endpoint, 'cloudfront', firehose([line]), { query, headers })
    expect(stored.status).toBe(200)
    expect(JSON.parse(stored.text)).toEqual({ requestId: 'one', timestamp: expect.any(Number) })
    expect(await rowsOf(endpoint)).toMatchObject([{ path: '/', host: 'acme.com' }])
    const wrong = { ...headers, 'x-amz-firehose-access-key': 'sk_live_x' }
    const refused = await push(endpoint, 'cloudfront', firehose([line]), { query, headers: wrong })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toMatchObject({
      requestId: 'one',
      errorMessage: expect.stringContaining('ingest key'),
    })
  })

  test('Netlify sends the credentials of the address', async () => {
    const endpoint = await startEndpoint()
    const authorization = `Basic ${Buffer.from(`sightline:${endpoint.key}`).toString('base64')}`
    const body = JSON.stringify([netlify('/', crawler, 'a'), { log_type: 'functions' }])
    const pushed = await push(endpoint, 'netlify', body, { headers: { authorization } })
    expect([pushed.status, pushed.counted]).toEqual([200, ['1', '0']])
  })
})

test('lines of nginx come as they are, behind a header of syslog, or wrapped by a program', async () => {
  const endpoint = await startEndpoint()
  const line = (path: string) => combinedLine({ request: `GET ${path} HTTP/1.1` })
  const bodies = [
    line('/1'),
    `\r\n${line('/2')}\r\n<190>Nov 29 07:48:59 web nginx: ${line('/3')}`,
    `<190>1 2026-11-29T07:48:59Z web nginx 1 - - ${line('/4')}`,
    jsonLines([{ message: line('/5') }]),
    JSON.stringify([{ log: line('/6') }, { message: JSON.stringify(nginx('/7', crawler, 'a')) }]),
  ]
  for (const body of bodies) {
    const pushed = await push(endpoint, 'nginx', body, {
      query: `site=${endpoint.siteToken}&host=acme.com`,
    })
    expect(pushed.status).toBe(200)
  }
  const rows = await rowsOf(endpoint)
  expect(rows.map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7'])
  expect(rows.every(({ host }) => host === 'acme.com')).toBe(true)
})

describe('a push that cannot be stored', () => {
  test('gets a reason, and leaves nothing', async () => {
    const endpoint = await startEndpoint()
    const { key, siteToken, signed, workspaceId } = endpoint
    const good = jsonLines([cloudflare('/', crawler, 'a')])
    const site = `site=${siteToken}`
    const other = signed.site({ projectId: randomUUID(), workspaceId: randomUUID() })
    const authorization = `Bearer ${key}`
    const cases: [string, string, string | Buffer<ArrayBuffer>, Push, number, string][] = [
      ['nobody', 'cloudflare', good, { query: site, headers: {} }, 401, 'missing_authorization'],
      [
        'a wrong key',
        'cloudflare',
        good,
        { query: `${site}&key=x`, headers: {} },
        403,
        'invalid_signature',
      ],
      ['no site', 'cloudflare', good, { query: '' }, 403, 'missing_site_token'],
      ['a foreign site', 'cloudflare', good, { query: `site=${other}` }, 403, 'invalid_site_token'],
      ['no such source', 'akamai', good, {}, 404, 'cloudflare, cloudfront'],
      ['lines of another host', 'netlify', good, {}, 400, 'a traffic log of Netlify'],
      ['half of an array', 'vercel', '[{"id":', {}, 400, 'invalid_json'],
      ['half of a packed body', 'cloudflare', gzipSync(good).subarray(0, 40), {}, 415, 'gzip'],
      [
        'another packing',
        'cloudflare',
        good,
        { headers: { authorization, 'content-encoding': 'br' } },
        415,
        'gzip',
      ],
      ['a bomb', 'cloudflare', gzipSync(Buffer.alloc(257 * 2 ** 20, 'x')), {}, 413, '256 MB'],
      ['a long array', 'vercel', gzipSync(`[${' '.repeat(17 * 2 ** 20)}]`), {}, 413, '16 MB'],
    ]
    for (const [what, name, body, how, status, text] of cases) {
      const pushed = await push(endpoint, name, body, how)
      expect([what, pushed.status, pushed.text]).toEqual([
        what,
        status,
        expect.stringContaining(text),
      ])
    }
    endpoint.revoked.keys.add(endpoint.keyId)
    expect((await push(endpoint, 'cloudflare', good)).status).toBe(403)
    expect(await rowsOf(endpoint)).toEqual([])
    expect(await endpoint.metric('held_body_bytes')).toBe(0)
    expect(workspaceId).not.toBe('')
  })

  test('because its sender went away in the middle leaves nothing, and no memory taken', async () => {
    const endpoint = await startEndpoint()
    const { port, key, siteToken } = endpoint
    const body = jsonLines([cloudflare('/', crawler, 'a'), cloudflare('/b', crawler, 'b')])
    const connection = await dial(port)
    const head = headOf(
      `POST /v1/logs/cloudflare?site=${siteToken}`,
      `Authorization: Bearer ${key}`,
      `Content-Length: ${body.length}`,
    )
    connection.send(head + body.slice(0, -5))
    await until(async () => (await endpoint.metric('held_body_bytes')) > 0)
    connection.socket.destroy()
    await once(connection.socket, 'close')
    await until(async () => (await endpoint.metric('held_body_bytes')) === 0)
    expect(await rowsOf(endpoint)).toEqual([])
  })
})

test('what parallel pushes were answered for is in the log, each line once', async () => {
  const endpoint = await startEndpoint()
  const lines = (from: number) =>
    Array.from({ length: 500 }, (_, i) =>
      cloudflare(`/${from + i}`, i % 5 === 0 ? crawler : person, `ray-${from + i}`),
    )
  const pushes = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      push(endpoint, 'cloudflare', gzipSync(jsonLines(lines(500 * i)))),
    ),
  )
  expect(pushes.map(({ status, counted }) => [status, ...counted])).toEqual(
    Array.from({ length: 20 }, () => [200, '100', '400']),
  )
  const paths = (await rowsOf(endpoint)).map(({ path }) => Number(path.slice(1)))
  expect(paths.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2000 }, (_, i) => 5 * i))
})
