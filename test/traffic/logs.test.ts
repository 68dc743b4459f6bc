import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { connectSource, putHits, type TestHit } from '../kit/tracker/hits.ts'

const api = useApi()

const may = 'from=2025-05-01&to=2025-05-31'

/** Six crawls in May, four of them at the same moment, and one in April. One has a sender's name and a trailing slash. */
const hits: readonly TestHit[] = [
  { bot: 'GPTBot', at: '2025-05-10T08:00:00Z', path: '/b' },
  { bot: 'PerplexityBot', at: '2025-05-10T08:00:00Z', path: '/a', host: 'shop.acme.com' },
  { bot: 'GPTBot', at: '2025-05-10T08:00:00Z', path: '/a' },
  {
    bot: 'ChatGPT-User',
    at: '2025-05-12T08:00:00.007Z',
    path: '/a?who=me',
    method: 'post',
    status: 404,
    tookMs: 30.5,
    country: 'de',
    referrer: 'https://www.example.org/x?secret=1',
  },
  { bot: 'GPTBot', at: '2025-05-09T23:59:59Z', path: '/a' },
  { bot: 'GPTBot', at: '2025-04-30T23:59:59Z', path: '/a' },
  { bot: 'GPTBot', at: '2025-05-10T08:00:00Z', path: '/a/', event: 'sign_up' },
]

let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['read'] })).key
  await connectSource(api.db, project, { kind: 'cdn' })
  await putHits(api.warehouse, project, hits)
})

type Body = Record<string, unknown>
interface Logs {
  logs: Body[]
  pagination: Body
  dateRange: Body
}

async function rest(query = ''): Promise<Logs> {
  const response = await api.get(`/api/mcp/projects/${project}/traffic/logs?${may}&${query}`, key)
  expect(response.status).toBe(200)
  return (await response.json()) as Logs
}

const newest = {
  timestamp: '2025-05-12T08:00:00.007Z',
  method: 'POST',
  host: 'acme.com',
  path: '/a',
  statusCode: 404,
  responseTimeMs: 31,
  botName: 'ChatGPT-User',
  botVendor: 'OpenAI',
  botCategory: 'ai_assistant',
  country: 'DE',
  referrerDomain: 'example.org',
}

/** Newest first; of the same moment by host, then path. */
const inOrder = [
  ['ChatGPT-User', 'acme.com', '/a'],
  ['GPTBot', 'acme.com', '/a'],
  ['GPTBot', 'acme.com', '/a/'],
  ['GPTBot', 'acme.com', '/b'],
  ['PerplexityBot', 'shop.acme.com', '/a'],
  ['GPTBot', 'acme.com', '/a'],
]
const short = ({ botName, host, path }: Body) => [botName, host, path]

describe('single crawls', () => {
  test('come newest first, and tell neither address nor user agent', async () => {
    const { logs, pagination, dateRange } = await rest()
    expect(logs[0]).toEqual(newest)
    expect(Object.keys(logs[0] ?? {})).toEqual(Object.keys(newest))
    expect(logs.map(short)).toEqual(inOrder)
    expect(logs[1]).toMatchObject({ country: null, referrerDomain: null, statusCode: 200 })
    expect(pagination).toEqual({
      limit: 25,
      offset: 0,
      returnedCount: 6,
      totalCount: 6,
      hasMore: false,
      nextOffset: 6,
    })
    expect(dateRange).toEqual({ from: '2025-05-01', to: '2025-05-31' })
  })

  test('are the same in GraphQL', async () => {
    const fields = `timestamp: at method host path statusCode responseTimeMs
      botName botVendor botCategory country referrerDomain`
    const window = 'from: "2025-05-01", to: "2025-05-31"'
    const list = `{ logs: nodes { ${fields} } totalCount pageInfo { hasNextPage } }`
    const query = `query($id: ID!) {
      project(id: $id) { crawlerHits(window: { ${window} }) ${list} } }`
    const { logs } = await rest()
    const expected = { logs, totalCount: 6, pageInfo: { hasNextPage: false } }
    expect(await (await api.graphql(query, key, { id: project })).json()).toEqual({
      data: { project: { crawlerHits: expected } },
    })
  })

  test.each([1, 2, 3])('a walk by pages of %i neither repeats nor skips', async (limit) => {
    const seen: Body[] = []
    for (let offset = 0; ; ) {
      const { logs, pagination } = await rest(`limit=${limit}&offset=${offset}`)
      seen.push(...logs)
      expect(pagination.totalCount).toBe(6)
      expect(pagination.hasMore).toBe(seen.length < 6)
      if (!pagination.hasMore) break
      offset = Number(pagination.nextOffset)
    }
    expect(seen.map(short)).toEqual(inOrder)
  })

  test.each([
    ['botName=gptbot', 4],
    ['botName=GPT', 0],
    ['botCategory=ai_search', 1],
    ['path=/a', 5],
    ['path=/a/', 5],
    ['path=/A', 0],
    ['path=/a%3Fwho=me', 0],
    ['host=SHOP.acme.com', 1],
    ['host=shop.acme.com&botCategory=ai_training', 0],
    ['path=/a&botName=GPTBot&host=acme.com', 3],
  ])('filtered by %s are %i', async (query, count) => {
    const { logs, pagination } = await rest(query)
    expect(logs).toHaveLength(count)
    expect(pagination.totalCount).toBe(count)
  })

  test('a page has 100 at the most, and the one behind the last is empty', async () => {
    expect((await rest('limit=101')).pagination.limit).toBe(100)
    const { logs, pagination } = await rest(`offset=${Number.MAX_SAFE_INTEGER}`)
    expect(logs).toEqual([])
    expect(pagination).toMatchObject({ totalCount: 6, hasMore: false, returnedCount: 0 })
  })
})
