import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from './kit/api.ts'
import { clearOfMidnight, dayMs } from './kit/day.ts'
import { flat } from './kit/graphql/flat.ts'
import { importReport, reportOf, reportRow, type TestSession } from './kit/imports/web-analytics.ts'
import { assertProblem } from './kit/rest/problem-schema.ts'
import { countedStatements } from './kit/statements.ts'
import { connectSource } from './kit/tracker/hits.ts'

await clearOfMidnight()

const statements = countedStatements()
const api = useApi({}, statements.log)

type Body = Record<string, unknown>

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

/**
 * Five rows in the last week, one of a page that is not known; two of one page, twelve weeks and a day ago:
 *
 *   ago  page  source          sessions users bounced seconds
 *   1    /a    chatgpt.com     4        3     1       40
 *   1    /a    google          6        5     3       60
 *   2    /b    www.perplexity.ai 3      3     0       33
 *   2    /b?x  chatgpt.com     1        1     1       0
 *   3    -     (direct)        2        2     1       10
 *   84   /c    google          9        9     0       90
 *   84   /c/   google          1        1     0       10
 */
const sessions: readonly TestSession[] = [
  {
    date: daysAgo(1),
    page: '/a',
    source: 'chatgpt.com',
    sessions: 4,
    users: 3,
    bounceRate: 0.25,
    duration: 10,
  },
  { date: daysAgo(1), page: '/a', sessions: 6, users: 5, bounceRate: 0.5, duration: 10 },
  {
    date: daysAgo(2),
    page: '/b',
    source: 'www.perplexity.ai',
    sessions: 3,
    users: 3,
    duration: 11,
  },
  { date: daysAgo(2), page: '/b?x=1', source: 'ChatGPT.com', sessions: 1, bounceRate: 1 },
  {
    date: daysAgo(3),
    page: '(not set)',
    source: '(direct)',
    sessions: 2,
    users: 2,
    bounceRate: 0.5,
    duration: 5,
  },
  { date: daysAgo(84), page: '/c', sessions: 9, users: 9, duration: 10 },
  { date: daysAgo(84), page: '/c/', sessions: 1, users: 1, duration: 10 },
]

let key = ''
let project = ''
let bare = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  bare = await workspace.project()
  key = (await workspace.key()).key
  const report = JSON.stringify(reportOf(sessions.map(reportRow)), null, 2)
  expect(await importReport(api, project, report)).toEqual({ read: 7, loaded: 7, rejected: [] })
})

async function rest(path: string, id = project) {
  const response = await api.get(`/api/mcp/projects/${id}/ga4${path}`, key)
  return { status: response.status, body: (await response.json()) as Body }
}

async function graph(fields: string) {
  const query = `query($id: ID!) { project(id: $id) { ${fields} } }`
  const response = await api.graphql(query, key, { id: project })
  const { data, errors } = (await response.json()) as { data: Body; errors?: unknown }
  expect(errors).toBeUndefined()
  return Object.values(data.project as Body)[0]
}

const window = (weeks: number) => ({ from: daysAgo(weeks * 7 - 1), to: daysAgo(0) })

describe('the pages on which sessions began', () => {
  const pages = [
    { page: '/a', sessions: 10, users: 8, bounceRate: 40, avgDuration: 10 },
    { page: '/b', sessions: 4, users: 4, bounceRate: 25, avgDuration: 8.25 },
  ]

  test('are counted over sources and query strings, most sessions first', async () => {
    expect(await rest('/top-pages')).toEqual({
      status: 200,
      body: { window: window(12), pages, success: true },
    })
    const fields =
      'window: dateRange { from to } pages: nodes { page: path sessions users bounceRate avgDuration: averageDuration }'
    expect(await graph(`topPages { ${fields} }`)).toEqual({
      window: window(12),
      pages,
    })
  })

  test('are as many as asked for, over as many weeks', async () => {
    expect((await rest('/top-pages?limit=1')).body.pages).toEqual(pages.slice(0, 1))
    expect((await rest('/top-pages?weeks=13')).body.pages).toEqual([
      pages[0],
      { page: '/c', sessions: 10, users: 10, bounceRate: 0, avgDuration: 10 },
      pages[1],
    ])
    expect((await rest('/top-pages?weeks=99&limit=500')).body.window).toEqual(window(52))
  })
})

