import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { countedStatements } from '../kit/statements.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

type Body = Record<string, unknown>

async function graph(query: string, key: string) {
  const response = await api.graphql(query, key)
  const { data, errors } = (await response.json()) as { data: Body; errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

describe('crawls of many projects', () => {
  const window = 'from: "2025-05-10", to: "2025-05-11"'
  let newKey = async () => ''

  beforeAll(async () => {
    const workspace = await api.workspace()
    newKey = async () => (await workspace.key()).key
    for (let i = 0; i < 50; i++) {
      const id = await workspace.project({ name: `P${String(i).padStart(2, '0')}` })
      await connectSource(api.db, id)
      if (i > 2) continue
      // The first has one crawl, the second two, the third three: the last of them by another crawler.
      const crawls = Array.from({ length: i + 1 }, (_, n) => ({
        bot: n < 2 ? 'GPTBot' : 'ClaudeBot',
        at: `2025-05-10T0${n}:00:00Z`,
        path: `/${n}`,
      }))
      await putHits(api.warehouse, id, crawls)
    }
    statements.taken()
  })

  // Four reports of fifty projects cost a third of what a key has for a minute.
  async function ask(limit: number, fields: string) {
    const key = await newKey()
    const found = await graph(`{ projects(first: ${limit}) { nodes { ${fields} } } }`, key)
    const { nodes: projects } = found.projects as { nodes: Body[] }
    expect(projects).toHaveLength(limit)
    return { projects, statements: statements.taken().sort() }
  }

  test('cost one statement for what is selected, each project with its own', async () => {
    const { projects, statements } = await ask(
      50,
      `trafficOverview(window: { ${window} }) { crawlers { total byBot { botName visits } } topPages { path } }`,
    )
    expect(statements).toEqual(['traffic.botName-path'])
    expect(projects.slice(1, 4).map(({ trafficOverview }) => trafficOverview)).toEqual([
      {
        crawlers: { total: 2, byBot: [{ botName: 'GPTBot', visits: 2 }] },
        topPages: [{ path: '/0' }, { path: '/1' }],
      },
      {
        crawlers: {
          total: 3,
          byBot: [
            { botName: 'GPTBot', visits: 2 },
            { botName: 'ClaudeBot', visits: 1 },
          ],
        },
        topPages: [{ path: '/0' }, { path: '/1' }, { path: '/2' }],
      },
      { crawlers: { total: 0, byBot: [] }, topPages: [] },
    ])
  })

  // Three times: the second run is the first that is compiled.
  test.each([1, 2, 3])('cost as many statements for 50 as for one, run %i', async () => {
    const all = `
      trafficOverview(window: { ${window} }) { crawlers {
        total series { date total: visits } byPlatform { platform { slug } visits series { total: visits } }
        byCategory { visits } byBot { visits } } topPages { path crawls: visits } referrals { total } }
      crawlers(window: { ${window} }, first: 1) { bots: nodes { botName paths } pageInfo { hasNextPage } }
      crawlerHits(window: { ${window} }, first: 2) { logs: nodes { path } totalCount pageInfo { hasNextPage } }
      trafficStatus { status lastEventAt }`
    const one = await ask(1, all)
    const fifty = await ask(50, all)
    expect(fifty.statements).toEqual(one.statements)
    expect(one.statements).toEqual([
      'traffic.botName-day-path',
      'traffic.bots',
      // The last day does not fill a page, so it is read from an earlier day too.
      'traffic.logs',
      'traffic.logs',
      'traffic.logs-days',
      'traffic.platformDay',
      'traffic.status',
    ])
    expect(fifty.projects[2]).toMatchObject({
      crawlers: { bots: [{ botName: 'GPTBot', paths: 2 }], pageInfo: { hasNextPage: true } },
      crawlerHits: {
        logs: [{ path: '/2' }, { path: '/1' }],
        totalCount: 3,
        pageInfo: { hasNextPage: true },
      },
      trafficStatus: { status: 'stale', lastEventAt: '2025-05-10T02:00:00.000Z' },
    })
    expect(fifty.projects[3]).toMatchObject({
      crawlers: { bots: [], pageInfo: { hasNextPage: false } },
      crawlerHits: { logs: [], totalCount: 0 },
      trafficStatus: { status: 'waiting', lastEventAt: null },
    })
  })
})

describe('for any window and hosts', () => {
  const bots = ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'bingbot', 'ChatGPT-User']
  const hosts = ['acme.com', 'shop.acme.com', 'blog.acme.com']
  let id = ''
  let key = ''

  beforeAll(async () => {
    const workspace = await api.workspace()
    id = await workspace.project()
    key = (await workspace.key()).key
    await connectSource(api.db, id)
    const crawls = Array.from({ length: 200 }, (_, i) => ({
      bot: bots[(i * 7) % 5] ?? '',
      host: hosts[i % 3] ?? '',
      path: `/${(i * 3) % 8}`,
      at: `2025-06-${String(1 + ((i * 11) % 29)).padStart(2, '0')}T${String(i % 24).padStart(2, '0')}:00:00Z`,
    }))
    await putHits(api.warehouse, id, crawls)
    statements.taken()
  })

  async function rest(path: string): Promise<Body> {
    const response = await api.get(`/api/mcp/projects/${id}/traffic/${path}`, key)
    return (await response.json()) as Body
  }

  const asked = fc.record({
    first: fc.integer({ min: 1, max: 30 }),
    length: fc.integer({ min: 0, max: 29 }),
    host: fc.subarray(hosts),
    limit: fc.integer({ min: 1, max: 6 }),
  })
  const add = (rows: unknown, name = 'visits') =>
    (rows as Body[]).reduce((sum, row) => sum + Number(row[name]), 0)

  test('all reports add up to the same, and REST equals GraphQL', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ first, length, host, limit }) => {
        const day = (n: number) => `2025-06-${String(n).padStart(2, '0')}`
        const [from, to] = [day(first), day(Math.min(30, first + length))]
        const query = `from=${from}&to=${to}${host.length > 0 ? `&host=${host}` : ''}`

        const filter = host.length > 0 ? `hosts: ${JSON.stringify(host)}` : ''
        const { crawlers, topPages } = await rest(`overview?${query}&groupBy=botName`)
        expect(statements.taken()).toEqual(['traffic.botName-path'])
        const { total, byPlatform, byBot } = crawlers as Body
        const { project } = await graph(
          `{ project(id: "${id}") { trafficOverview(window: { from: "${from}", to: "${to}" }, filter: { ${filter} }) {
            crawlers { total byPlatform { platform { slug } visits series { total: visits } } byCategory { visits }
              byBot { botId botName botVendor botCategory visits } series { total: visits } } } } }`,
          key,
        )
        const graphed = (project as { trafficOverview: { crawlers: Body } }).trafficOverview
          .crawlers
        expect(graphed).toMatchObject({ total, byBot })
        for (const rows of [byPlatform, byBot, graphed.byCategory]) expect(add(rows)).toBe(total)
        expect(add(graphed.series, 'total')).toBe(total)
        for (const row of graphed.byPlatform as Body[]) {
          expect(add(row.series, 'total')).toBe(row.visits)
        }
        expect(add(topPages, 'crawls')).toBe(total) // there are eight paths
        expect((await rest(`logs?${query}`)).pagination).toMatchObject({ totalCount: total })

        const walked: unknown[] = []
        for (let hasMore = true; hasMore; ) {
          const page = await rest(`bots?${query}&limit=${limit}&offset=${walked.length}`)
          walked.push(...(page.bots as Body[]))
          hasMore = (page.pagination as { hasMore: boolean }).hasMore
        }
        expect(walked).toMatchObject(byBot as Body[])
        statements.taken()
      }),
      { numRuns: 20 },
    )
  })
})
