import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBingRow } from '../../imports/analytics/bing-rows.ts'
import { importSearchConsole } from '../../imports/analytics/search-console.ts'
import { removeLinked } from '../../imports/loads/removal.ts'
import { conditionsOf } from '../../resolvers/alarms/rules.ts'
import { sendDueFeeds } from '../../resolvers/connections/feeds.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { run } from '../../warehouse/run.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { bingDay, bingSites, bingWeek, startBing } from '../kit/bing.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { bytesOf } from '../kit/imports/web-analytics.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

await clearOfMidnight(120_000)

const bing = await startBing()
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = useApi({}, log, { ownDatabase: true, bingUrl: bing.url })
let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let session = ''
const ask = asking(api, () => session)

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const site = 'https://acme.com/'

/** Ends of weeks, the newest first. */
const weeks = [day(3), day(10), day(17)] as const

/** Two days of 5 and 7 clicks; the same clicks by query and by page in three weeks. */
const full = {
  GetUserSites: bingSites(site, 'https://bolt.com/'),
  GetRankAndTrafficStats: { body: { d: [bingDay(day(5), 5, 50), bingDay(day(4), 7, 60)] } },
  GetQueryStats: {
    body: {
      d: [
        bingWeek(weeks[0], 'anvil', [8, 80, 2]),
        bingWeek(weeks[1], 'anvil', [2, 20, 7]),
        bingWeek(weeks[0], 'hammer', [0, 30, 12]),
        bingWeek(weeks[2], 'rope', [1, 10, 4]),
      ],
    },
  },
  GetPageStats: { body: { d: [bingWeek(weeks[0], `${site}anvil`, [8, 110, 4])] } },
}

beforeAll(async () => {
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  await api.db.dataFeed.deleteMany({})
  workspace = await api.workspace()
  project = await workspace.project()
  session = await workspace.session()
  bing.answer(full)
  bing.taken()
})
afterAll(bing.close)

const setKey = (key: string) =>
  ask(`mutation { setBingKey(workspaceId: "${workspace.id}", key: "${key}") { changed } }`)

const addFeed = (name = site) =>
  ask(
    `mutation { addDataFeed(projectId: "${project}", kind: bing_webmaster, name: "${name}") { changed } }`,
  )

const pull = () =>
  ask(`mutation { pullDataFeed(projectId: "${project}", kind: bing_webmaster) { changed } }`)

async function load() {
  await setKey(bing.key)
  expect(faultIn(await addFeed())).toBe('none')
  await worker.idle()
}

async function feeds() {
  const fields =
    'kind name accountEmail state firstDay loadedFrom loadedTo daysLoaded daysTotal rowsLoaded problem nextPullAt firstFailedAt'
  const answer = await ask(`{ project(id: "${project}") { dataFeeds { ${fields} } } }`)
  return answer.data.project?.dataFeeds as unknown as Record<string, unknown>[]
}

const report = async (fields: string) =>
  (await ask(`{ project(id: "${project}") { ${fields} } }`)).data.project as unknown as Record<
    string,
    Record<string, unknown>
  >

async function alarms(now = new Date()): Promise<(readonly [string, string])[]> {
  const scope = await jobScope(api, project, now)
  if (!scope) throw new Error('The project is gone.')
  const found = await conditionsOf(scope, now, null)
  return found
    .filter(({ problem }) => problem === 'connection_refused')
    .map(({ name, detail }) => [name, detail] as const)
}