test('fractions of sessions and seconds are rounded once, when they are shown', async () => {
  const workspace = await api.workspace()
  const id = await workspace.project()
  const { key: reader } = await workspace.key()
  // One session that bounced by 0.12345, of 1.2345 seconds: 12.345 percent and 1.2345 seconds.
  const row = { date: daysAgo(1), page: '/x', bounceRate: 0.12345, duration: 1.2345 }
  await importReport(api, id, JSON.stringify(reportOf([reportRow(row)])))
  const ratios = { bounceRate: 12.35, avgDuration: 1.23 }
  const read = async (path: string) =>
    (await api.get(`/api/mcp/projects/${id}/ga4${path}`, reader)).json()
  expect(await read('/top-pages')).toMatchObject({ pages: [ratios] })
  expect(await read('/overview')).toMatchObject({ totals: ratios })
  const fields = 'bounceRate avgDuration: averageDuration'
  const lists = `topPages { nodes { ${fields} } } webAnalytics { totals { ${fields} } }`
  const reply = await api.graphql(`{ project(id: "${id}") { ${lists} } }`, reader)
  expect(await reply.json()).toEqual({
    data: { project: { topPages: { nodes: [ratios] }, webAnalytics: { totals: ratios } } },
  })
})

test('the overview counts all sessions, and each day of the window', async () => {
  const { body } = await rest('/overview?weeks=1')
  const series = Array.from({ length: 7 }, (_, i) => ({
    date: daysAgo(6 - i),
    sessions: 0,
    users: 0,
  }))
  series[3] = { date: daysAgo(3), sessions: 2, users: 2 }
  series[4] = { date: daysAgo(2), sessions: 4, users: 4 }
  series[5] = { date: daysAgo(1), sessions: 10, users: 8 }
  const totals = { sessions: 16, users: 14, bounceRate: 37.5, avgDuration: 8.94 }
  expect(body).toEqual({ window: window(1), totals, series, success: true })
  const fields =
    'totals { sessions users bounceRate avgDuration: averageDuration } series { date sessions users }'
  expect(await graph(`webAnalytics(window: { days: 7 }) { ${fields} }`)).toEqual({
    totals,
    series,
  })
  const weeks = `series(interval: week) { sessions users }`
  const byWeek = (await graph(`webAnalytics(window: { days: 7 }) { ${weeks} }`)) as {
    series: { sessions: number; users: number }[]
  }
  const sum = (of: 'sessions' | 'users') => byWeek.series.reduce((all, row) => all + row[of], 0)
  expect([sum('sessions'), sum('users')]).toEqual([16, 14])
})

test('sessions are compared with the days before', async () => {
  const days = `window: { from: "${daysAgo(1)}", to: "${daysAgo(0)}" }, compare: previous_period`
  const change = '{ previous change percent }'
  expect(
    await graph(`webAnalytics(${days}) { totals { sessions changes { sessions ${change}
      bounceRate { previous { numerator denominator } isSignificant } } } }`),
  ).toMatchObject({
    totals: {
      sessions: 10,
      changes: {
        sessions: { previous: 6, change: 4, percent: 66.67 },
        bounceRate: { isSignificant: null },
      },
    },
  })
  const rows = (await graph(
    `topPages(${days}) { nodes { sessions changes { sessions ${change} } } }`,
  )) as {
    nodes: { sessions: number; changes: { sessions: { previous: number; change: number } } }[]
  }
  for (const { sessions, changes } of rows.nodes) {
    expect(changes.sessions.change).toBe(sessions - changes.sessions.previous)
  }
  expect(await graph('webAnalytics { totals { changes { sessions { change } } } }')).toEqual({
    totals: { changes: null },
  })
})

