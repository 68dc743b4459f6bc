import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from './kit/api.ts'
import { clearOfMidnight, dayMs } from './kit/day.ts'
import { importSearch, searchAnswer, type TestSearch } from './kit/imports/search-console.ts'
import { assertProblem } from './kit/rest/problem-schema.ts'
import { countedStatements } from './kit/statements.ts'

await clearOfMidnight()

const statements = countedStatements()
const api = useApi({}, statements.log)

type Body = Record<string, unknown>

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)
const a = 'https://acme.com/a'
const b = 'https://acme.com/b'

/** What rows have in common; a row is from the United States and a phone unless it says otherwise. */
const acme: TestSearch = { query: 'acme', page: a }
const rocket: TestSearch = { query: 'rocket', page: b, device: 'TABLET' }
const trap: TestSearch = { query: 'trap', page: b, country: 'deu' }

/**
 * Within a week: "acme" at (2·10 + 4·10)/20 = 3, "anvil" at 5, "rocket" at 15.5. Also "trap" at 30, and an
 * anonymous query. 40 days ago: "acme" again.
 */
const rows: readonly TestSearch[] = [
  { ...acme, date: daysAgo(1), device: 'DESKTOP', clicks: 5, impressions: 10, position: 2 },
  { ...acme, date: daysAgo(2), country: 'deu', clicks: 1, impressions: 10, position: 4 },
  { query: 'anvil', page: a, date: daysAgo(2), clicks: 2, impressions: 8, position: 5 },
  { ...rocket, date: daysAgo(3), clicks: 0, impressions: 2, position: 15.5 },
  { ...trap, date: daysAgo(3), clicks: 0, impressions: 3, position: 30 },
  { ...trap, date: daysAgo(3), query: '', clicks: 1, impressions: 7, position: 1 },
  { ...acme, date: daysAgo(40), device: 'DESKTOP', clicks: 0, impressions: 100, position: 9 },
]

let key = ''
let project = ''
let bare = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  bare = await workspace.project()
  key = (await workspace.key()).key
  const result = await importSearch(api, project, JSON.stringify(searchAnswer(rows), null, 2))
  expect(result).toEqual({ read: 7, loaded: 7, rejected: [] })
})

async function rest(path: string, id = project) {
  const response = await api.get(`/api/mcp/projects/${id}/gsc${path}`, key)
  return { status: response.status, body: (await response.json()) as Body }
}

async function graph(field: string, id = project) {
  const response = await api.graphql(`{ project(id: "${id}") { ${field} } }`, key)
  const { data, errors } = (await response.json()) as { data: { project: Body }; errors?: unknown }
  expect(errors).toBeUndefined()
  return Object.values(data.project)[0]
}

const siteUrl = 'sc-domain:acme.com'
const last = (days: number) => ({ from: daysAgo(days - 1), to: daysAgo(0) })
const head = { siteUrl, window: last(28), success: true }
const counts = (
  clicks: number,
  impressions: number,
  ctr: number | null,
  position: number | null,
) => ({ clicks, impressions, ctr, position })
const countFields = 'clicks impressions ctr position'

describe('positions of the site', () => {
  const bucketsOf = (...numbers: readonly (readonly [number, number, number])[]) =>
    [
      ['Top 3', '1-3'],
      ['Page 1', '4-10'],
      ['Page 2', '11-20'],
      ['Beyond', '20+'],
    ].map(([label, range], i) => {
      const [queries, clicks, impressions] = numbers[i] ?? [0, 0, 0]
      return { label, range, queries, clicks, impressions }
    })
  const buckets = bucketsOf([1, 6, 20], [1, 2, 8], [1, 0, 2], [1, 0, 3])

  test('is counted by the mean position of each query, always in four buckets', async () => {
    expect(await rest('/position-buckets')).toEqual({
      status: 200,
      body: { ...head, buckets, totalQueries: 4 },
    })
    const fields =
      'siteUrl window: dateRange { from to } buckets { label range queries: queryCount clicks impressions } totalQueries: queryCount'
    expect(await graph(`positionBuckets { ${fields} }`)).toEqual({
      siteUrl,
      window: last(28),
      buckets,
      totalQueries: 4,
    })
    const none = await rest('/position-buckets?startDate=2025-01-01&endDate=2025-01-31')
    expect(none.body).toMatchObject({ buckets: bucketsOf(), totalQueries: 0 })
  })

  test('changes with the window: a preset counts only without dates', async () => {
    // (60 + 900) / 120 = 8
    const moved = bucketsOf([0, 0, 0], [2, 8, 128], [1, 0, 2], [1, 0, 3])
    const long = await rest('/position-buckets?window=90d')
    expect(long.body).toMatchObject({ window: last(90), buckets: moved })
    const days = `startDate=${daysAgo(40)}&endDate=${daysAgo(40)}`
    for (const preset of ['', '&window=7d', '&window=3y']) {
      const { body } = await rest(`/position-buckets?${days}${preset}`)
      expect(body).toMatchObject({
        window: { from: daysAgo(40), to: daysAgo(40) },
        buckets: bucketsOf([0, 0, 0], [1, 0, 100]),
      })
    }
  })
})

