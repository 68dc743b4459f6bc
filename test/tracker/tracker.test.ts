import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtinBots } from '../../core/bots/bots.ts'
import { until } from '../kit/service.ts'
import { type Endpoint, startEndpoint } from '../kit/tracker/endpoint.ts'
import { makeFolder, rowsInLog } from '../kit/tracker/folder.ts'
import { hitOf } from '../kit/tracker/service.ts'

const maxBodyBytes = 1_048_576
/** JSON of exactly so many bytes. */
const padded = (json: string, bytes: number) => json + ' '.repeat(bytes - Buffer.byteLength(json))

describe('POST /v1/events', () => {
  test('answers 202 without a body once the hits of crawlers are on disk', async () => {
    const endpoint = await startEndpoint()
    const answer = await endpoint.post(endpoint.bodyOf([hitOf('/a'), hitOf('/b')]))
    expect(answer).toMatchObject({ status: 202, text: '' })
    expect(answer.headers.get('content-length')).toBe('0')
    const rows = (await rowsInLog(endpoint.dir)).map((row) => JSON.parse(row))
    const { projectId: project_id } = endpoint
    expect(rows).toMatchObject([
      { project_id, source: 'tracker', path: '/a', bot_name: 'GPTBot' },
      { project_id, source: 'tracker', path: '/b', bot_name: 'GPTBot' },
    ])
  })

  test('keeps each event for itself: what is wrong with one does no harm to others', async () => {
    const endpoint = await startEndpoint()
    const person = { ...hitOf('/person'), user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/131.0' }
    const events = [
      null,
      hitOf('/a'),
      { ...hitOf('/no-status'), status_code: 'OK' },
      person,
      { ...hitOf('/b'), status_code: '404', unknown: { field: 1 } },
      person,
      { ...hitOf('/in-seconds'), timestamp: Date.now() / 1000 },
      [],
    ]
    const answer = await endpoint.post(endpoint.bodyOf(events))
    expect(answer.status).toBe(202)
    // So a sender sees that its events count.
    expect(answer.headers.get('sightline-kept')).toBe('2')
    expect(answer.headers.get('sightline-dropped')).toBe('6')
    expect(await endpoint.paths()).toEqual(['/a', '/b'])
    expect(await endpoint.metric('events_kept_total')).toBe(2)
    const dropped = (reason: string) => endpoint.metric(`events_dropped_total{reason="${reason}"}`)
    expect(await dropped('malformed')).toBe(3)
    expect(await dropped('not_a_crawler')).toBe(2)
    expect(await dropped('timestamp_out_of_range')).toBe(1)
  })

  test('takes as many events as 1 MB holds', async () => {
    const endpoint = await startEndpoint()
    const events = Array.from({ length: 3700 }, (_, at) => hitOf(`/${at}`))
    const body = padded(endpoint.bodyOf(events), maxBodyBytes)
    expect((await endpoint.post(body)).status).toBe(202)
    expect(await endpoint.paths()).toHaveLength(3700)
  })

  test('without a kept event writes nothing, also when no list is given but an empty one', async () => {
    const endpoint = await startEndpoint()
    expect((await endpoint.post(endpoint.bodyOf([]))).status).toBe(202)
    expect((await endpoint.post(endpoint.bodyOf([{}, 1, null]))).status).toBe(202)
    expect(await rowsInLog(endpoint.dir)).toEqual([])
    expect(await endpoint.metric('append_seconds_count')).toBe(0)
    expect(await endpoint.metric('requests_total{status="202"}')).toBe(2)
  })

  test('reads bodies as UTF-8, and what is none as the sign for that', async () => {
    const endpoint = await startEndpoint()
    const body = Buffer.from(endpoint.bodyOf([{ ...hitOf('/ü'), city: 'x#x' }]))
    body[body.indexOf('x#x') + 1] = 0xff
    expect((await endpoint.post(body)).status).toBe(202)
    const [row = ''] = await rowsInLog(endpoint.dir)
    expect(JSON.parse(row)).toMatchObject({ path: '/ü', city: 'x\ufffdx' })
  })
})

describe('refused', () => {
  test('is what is wrong, the first in the order of checks', async () => {
    const endpoint = await startEndpoint()
    const { key, workspaceId, siteToken } = endpoint
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const good = bearer(key)
    const large = ' '.repeat(maxBodyBytes + 1)
    const foreign = endpoint.signed.site({ projectId: randomUUID(), workspaceId: randomUUID() })
    const steps: [Record<string, string>, string, number, string][] = [
      [{ authorization: '' }, large, 401, 'missing_authorization'],
      [bearer(`${key}x`), large, 403, 'invalid_signature'],
      [{ authorization: key }, large, 403, 'invalid_signature'],
      [{ authorization: 'Basic YTpi' }, large, 403, 'invalid_signature'],
      [bearer(siteToken), large, 403, 'invalid_signature'],
      [
        bearer(endpoint.signed.key({ workspaceId, permissions: [] })),
        large,
        403,
        'missing_permission',
      ],
      [good, large, 413, 'body_too_large'],
      [good, padded('{"site_token":', maxBodyBytes), 400, 'invalid_json'],
      [good, '', 400, 'invalid_json'],
      [good, '{"site_token":"st_x","events":[}', 400, 'invalid_json'],
      [good, 'null', 403, 'missing_site_token'],
      [good, '5', 403, 'missing_site_token'],
      [good, '"st_x"', 403, 'missing_site_token'],
      [good, `[{"site_token":"${siteToken}","events":[]}]`, 403, 'missing_site_token'],
      [good, `{"events":{"site_token":"${siteToken}"}}`, 403, 'missing_site_token'],
      [good, '{"site_token":7,"events":7}', 403, 'missing_site_token'],
      [good, '{"site_token":"sk_live_x","events":7}', 403, 'missing_site_token'],
      [good, '{"site_token":"st_x","events":7}', 403, 'invalid_site_token'],
      [good, `{"site_token":"${foreign}","events":7}`, 403, 'invalid_site_token'],
      [good, `{"site_token":"${siteToken}"}`, 400, 'invalid_events_array'],
      [good, `{"site_token":"${siteToken}","events":null}`, 400, 'invalid_events_array'],
      [good, `{"site_token":"${siteToken}","events":{"0":{}}}`, 400, 'invalid_events_array'],
      [good, `{"site_token":"${siteToken}","events":[]}`, 202, ''],
    ]
    for (const [headers, body, status, error] of steps) {
      const answer = await endpoint.post(body, headers)
      const step = `${JSON.stringify(headers)} ${body.slice(0, 60).trim()}`
      expect(answer, step).toMatchObject(error === '' ? { status } : { status, error })
      if (error === '') continue
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(Object.keys(JSON.parse(answer.text))).toEqual(['error', 'message'])
      expect(answer.message).toMatch(/\w+ .*\.$/)
    }
    expect(await rowsInLog(endpoint.dir)).toEqual([])
  })

  test('a revoked key is refused with that reason', async () => {
    const endpoint = await startEndpoint()
    const body = endpoint.bodyOf([hitOf('/a')])
    expect((await endpoint.post(body)).status).toBe(202)
    endpoint.revoked.keys.add(endpoint.keyId)
    const answer = await endpoint.post(body)
    expect(answer).toMatchObject({ status: 403, error: 'invalid_signature' })
    expect(answer.message).toContain('revoked')
    expect(await endpoint.paths()).toEqual(['/a'])
  })

  test('the site token of a deleted project is', async () => {
    const endpoint = await startEndpoint()
    endpoint.revoked.projects.add(endpoint.projectId)
    const answer = await endpoint.post(endpoint.bodyOf([hitOf('/a')]))
    expect(answer).toMatchObject({ status: 403, error: 'invalid_site_token' })
  })

  test('401 says how to authenticate', async () => {
    const { url } = await startEndpoint()
    const response = await fetch(`${url}/v1/events`, { method: 'POST' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('a body that is compressed is refused with that reason', async () => {
    const endpoint = await startEndpoint()
    const answer = await endpoint.post(Buffer.from([0x1f, 0x8b, 8, 0]), {
      'content-encoding': 'gzip',
    })
    expect(answer).toMatchObject({ status: 400, error: 'invalid_json' })
    expect(answer.message).toContain('without compression')
  })
})

/** How many bodies the log accepts until it answers 503. */
async function postUntilRefused(endpoint: Endpoint, body: string): Promise<number> {
  for (let accepted = 0; ; accepted++) {
    const answer = await endpoint.post(body)
    if (answer.status === 202) continue
    expect(answer).toMatchObject({ status: 503, error: 'overloaded' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    return accepted
  }
}

describe('overload', () => {
  test('of the log is 503 with Retry-After, for keys of ours and bodies that could be taken', async () => {
    const endpoint = await startEndpoint({ maxBacklogBytes: 50_000 })
    const body = endpoint.bodyOf(Array.from({ length: 10 }, (_, at) => hitOf(`/${at}`)))
    // A body is less than a tenth of the limit: the log is still full when it measures its backlog again.
    expect(body.length).toBeLessThan(5000)
    const accepted = await postUntilRefused(endpoint, body)
    expect(accepted).toBeGreaterThan(5)
    // The log refuses the first body, and the endpoint refuses the next one beforehand.
    const answer = await endpoint.post(body)
    expect(answer).toMatchObject({ status: 503, error: 'overloaded' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await endpoint.post(body, { authorization: '' })).status).toBe(401)
    expect((await endpoint.post(body, { authorization: 'Bearer x' })).status).toBe(403)
    expect((await endpoint.post(' '.repeat(maxBodyBytes + 1))).status).toBe(413)
    expect(await rowsInLog(endpoint.dir)).toHaveLength(10 * accepted)
    const ready = await fetch(`${endpoint.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toEqual({ status: 'not ready', reason: 'overloaded' })
    expect((await fetch(`${endpoint.url}/healthz`)).status).toBe(200)
  })

  test('of memory is 503 for whose bytes are too many, and passes when they are gone', async () => {
    const endpoint = await startEndpoint({ maxHeldBytes: 500_000 })
    const half = 'x'.repeat(200_000)
    const slow = await Promise.all([1, 2].map(() => endpoint.dial()))
    for (const { send } of slow) send(endpoint.head('Content-Length: 400000') + half)
    await until(async () => (await endpoint.metric('held_body_bytes')) > 400_000)
    const answer = await endpoint.post(padded(endpoint.bodyOf([hitOf('/a')]), 200_000))
    expect(answer).toMatchObject({ status: 503, error: 'overloaded' })
    expect(answer.headers.get('retry-after')).toBe('1')
    // What is small goes on.
    expect((await endpoint.post(endpoint.bodyOf([hitOf('/b')]))).status).toBe(202)
    for (const { socket } of slow) socket.destroy()
    await until(async () => (await endpoint.metric('held_body_bytes')) === 0)
    expect((await endpoint.post(padded(endpoint.bodyOf([hitOf('/c')]), 200_000))).status).toBe(202)
    expect(await endpoint.paths()).toEqual(['/b', '/c'])
  })
})

describe('what is read', () => {
  test('/v1/bots.json is the registry that events are matched against, to be cached', async () => {
    const { url } = await startEndpoint()
    const response = await fetch(`${url}/v1/bots.json`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(await response.json()).toEqual(builtinBots)
    const tag = response.headers.get('etag') ?? ''
    const again = await fetch(`${url}/v1/bots.json`, { headers: { 'if-none-match': tag } })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
    const other = await fetch(`${url}/v1/bots.json`, { headers: { 'if-none-match': '"x"' } })
    expect(other.status).toBe(200)
    const head = await fetch(`${url}/v1/bots.json`, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000)
  })

  test('/v1/bots.json follows the registry, as the matching does', async () => {
    const file = join(await makeFolder(), 'own.json')
    const bot = { ...builtinBots.bots[0], name: 'AcmeBot', pattern: 'AcmeBot' }
    await writeFile(file, JSON.stringify({ updatedAt: '2026-01-01', bots: [bot] }))
    const { url, bots, post, bodyOf, paths } = await startEndpoint({ botsFile: file })
    await until(() => bots.current().registry.bots.length === 1)
    const page = async () => {
      const response = await fetch(`${url}/v1/bots.json`)
      return { tag: response.headers.get('etag'), registry: await response.json() }
    }
    const first = await page()
    expect(first.registry).toEqual({ updatedAt: '2026-01-01', bots: [bot] })
    const events = [hitOf('/gptbot'), { ...hitOf('/acmebot'), user_agent: 'AcmeBot/1.0' }]
    expect((await post(bodyOf(events))).status).toBe(202)
    expect(await paths()).toEqual(['/acmebot'])
    await writeFile(file, JSON.stringify({ updatedAt: '2026-01-02', bots: [bot] }))
    await until(async () => (await page()).tag !== first.tag)
    expect((await page()).registry.updatedAt).toBe('2026-01-02')
  })

  test('/healthz and /readyz say so', async () => {
    const { url } = await startEndpoint()
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
  })

  test('/metrics counts requests, bytes and time on disk, each tracker for itself', async () => {
    const [endpoint, other] = [await startEndpoint(), await startEndpoint()]
    const body = endpoint.bodyOf([hitOf('/a')])
    await endpoint.post(body)
    await endpoint.post('{')
    await endpoint.post(body, { authorization: 'Bearer x' })
    const { metric } = endpoint
    expect(await metric('requests_total{status="202"}')).toBe(1)
    expect(await metric('requests_total{status="400"}')).toBe(1)
    expect(await metric('requests_total{status="403"}')).toBe(1)
    expect(await metric('body_bytes_total')).toBe(Buffer.byteLength(body) + 1)
    expect(await metric('append_seconds_count')).toBe(1)
    expect(await metric('backlog_bytes')).toBeGreaterThan(300)
    expect(await metric('backlog_segments')).toBe(1)
    expect(await other.metric('events_kept_total')).toBe(0)
    const { headers } = await fetch(`${endpoint.url}/metrics`)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  })

  test('an unknown path is 404, a known one with another method 405 that allows the right ones', async () => {
    const { url } = await startEndpoint()
    const answers = [
      ['GET', '/v1/event', 404, null],
      ['POST', '/', 404, null],
      ['GET', '/v1/events', 405, 'POST'],
      ['HEAD', '/v1/events', 405, 'POST'],
      ['OPTIONS', '/v1/events', 405, 'POST'],
      ['POST', '/v1/bots.json?x=1', 405, 'GET, HEAD'],
      ['DELETE', '/metrics', 405, 'GET, HEAD'],
    ] as const
    for (const [method, path, status, allow] of answers) {
      const response = await fetch(url + path, { method })
      expect([response.status, response.headers.get('allow')], path).toEqual([status, allow])
      const error = status === 404 ? 'not_found' : 'method_not_allowed'
      if (method !== 'HEAD') expect(await response.json()).toMatchObject({ error })
    }
  })
})
