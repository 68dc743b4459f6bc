import { parse } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { joinMetrics, openMetrics } from '../../observability/registry.ts'
import { operationLabel } from '../../plugins/operation-name.ts'
import { useApi } from '../kit/api.ts'
import { subscribe } from '../kit/graphql/live.ts'
import { samplesOf, sumOf } from '../kit/observability/samples.ts'

const api = useApi()
let projectId: string
let key: string

beforeAll(async () => {
  const workspace = await api.workspace()
  projectId = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(projectId, [{}])
})

const measure = async () => samplesOf(await api.metricsText())
const requests = async (labels: Record<string, string>) =>
  sumOf(await measure(), 'sightline_api_requests_total', labels)

describe('a request is counted', () => {
  test('of REST, by the id of its operation and by its status', async () => {
    await api.get(`/api/mcp/projects/${projectId}`, key)
    await api.get(`/api/mcp/projects/${projectId}`, key)
    await api.get('/api/mcp/projects/prj_missing', key)
    const about = { door: 'rest', operation: 'getProject' }
    expect(await requests({ ...about, status: '200' })).toBe(2)
    expect(await requests({ ...about, status: '404' })).toBe(1)
    const seconds = 'sightline_api_request_seconds_count'
    expect(sumOf(await measure(), seconds, about)).toBe(3)
  })

  test('of GraphQL, by its root field, and never by a word of the client', async () => {
    const asked = `query Qzw($id: ID!) { qzw: project(id: $id) { qzw: name } }`
    await api.graphql(asked, key, { id: projectId })
    await api.graphql('{ qzwUnknown }', key)
    await api.graphql('{ qzw', key)
    await api.get('/api/mcp/qzw', key)
    await api.get('/qzw?qzw=qzw', key, { 'x-request-id': 'qzw' })
    expect(await requests({ door: 'graphql', operation: 'project', status: '200' })).toBe(1)
    expect(await requests({ door: 'graphql', operation: 'none', status: '400' })).toBe(2)
    expect(await requests({ door: 'rest', operation: 'none', status: '404' })).toBe(1)
    expect(await api.metricsText()).not.toContain('qzw')
  })

  test('of GraphQL, with what it costs', async () => {
    const cost = async () => sumOf(await measure(), 'sightline_api_query_cost_total', {}) ?? 0
    const before = await cost()
    const two = 'usage { plan } ads { totalCount }'
    await api.graphql(`{ project(id: "${projectId}") { ${two} } }`, key)
    expect((await cost()) - before).toBe(2)
  })

  test('without a key, and its error by code', async () => {
    const before = sumOf(await measure(), 'sightline_api_errors_total', { code: 'unauthorized' })
    await api.graphql('{ __typename }')
    await api.get('/api/mcp/projects')
    const after = sumOf(await measure(), 'sightline_api_errors_total', { code: 'unauthorized' })
    expect(after).toBe((before ?? 0) + 2)
    expect(await requests({ status: '401' })).toBe(2)
  })
})

test('a stream of live events counts while it is open, and not as a slow request', async () => {
  const field = `projectUpdated(projectId: "${projectId}") { __typename }`
  const stream = await subscribe(api, key, field)
  expect(sumOf(await measure(), 'sightline_api_streams')).toBe(1)
  await stream.end()
  await expect.poll(async () => sumOf(await measure(), 'sightline_api_streams')).toBe(0)
  const about = { door: 'graphql', operation: 'projectUpdated' }
  expect(sumOf(await measure(), 'sightline_api_request_seconds_count', about)).toBeUndefined()
})

test('statements count by query id, and rows from memory as hits', async () => {
  const path = `/api/mcp/projects/${projectId}/sources/domains?from=2025-05-01&to=2025-05-20`
  const lookups = async (result: string) =>
    sumOf(await measure(), 'sightline_cache_lookups_total', { cache: 'frozen_rows', result }) ?? 0
  await api.get(path, key)
  const [misses, hits] = [await lookups('miss'), await lookups('hit')]
  expect(misses).toBeGreaterThan(0)
  // Another reply, of the same rows.
  await api.get(`${path}&format=json`, key)
  expect([await lookups('miss'), (await lookups('hit')) > hits]).toEqual([misses, true])
  const samples = await measure()
  const query = samples.find(({ name }) => name === 'sightline_statement_seconds_count')?.labels
  expect(query).toEqual({ query: expect.stringMatching(/^[a-z-]+\.[a-z-]+/), part: 'api' })
  expect(sumOf(samples, 'sightline_cache_bytes', { cache: 'frozen_rows' })).toBeGreaterThan(0)
})

test('connections to PostgreSQL count by pool', async () => {
  const open = async (pool: string) =>
    sumOf(await measure(), 'sightline_postgresql_connections', { pool, state: 'open' })
  await api.get(`/api/mcp/projects/${projectId}`, key)
  expect(await open('reads')).toBeGreaterThan(0)
  expect(await open('writes')).toBeGreaterThanOrEqual(0)
})

test('an operation is named by its listed document, or by its root field', () => {
  const document = parse(`
    query Listed { ...Root ... { project(id: 1) { id } } __typename }
    query Two { project(id: 1) { id } me { id } }
    fragment Root on Query { other: project(id: 2) { id } }`)
  expect(operationLabel(document, 'Listed', true)).toBe('Listed')
  expect(operationLabel(document, 'Listed', false)).toBe('project')
  expect(operationLabel(document, 'Two', false)).toBe('several')
  expect(operationLabel(document, 'None', false)).toBe('none')
})

test('the metrics of several parts have one header each', async () => {
  const parts = ['api', 'worker'].map((part) => openMetrics(part))
  for (const metrics of parts) metrics.counter('sightline_x_total', 'X.', 'a').inc({ a: '{"b}' })
  const text = joinMetrics([...(await Promise.all(parts.map((part) => part.text()))), ''])
  const samples = samplesOf(text)
  const counted = samples.filter(({ name }) => name === 'sightline_x_total')
  expect(counted.map(({ labels }) => labels.part)).toEqual(['api', 'worker'])
  const lag = samples.filter(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds')
  expect(lag.map(({ labels }) => labels.part)).toEqual(['api', 'worker'])
})