describe('clicks and impressions', () => {
  test('by device', async () => {
    const found = [
      { device: 'desktop', ...counts(5, 10, 50, 2) },
      // (40 + 40 + 90 + 7) / 28
      { device: 'mobile', ...counts(4, 28, 14.29, 6.32) },
      { device: 'tablet', ...counts(0, 2, 0, 15.5) },
    ]
    expect((await rest('/devices')).body).toEqual({ ...head, rows: found })
    expect(await graph(`searchDevices { rows { device ${countFields} } }`)).toEqual({ rows: found })
    const {
      rows: [first],
    } = (await graph(
      'searchDevices { rows { metrics { ctr { value numerator denominator low } } } }',
    )) as { rows: Body[] }
    const ctr = { value: 50, numerator: 5, denominator: 10, low: 23.66 }
    expect(first).toEqual({ metrics: { ctr } })
  })

  test('by country', async () => {
    const found = [
      // (20 + 40 + 31) / 20
      { country: 'usa', ...counts(7, 20, 35, 4.55) },
      // (40 + 90 + 7) / 20
      { country: 'deu', ...counts(2, 20, 10, 6.85) },
    ]
    expect((await rest('/countries')).body).toEqual({ ...head, rows: found })
    expect(await graph(`searchCountries { rows { country ${countFields} } }`)).toEqual({
      rows: found,
    })
  })

  test('by query, page by page, and behind the end', async () => {
    const found = [
      { query: 'acme', ...counts(6, 20, 30, 3) },
      { query: 'anvil', ...counts(2, 8, 25, 5) },
      { query: 'trap', ...counts(0, 3, 0, 30) },
      { query: 'rocket', ...counts(0, 2, 0, 15.5) },
    ]
    const page = {
      limit: 50,
      offset: 0,
      returnedCount: 4,
      totalCount: 4,
      hasMore: false,
      nextOffset: 4,
    }
    expect((await rest('/queries')).body).toEqual({ ...head, rows: found, pagination: page })
    expect(
      await graph(
        `searchQueries(first: 2) { rows: nodes { query ${countFields} } pageInfo { hasNextPage } }`,
      ),
    ).toEqual({
      rows: found.slice(0, 2),
      pageInfo: { hasNextPage: true },
    })
    const second = await rest('/queries?limit=2&offset=1&window=7d')
    expect(second.body).toMatchObject({
      rows: found.slice(1, 3),
      pagination: {
        limit: 2,
        offset: 1,
        returnedCount: 2,
        totalCount: 4,
        hasMore: true,
        nextOffset: 3,
      },
    })
    const behind = await rest('/queries?offset=4')
    expect(behind.body).toMatchObject({
      rows: [],
      pagination: { totalCount: 4, hasMore: false, nextOffset: 4 },
    })
  })

  test('by page', async () => {
    const found = [
      { page: a, ...counts(8, 28, 28.57, 3.57) },
      { page: b, ...counts(1, 12, 8.33, 10.67) },
    ]
    expect((await rest('/pages')).body).toMatchObject({
      ...head,
      rows: found,
      pagination: { totalCount: 2 },
    })
    expect(await graph(`searchPages { rows: nodes { page: url ${countFields} } }`)).toEqual({
      rows: found,
    })
  })

  test('in sum and by day, the query that is not named among them', async () => {
    const series = Array.from({ length: 7 }, (_, i) => ({
      date: daysAgo(6 - i),
      ...counts(0, 0, null, null),
    }))
    series[3] = { date: daysAgo(3), ...counts(1, 12, 8.33, 10.67) }
    series[4] = { date: daysAgo(2), ...counts(3, 18, 16.67, 4.44) }
    series[5] = { date: daysAgo(1), ...counts(5, 10, 50, 2) }
    const totals = counts(9, 40, 22.5, 5.7)
    expect((await rest('/performance?window=7d')).body).toEqual({
      ...head,
      window: last(7),
      totals,
      series,
    })
    const asked = `searchPerformance(window: { days: 7 }) { totals { ${countFields} } series { date ${countFields} } }`
    expect(await graph(asked)).toEqual({ totals, series })
    const weeks = `series(interval: week) { clicks impressions }`
    const byWeek = (await graph(`searchPerformance(window: { days: 7 }) { ${weeks} }`)) as {
      series: { clicks: number; impressions: number }[]
    }
    const sum = (of: 'clicks' | 'impressions') =>
      byWeek.series.reduce((all, row) => all + row[of], 0)
    expect([sum('clicks'), sum('impressions')]).toEqual([9, 40])
  })
})