describe('a row of Bing', () => {
  const at = (date: string) => ({ Date: date, Clicks: 1, Impressions: 2, Query: 'anvil' })

  test.each([
    ['/Date(1316156400000-0700)/', '2011-09-16'],
    ['/Date(1316156400000)/', '2011-09-16'],
    ['/Date(1732608000000-0800)/', '2024-11-26'],
    ['/Date(1316111400000+0530)/', '2011-09-16'],
  ])('of %s is of %s', (date, expected) => {
    expect(readBingRow(at(date), 'day').day).toBe(expected)
  })

  test.each(['/Date(-62135568000000-0800)/', '2011-09-16', '/Date()/'])(
    'of %s is refused',
    (date) => {
      expect(() => readBingRow(at(date), 'day')).toThrow(/^`Date` must be a moment/)
    },
  )

  test('by query is of the week that ends on its day, and its position may be unknown', () => {
    const row = { ...at('/Date(1316156400000-0700)/'), AvgImpressionPosition: -1 }
    expect(readBingRow(row, 'query')).toMatchObject({
      day: '2011-09-16',
      part: 'from 2011-09-10',
      shape: 'totals of a week',
      query: 'anvil',
      position: 0,
    })
  })
})

describe('the key to Bing Webmaster Tools', () => {
  test('is stored encrypted once Bing knows it, and shown by its end', async () => {
    expect(faultIn(await setKey(bing.key))).toBe('none')
    expect(bing.taken()).toEqual([{ method: 'GetUserSites', siteUrl: null }])
    const shown = await ask(`{ workspace(id: "${workspace.id}") { bingKey { lastFour endedAt } } }`)
    expect(shown.data.workspace).toEqual({ bingKey: { lastFour: 'cdef', endedAt: null } })
    const row = await api.db.bingKey.findUniqueOrThrow({ where: { workspaceId: workspace.id } })
    expect(Buffer.from(row.sealed).includes(bing.key)).toBe(false)
    const trail = await api.db.auditEntry.findMany({ where: { workspaceId: workspace.id } })
    expect(trail.map(({ action }) => action)).toContain('bingKey.add')
    expect(JSON.stringify([shown, trail.map(({ after }) => after), lines])).not.toContain(bing.key)
  })

  test('is not stored where Bing refuses it, or cannot say', async () => {
    expect(faultIn(await setKey('two words'))).toBe('invalid_argument key')
    const unknown = await setKey('ffffffffffffffffffffffffffffffff')
    expect(JSON.stringify(unknown)).toContain('Bing does not know the API key')
    bing.answer({ GetUserSites: { status: 503, body: '<html>' } })
    expect(JSON.stringify(await setKey(bing.key))).toContain('Bing answered 503, and no data.')
    expect(await api.db.bingKey.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('lists its verified sites, and is needed before one is chosen', async () => {
    const text = `mutation { listBingSites(workspaceId: "${workspace.id}") { sites problem } }`
    expect(faultIn(await ask(text))).toBe('invalid_argument workspaceId')
    expect(faultIn(await addFeed())).toBe('invalid_argument kind')
    await setKey(bing.key)
    expect((await ask(text)).data.listBingSites).toEqual({
      sites: [site, 'https://bolt.com/'],
      problem: null,
    })
    bing.refuse(4, 'ThrottleUser')
    expect((await ask(text)).data.listBingSites).toEqual({
      sites: [],
      problem: 'Bing takes no more requests with this key for now (ThrottleUser).',
    })
  })

  test('that is removed leaves the rows, and its feed waits for another', async () => {
    await load()
    const text = `mutation { removeBingKey(workspaceId: "${workspace.id}") { changed } }`
    expect((await ask(text)).data.removeBingKey).toEqual({ changed: true })
    expect(await feeds()).toMatchObject([
      {
        state: 'failing',
        nextPullAt: null,
        problem: 'The key to Bing Webmaster Tools was removed.',
      },
    ])
    await setKey(bing.key)
    await worker.idle()
    expect(await feeds()).toMatchObject([{ state: 'current', problem: null }])
  })
})

describe('a feed of Bing', () => {
  test('loads days of the site, and queries and pages by week, which are Bing’s alone', async () => {
    await load()
    expect(bing.taken().map(({ method }) => method)).toEqual([
      'GetUserSites',
      'GetRankAndTrafficStats',
      'GetQueryStats',
      'GetPageStats',
    ])
    expect(await feeds()).toEqual([
      {
        kind: 'bing_webmaster',
        name: site,
        accountEmail: null,
        state: 'current',
        firstDay: day(485),
        loadedFrom: day(23),
        loadedTo: day(0),
        daysLoaded: 24,
        daysTotal: 24,
        rowsLoaded: 7,
        problem: null,
        firstFailedAt: null,
        nextPullAt: expect.stringMatching(new RegExp(`^${day(-1)}T0[5-7]:`)),
      },
    ])
    const window = `window: { from: "${day(13)}", to: "${day(0)}" }`
    const lists = `periods { from to } nodes { clicks impressions position`
    const bingReports = await report(
      `searchPerformance(engine: bing, ${window}) { engine siteUrl dataAvailable { from to } totals { clicks impressions position } }
       searchQueries(engine: bing, ${window}, compare: previous_period) { ${lists} query changes { clicks { previous change } } pages { nodes { url } } } }
       searchPages(engine: bing, ${window}) { ${lists} url } }
       positionBuckets(engine: bing, ${window}) { queryCount buckets { range queryCount } }`,
    )
    expect(bingReports.searchPerformance).toEqual({
      engine: 'bing',
      siteUrl: site,
      dataAvailable: { from: day(5), to: day(4) },
      totals: { clicks: 12, impressions: 110, position: null },
    })
    // Weeks that end within the window: (8 clicks, 80 · 2) and (2, 20 · 7) of one query.
    expect(bingReports.searchQueries).toMatchObject({
      periods: weeks.map((to) => ({
        from: new Date(Date.parse(to) - 6 * dayMs).toISOString().slice(0, 10),
        to,
      })),
      nodes: [
        {
          query: 'anvil',
          clicks: 10,
          impressions: 100,
          position: 3,
          changes: { clicks: { previous: 0, change: 10 } },
          pages: { nodes: [] },
        },
        { query: 'hammer', clicks: 0, impressions: 30, position: 12 },
      ],
    })
    expect(bingReports.searchPages).toMatchObject({
      nodes: [{ url: `${site}anvil`, clicks: 8, impressions: 110, position: 4 }],
    })
    expect(bingReports.positionBuckets).toEqual({
      queryCount: 2,
      buckets: [
        { range: '1-3', queryCount: 1 },
        { range: '4-10', queryCount: 0 },
        { range: '11-20', queryCount: 1 },
        { range: '20+', queryCount: 0 },
      ],
    })
    // The reports of Google know nothing of it.
    const { key } = await workspace.key({ scopes: ['read'] })
    const google = await api.get(`/api/mcp/projects/${project}/gsc/queries`, key)
    expect(google.status).toBe(409)
    expect(await google.text()).toContain('gsc_not_connected')
  })

  test('beside rows of Google never changes a number of theirs', async () => {
    const row = { keys: [day(4), 'anvil', site, 'usa', 'MOBILE'], ctr: 0.5, position: 3 }
    const content = JSON.stringify({ rows: [{ ...row, clicks: 1, impressions: 2 }] })
    await importSearchConsole(api, commandLine, { projectId: project, bytes: bytesOf(content) })
    const window = `window: { from: "${day(13)}", to: "${day(0)}" }`
    const fields = `searchPerformance(${window}) { dataAvailable { from to } totals { clicks impressions position } } searchQueries(${window}) { periods { to } nodes { query clicks } }`
    const before = await report(fields)
    expect(before.searchPerformance).toMatchObject({ totals: { clicks: 1, impressions: 2 } })
    await load()
    expect(await report(fields)).toEqual(before)
    // What Bing is unlinked from takes its rows, and leaves Google's.
    await removeLinked(api, commandLine, project, 'bingWebmaster')
    expect(await feeds()).toEqual([])
    expect(await report(fields)).toEqual(before)
    expect(await rowsOf('bing')).toBe(0)
  })

  test('that is pulled again reads the last weeks, and counts each once', async () => {
    await load()
    const revised = bingWeek(weeks[0], 'anvil', [9, 90, 2])
    bing.answer({ ...full, GetQueryStats: { body: { d: [revised] } } })
    await sendDueFeeds(api.db, new Date(Date.now() + 2 * dayMs))
    await worker.idle()
    expect(await rowsOf('bing')).toBe(7)
    const window = `window: { from: "${day(6)}", to: "${day(0)}" }`
    const { searchQueries } = await report(
      `searchQueries(engine: bing, ${window}) { nodes { query clicks } }`,
    )
    expect(searchQueries).toEqual({
      nodes: [
        { query: 'anvil', clicks: 9 },
        { query: 'hammer', clicks: 0 },
      ],
    })
  })

  test('whose key was revoked says so, alarms, and goes on with another', async () => {
    await load()
    bing.refuse(3, 'InvalidApiKey')
    await pull()
    await worker.idle()
    const said = 'Bing does not know the API key: it was deleted or replaced.'
    expect(await feeds()).toMatchObject([{ state: 'failing', problem: said, nextPullAt: null }])
    const shown = await ask(`{ workspace(id: "${workspace.id}") { bingKey { endedAt } } }`)
    expect(JSON.stringify(shown.data)).toMatch(/"endedAt":"20/)
    expect(await alarms()).toEqual([[site, said]])
    bing.answer(full)
    await setKey(bing.key)
    await worker.idle()
    expect(await feeds()).toMatchObject([{ state: 'current', problem: null }])
    expect(await alarms()).toEqual([])
  })

  test.each([
    [4, 'ThrottleUser', 'quota'],
    [1, 'InternalError', 'unavailable'],
  ])(
    'that Bing refuses by %i %s is tried again later, and alarms after a day',
    async (code, name, problem) => {
      await setKey(bing.key)
      bing.refuse(code, name)
      await addFeed()
      await worker.idle()
      const feed = await api.db.dataFeed.findFirstOrThrow({ where: { projectId: project } })
      expect(feed.problem).toBe(problem)
      const pause = ((feed.nextPullAt?.getTime() ?? 0) - Date.now()) / 60_000
      expect(Math.round(pause)).toBe(15)
      expect(await alarms()).toEqual([])
      expect(await alarms(new Date(Date.now() + dayMs))).toEqual([[site, feed.problemText]])
    },
  )

  test.each([
    [14, 'NotAuthorized', 'accessDenied', 'gsc_access_denied'],
    [7, 'InvalidUrl', 'notFound', 'gsc_site_not_linked'],
  ])(
    'of a site that Bing refuses by %i %s says so in reports',
    async (code, name, problem, fault) => {
      await load()
      bing.refuse(code, name)
      await pull()
      await worker.idle()
      expect(
        await api.db.dataFeed.findFirstOrThrow({ where: { projectId: project } }),
      ).toMatchObject({
        problem,
      })
      const answer = await ask(
        `{ project(id: "${project}") { searchPerformance(engine: bing) { siteUrl } } }`,
      )
      expect(JSON.stringify(answer)).toContain(fault)
      expect(await alarms()).toMatchObject([[site, expect.stringMatching(/^Bing does not/)]])
    },
  )

  test('is refused for another site than that of the data', async () => {
    await load()
    expect(faultIn(await addFeed('https://bolt.com/'))).toBe('invalid_argument name')
    expect(faultIn(await addFeed('sc-domain:acme.com'))).toBe('invalid_argument site')
  })
})

async function rowsOf(engine: string): Promise<number> {
  const [rows = 0] = await run(api.warehouse, {
    id: 'test.rows',
    sql: 'SELECT count() AS rows FROM search_console FINAL WHERE project_id = {project:UUID} AND engine = {engine:String}',
    params: { project, engine },
    row: ({ rows: found }) => Number(found),
  })
  return rows
}
