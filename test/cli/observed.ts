import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { samplesOf, sumOf } from '../kit/observability/samples.ts'
import { type TestService, until } from '../kit/service.ts'
import { faultsOf, labelsByMetric, shownExpressions } from '../observability/published.ts'
import type { SentSpan } from './collector.ts'

/** The metrics of a service whose API was killed once. */
export async function expectMetrics(service: TestService): Promise<void> {
  expect((await service.get('/metrics')).status).toBe(404)
  const scrape = await (await fetch(service.metricsUrl)).text()
  const samples = samplesOf(scrape)
  const states = samples.filter(({ name }) => name === 'sightline_part_up')
  expect(Object.fromEntries(states.map(({ labels, value }) => [labels.of, value]))).toEqual(
    Object.fromEntries(Object.keys(await service.parts()).map((part) => [part, 1])),
  )
  expect(sumOf(samples, 'sightline_part_restarts_total', { of: 'api' })).toBe(1)
  const lag = samples.filter(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds')
  const processes = ['supervisor', 'api', 'tracker', 'trackerWriter', 'worker', 'warehouse']
  expect(lag.map(({ labels }) => labels.part)).toEqual(processes)
  const report200 = { door: 'rest', operation: 'getVisibility', status: '200' }
  expect(sumOf(samples, 'sightline_api_requests_total', report200)).toBeGreaterThan(0)
  const waiting = { part: 'worker', queue: 'audit', state: 'waiting' }
  expect(sumOf(samples, 'sightline_jobs', waiting)).toBe(0)
  expect(sumOf(samples, 'sightline_warehouse_slots', { state: 'all' })).toBe(16)
  expect(sumOf(samples, 'sightline_warehouse_statement_seconds_count')).toBeGreaterThan(0)
  expect(sumOf(samples, 'sightline_tracker_backlog_bytes')).toBe(0)
  expect(sumOf(samples, 'sightline_connections', { port: 'api' })).toBeGreaterThan(0)
  const labels = labelsByMetric(scrape)
  expect(shownExpressions().flatMap((shown) => faultsOf(shown, labels))).toEqual([])
}

/** A request that continues the trace of its client has one trace, from the door to the statements. */
export async function expectTrace(
  service: TestService,
  spans: readonly SentSpan[],
  report: string,
): Promise<void> {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = {
    authorization: `Bearer ${service.demoKey}`,
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  }
  // Projects stay in memory for a second: within it, the request would ask the catalog nothing.
  await sleep(1500)
  const response = await fetch(`${service.url}${report}&granularity=week`, { headers })
  expect(response.status).toBe(200)
  const ours = () => spans.filter((span) => span.traceId === traceId)
  await until(() => ours().some(({ name }) => name === 'GET getVisibility'), 20_000)
  const [door, ...others] = ours().filter(({ name }) => name === 'GET getVisibility')
  expect(others).toEqual([])
  expect(door).toMatchObject({ part: 'sightline-api', parentSpanId: 'b7ad6b7169203331' })
  expect(door?.attributes).toMatchObject({
    'sightline.request_id': response.headers.get('x-request-id'),
    'sightline.door': 'rest',
    'http.response.status_code': 200,
  })
  const byId = new Map(ours().map((span) => [span.spanId, span]))
  const pathOf = (span: SentSpan | undefined): string[] =>
    span ? [...pathOf(byId.get(span.parentSpanId ?? '')), span.name] : []
  const statement = ours().find(({ name }) => name.startsWith('clickhouse '))
  const queryId = String(statement?.attributes['sightline.query_id'])
  expect(statement?.name).toBe(`clickhouse ${queryId.split(':')[0]}`)
  expect(pathOf(statement)).toEqual(['GET getVisibility', 'graphql.execute', statement?.name])
  const select = ours().find(({ name }) => name === 'postgresql SELECT')
  expect(pathOf(select)[0]).toBe('GET getVisibility')
  // The text of a span is a name, and never a statement or a value.
  const text = JSON.stringify(spans)
  for (const secret of [service.demoKey, ' FROM ', 'granularity'])
    expect(text).not.toContain(secret)
}

const marker = 'qzwmarker'

/** Requests with a key, a text and an address that the log must not show, and their lines in the log. */
export async function expectQuietLog(service: TestService, report: string): Promise<void> {
  const ask = (path: string, body?: string) =>
    new Promise<string>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = {
        authorization: `Bearer ${service.demoKey}`,
        'content-type': 'application/json',
        'x-forwarded-for': marker,
      }
      const options = { method, headers, localAddress: '127.0.0.77' }
      const asked = request(service.url + path, options, (response) => {
        response.resume().once('end', () => resolve(String(response.headers['x-request-id'])))
      })
      asked.once('error', reject).end(body)
    })
  const requestId = await ask(`${report}&topicId=${marker}&granularity=month`)
  await ask('/graphql', JSON.stringify({ query: `{ ${marker} }`, variables: { a: marker } }))
  await ask('/graphql', `{ "query": ${marker}`)
  await ask(`/api/mcp/projects/${service.demoProjectId}/prompts`, `{ "prompts": [${marker}`)
  const text = JSON.stringify({ prompts: [{ text: `Which ${marker}\u0000?` }] })
  await ask(`/api/mcp/projects/${service.demoProjectId}/prompts`, text)
  const last = await ask(`${report}&granularity=day`)
  const log = () => readFile(`${service.dataDir}/logs/sightline.log`, 'utf8')
  // The line of a request follows those of its statements.
  const answered = new RegExp(`"requestId":"${last}".*"status":|"status":.*"requestId":"${last}"`)
  await until(async () => answered.test(await log()), 20_000)
  const lines = await log()
  for (const secret of [service.demoKey, marker, '127.0.0.77']) expect(lines).not.toContain(secret)
  expect(lines).toContain(requestId)
  const ofLast = lines
    .split('\n')
    .filter((line) => line.includes(last))
    .map((line) => JSON.parse(line))
  expect(ofLast).toContainEqual(expect.objectContaining({ path: expect.any(String), status: 200 }))
  const statements = ofLast.filter(({ queryId }) => queryId !== undefined)
  expect(statements.map(({ requestId: id }) => id)).toEqual(statements.map(() => last))
  expect(statements.length).toBeGreaterThan(0)
}