test('clicks are compared with the days before, in all and by query', async () => {
  const days = `window: { from: "${daysAgo(1)}", to: "${daysAgo(0)}" }, compare: previous_period`
  const changes =
    'changes { clicks { previous change percent } ctr { previous { value } change isSignificant } }'
  expect(await graph(`searchPerformance(${days}) { totals { clicks ${changes} } }`)).toEqual({
    totals: {
      clicks: 5,
      changes: {
        clicks: { previous: 4, change: 1, percent: 25 },
        ctr: { previous: { value: 13.33 }, change: 36.67, isSignificant: null },
      },
    },
  })
  const before = `window: { from: "${daysAgo(3)}", to: "${daysAgo(2)}" }`
  const now = (await graph(
    `searchQueries(${days}) { nodes { query changes { clicks { previous } } } }`,
  )) as { nodes: { query: string; changes: { clicks: { previous: number } } }[] }
  const earlier = (await graph(`searchQueries(${before}) { nodes { query clicks } }`)) as {
    nodes: { query: string; clicks: number }[]
  }
  const clicksOf = new Map(earlier.nodes.map(({ query, clicks }) => [query, clicks]))
  expect(now.nodes).not.toHaveLength(0)
  for (const row of now.nodes) {
    expect(row.changes.clicks.previous).toBe(clicksOf.get(row.query) ?? 0)
  }
})

describe('what is refused', () => {
  test.each([
    ['window=1y', 'window'],
    ['startDate=2025-01-01', 'endDate'],
    ['endDate=2025-01-01', 'startDate'],
    ['startDate=2025-02-30&endDate=2025-03-01', 'startDate'],
    ['startDate=2025-03-02&endDate=2025-03-01', 'startDate'],
    ['startDate=2024-01-01&endDate=2025-03-01', 'startDate'],
  ])('%s is 400, before the link is looked for', async (query, field) => {
    const { status, body } = await rest(`/devices?${query}`, bare)
    expect(status).toBe(400)
    expect(assertProblem(body).details?.fieldErrors).toHaveProperty(field)
  })

  const operations = [
    ['/position-buckets', 'positionBuckets { totalQueries: queryCount }'],
    ['/devices', 'searchDevices { siteUrl }'],
    ['/performance', 'searchPerformance { siteUrl }'],
    ['/queries', 'searchQueries { siteUrl }'],
    ['/pages', 'searchPages { siteUrl }'],
    ['/countries', 'searchCountries { siteUrl }'],
  ] as const

  test.each([
    ['gsc_not_connected', 409, undefined],
    ['gsc_access_denied', 403, 'accessDenied'],
    ['gsc_site_not_linked', 404, 'notFound'],
  ] as const)('%s (%i) by every operation, at both doors', async (code, status, problem) => {
    const workspace = await api.workspace()
    const id = await workspace.project()
    const { key: reader } = await workspace.key()
    if (problem) {
      await api.db.connection.create({
        data: { projectId: id, kind: 'searchConsole', host: siteUrl, problem },
      })
    }
    for (const [path, field] of operations) {
      const response = await api.get(`/api/mcp/projects/${id}/gsc${path}`, reader)
      expect(response.status).toBe(status)
      expect(assertProblem(await response.json()).code).toBe(code)
      const asked = await api.graphql(`{ project(id: "${id}") { ${field} } }`, reader)
      expect(await asked.json()).toMatchObject({ errors: [{ extensions: { code } }] })
    }
  })
})

test('the reports of many projects cost one statement each', async () => {
  const workspace = await api.workspace()
  const { key: reader } = await workspace.key()
  for (let i = 0; i < 3; i++) {
    const id = await workspace.project({ name: `P${i}` })
    const row = { date: daysAgo(1), clicks: i }
    if (i < 2) await importSearch(api, id, JSON.stringify(searchAnswer([row])))
  }
  statements.taken()
  const fields = 'name searchQueries(first: 1) { rows: nodes { clicks } }'
  const response = await api.graphql(`{ projects { nodes { ${fields} } } }`, reader)
  const { data } = (await response.json()) as { data: { projects: { nodes: { name: string }[] } } }
  expect(data.projects.nodes.toSorted((x, y) => (x.name < y.name ? -1 : 1))).toEqual([
    { name: 'P0', searchQueries: { rows: [{ clicks: 0 }] } },
    { name: 'P1', searchQueries: { rows: [{ clicks: 1 }] } },
    { name: 'P2', searchQueries: null },
  ])
  expect(statements.taken()).toEqual(['search-console.query'])
})

test('a page has its clicks of each day beside its crawls and citations, in GraphQL', async () => {
  const field = (url: string) =>
    `pageMetrics(url: "${url}", window: { days: 3 }) { clicks { available series { date clicks impressions } } }`
  const series = [
    { date: daysAgo(2), clicks: 3, impressions: 18 },
    { date: daysAgo(1), clicks: 5, impressions: 10 },
    { date: daysAgo(0), clicks: 0, impressions: 0 },
  ]
  const asked = async (url: string, id = project) => {
    const response = await api.graphql(`{ project(id: "${id}") { ${field(url)} } }`, key)
    const { data } = (await response.json()) as { data: { project: { pageMetrics: Body } } }
    return data.project.pageMetrics.clicks
  }
  for (const url of [a, 'http://ACME.com/a/?utm_source=x']) {
    expect(await asked(url)).toEqual({ available: true, series })
  }
  expect(await asked(a, bare)).toEqual({ available: false, series: [] })
})