test('sessions of AI assistants are told by where they came from', async () => {
  const rows = [
    { platform: 'chatgpt', source: 'chatgpt.com', sessions: 5, users: 4 },
    { platform: 'perplexity', source: 'www.perplexity.ai', sessions: 3, users: 3 },
  ]
  expect((await rest('/ai-referrals')).body).toEqual({ window: window(12), rows, success: true })
  expect(
    flat(await graph('aiReferrals { rows: nodes { platform { slug } source sessions users } }')),
  ).toEqual({
    rows,
  })
  expect((await rest('/ai-referrals?limit=1')).body.rows).toEqual(rows.slice(0, 1))
})

describe('what is refused', () => {
  test.each([
    ['/top-pages?weeks=0', 'weeks'],
    ['/top-pages?weeks=x', 'weeks'],
    ['/overview?weeks=-1', 'weeks'],
    ['/ai-referrals?limit=0', 'limit'],
  ])('%s is 400, before the link is looked for', async (path, field) => {
    const { status, body } = await rest(path, bare)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'invalid_argument',
      details: { fieldErrors: { [field]: [expect.any(String)] } },
    })
  })

  test.each([
    ['/top-pages', 'topPages { pages: nodes { path } }'],
    ['/overview', 'webAnalytics { totals { users } }'],
    ['/ai-referrals', 'aiReferrals { rows: nodes { users } }'],
  ])('%s of a project without a property is ga4_not_connected', async (path, field) => {
    const response = await api.get(`/api/mcp/projects/${bare}/ga4${path}`, key)
    expect(response.status).toBe(409)
    expect(assertProblem(await response.json()).code).toBe('ga4_not_connected')
    const asked = await api.graphql(`{ project(id: "${bare}") { ${field} } }`, key)
    expect(await asked.json()).toMatchObject({
      errors: [{ extensions: { code: 'ga4_not_connected' } }],
    })
  })
})

test('the reports of many projects cost one statement each', async () => {
  const workspace = await api.workspace()
  const { key: reader } = await workspace.key()
  for (let i = 0; i < 3; i++) {
    const id = await workspace.project({ name: `P${i}` })
    if (i < 2)
      await importReport(
        api,
        id,
        JSON.stringify(reportOf([reportRow({ date: daysAgo(1), sessions: i + 1 })])),
      )
  }
  statements.taken()
  const response = await api.graphql(
    '{ projects { nodes { name webAnalytics { totals { sessions } } } } }',
    reader,
  )
  const { data } = (await response.json()) as {
    data: { projects: { nodes: { name: string; webAnalytics: unknown }[] } }
  }
  expect(data.projects.nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'P0', webAnalytics: { totals: { sessions: 1 } } },
    { name: 'P1', webAnalytics: { totals: { sessions: 2 } } },
    { name: 'P2', webAnalytics: null },
  ])
  expect(statements.taken()).toEqual(['web-analytics.days'])
})

test('sessions of AI platforms are counted by day and by week, days without them left out', async () => {
  await connectSource(api.db, project)
  const seriesOf = (args: string) => `series${args} { date sessions platform { slug } }`
  const answer = await api.graphql(
    `query($id: ID!) { project(id: $id) { trafficOverview(window: { days: 90 }) {
      referrals { total days: ${seriesOf('')} months: ${seriesOf('(interval: month)')} } } } }`,
    key,
    { id: project },
  )
  const { data } = (await answer.json()) as {
    data: { project: { trafficOverview: { referrals: Record<string, Body[]> } } }
  }
  const { total, days, months = [] } = data.project.trafficOverview.referrals
  const point = (date: string, slug: string, count: number) => ({
    date,
    platform: { slug },
    sessions: count,
  })
  expect([total, days]).toEqual([
    8,
    [
      point(daysAgo(2), 'chatgpt', 1),
      point(daysAgo(2), 'perplexity', 3),
      point(daysAgo(1), 'chatgpt', 4),
    ],
  ])
  // The two days may be of two months.
  expect(months.reduce((sum, { sessions: count }) => sum + Number(count), 0)).toBe(8)
})
