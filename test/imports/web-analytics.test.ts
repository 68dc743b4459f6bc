import { describe, expect, test } from 'vitest'
import aiHosts from '../../core/data/ai-hosts.json' with { type: 'json' }
import { platforms } from '../../core/platforms.ts'
import { platformOfSource } from '../../core/sites/ai-hosts.ts'
import { importWebAnalytics } from '../../imports/analytics/web-analytics.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { importReport, reportOf, reportRow } from '../kit/imports/web-analytics.ts'
import { sized } from '../kit/soak.ts'

const stores = useStores()

function rowsOf(projectId: string) {
  return run(stores.warehouse, {
    id: 'test.rows',
    sql: `SELECT toString(day) AS day, host, page, source, medium, part, platform, sessions, users,
                 bounced_sessions AS bounced, duration_seconds AS seconds, conversions
            FROM web_analytics FINAL WHERE project_id = {projectId:UUID} ORDER BY ALL`,
    params: { projectId },
    row: (raw) => raw,
  })
}

const isLinked = (projectId: string) =>
  stores.db.connection.count({ where: { projectId, kind: 'webAnalytics' } })

const csv = [
  '# ----------------------------------------',
  '# Landing page',
  '# 20250501-20250531',
  '# ----------------------------------------',
  'Date,Landing page + query string,Session source / medium,Country,Sessions,Active users,Bounce rate,Average session duration,Views',
  ',,,,14,9,0.5,10,99',
  '20250510,/a?x=1,chatgpt.com / referral,Germany,4,3,0.25,12.5,9',
  '20250510,/a?x=1,chatgpt.com / referral,France,2,1,50%,1,9',
  '20250511,"/b,c",google / organic,Germany,3,2,0,7,9',
  '20250230,/a,google / organic,Germany,1,1,0,1,1',
  '20250511,/a,google / organic,Germany,1.5,1,0,1,1',
  '20250511,/a,google / organic,Germany,1,1,7,1,1',
  '20250511,/a,google / organic,Germany,1,1',
  '20250511,a,google / organic,Germany,1,1,0,1,1',
  '20250511,"/open,google / organic,Germany,1,1,0,1,1',
  '',
  '20250512,(not set),(direct) / (none),Germany,1,1,0,1,1',
].join('\r\n')

const loaded = [
  {
    day: '2025-05-10',
    host: '',
    page: '/a',
    source: 'chatgpt.com',
    medium: 'referral',
    part: '["x=1","France"]',
    platform: 'chatgpt',
    sessions: 2,
    users: 1,
    bounced: 1,
    seconds: 2,
    conversions: null,
  },
  {
    day: '2025-05-10',
    host: '',
    page: '/a',
    source: 'chatgpt.com',
    medium: 'referral',
    part: '["x=1","Germany"]',
    platform: 'chatgpt',
    sessions: 4,
    users: 3,
    bounced: 1,
    seconds: 50,
    conversions: null,
  },
  {
    day: '2025-05-11',
    host: '',
    page: '/b,c',
    source: 'google',
    medium: 'organic',
    part: '["Germany"]',
    platform: '',
    sessions: 3,
    users: 2,
    bounced: 0,
    seconds: 21,
    conversions: null,
  },
  {
    day: '2025-05-12',
    host: '',
    page: '',
    source: '(direct)',
    medium: '(none)',
    part: '["Germany"]',
    platform: '',
    sessions: 1,
    users: 1,
    bounced: 0,
    seconds: 1,
    conversions: null,
  },
]

test('a host is stored in the form that filters compare', async () => {
  const project = await makeProject(stores)
  const rows = ['WWW.München.example.', ''].map((host) =>
    reportRow({ host, page: 'https://acme.com./a' }),
  )
  await importReport(stores, project, JSON.stringify(reportOf(rows)))
  expect(await rowsOf(project)).toMatchObject([
    { host: 'acme.com', page: '/a' },
    { host: 'www.xn--mnchen-3ya.example', page: '/a' },
  ])
})

describe('a CSV export', () => {
  test.each([
    ['plain', Buffer.from(csv)],
    ['with a byte order mark', Buffer.from(`\ufeff${csv}`)],
  ])(
    '%s loads what is right and tells each wrong line, and is there once when it comes twice',
    async (_name, bytes) => {
      const project = await makeProject(stores)
      const result = {
        read: 10,
        loaded: 4,
        rejected: [
          { line: 10, reason: expect.stringMatching(/^`date` must be a day/) },
          {
            line: 11,
            reason: expect.stringMatching(/^`sessions` must be a whole number from 0; got /),
          },
          {
            line: 12,
            reason: expect.stringMatching(/^`bounceRate` must be from 0 to 1, or end with %; got /),
          },
          { line: 13, reason: 'The row lacks 3 of 9 cells.' },
          { line: 14, reason: expect.stringMatching(/^`landingPage` must be a path/) },
          { line: 15, reason: expect.stringMatching(/^The line is not valid CSV/) },
        ],
      }
      expect(await importReport(stores, project, bytes)).toEqual(result)
      expect(await rowsOf(project)).toEqual(loaded)
      expect(await importReport(stores, project, bytes)).toEqual(result)
      expect(await rowsOf(project)).toEqual(loaded)
      expect(await isLinked(project)).toBe(1)
    },
  )

  test('in Latin-1 loses the lines that are no UTF-8, and says so', async () => {
    const project = await makeProject(stores)
    const [head = '', , ...rows] = csv.split('\r\n').slice(4)
    const text = [head, rows[0], '20250511,/é,google / organic,Germany,1,1,0,1,1'].join('\n')
    expect(await importReport(stores, project, Buffer.from(text, 'latin1'))).toEqual({
      read: 2,
      loaded: 1,
      rejected: [{ line: 3, reason: 'The line is not valid UTF-8.' }],
    })
  })

  test.each([
    ['', /no line with the names/],
    ['Landing page,Sessions\n/a,1', /`date` is not a column of the report/],
    ['Date,Landing page,Sessions,Active users\n', /`sessionSource` is not a column of the report/],
  ])('%j is refused as a whole, and nothing is linked', async (text, reason) => {
    const project = await makeProject(stores)
    await expect(importReport(stores, project, text)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(reason),
    })
    expect(await isLinked(project)).toBe(0)
  })

  test('with a header that is no CSV is refused', async () => {
    const bytes = Buffer.from('Date,"Sess"ions\n20251118,1\n')
    await expect(importReport(stores, await makeProject(stores), bytes)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('wrong header: The line is not valid CSV'),
    })
  })

  test('in UTF-16 is refused as a whole', async () => {
    const project = await makeProject(stores)
    const bytes = Buffer.from(`\ufeff${csv}`, 'utf16le')
    await expect(importReport(stores, project, bytes)).rejects.toThrow(/neither JSON nor CSV/)
  })
})

describe('an answer of the API', () => {
  const good = reportRow({ page: '/a', source: 'chatgpt.com', sessions: 4, conversions: 1.5 })
  const [date, ...rest] = good.dimensionValues
  const wrong = [
    { dimensionValues: [date], metricValues: good.metricValues },
    { ...good, metricValues: 'many' },
    { ...good, dimensionValues: [{ value: '2199-01-01' }, ...rest] },
    reportRow({ sessions: -1 }),
  ]
  const told = [
    { line: 2, reason: 'The row lacks 4 of 10 cells.' },
    { line: 3, reason: 'The row must have `dimensionValues` and `metricValues`.' },
    { line: 4, reason: '`date` must not be in the future; got `2199-01-01`.' },
    { line: 5, reason: expect.stringMatching(/^`sessions` must be a number from 0/) },
  ]

  test.each([undefined, 2])(
    'loads what is right of one or several that follow each other, indented by %s',
    async (indent) => {
      const project = await makeProject(stores)
      const first = JSON.stringify(reportOf([good, ...wrong]), null, indent)
      const second = JSON.stringify(reportOf([reportRow({ page: '/b' })]), null, indent)
      const result = { read: 6, loaded: 2, rejected: told }
      expect(await importReport(stores, project, `${first}\n${second}`)).toEqual(result)
      const rows = await rowsOf(project)
      expect(rows).toMatchObject([
        { page: '/a', host: 'acme.com', platform: 'chatgpt', sessions: 4, conversions: 1.5 },
        { page: '/b', platform: '', sessions: 1, conversions: 0 },
      ])
    },
  )

  test('that is cut off loads the rows before the cut, and says so', async () => {
    const project = await makeProject(stores)
    const text = JSON.stringify(reportOf([good, reportRow({ page: '/b' })]))
    const cut = text.slice(0, text.indexOf('"/b"') + 2)
    expect(await importReport(stores, project, cut)).toEqual({
      read: 2,
      loaded: 1,
      rejected: [{ line: 2, reason: 'The file ends within a row: its end is missing.' }],
    })
  })

  test('without the day is refused', async () => {
    const project = await makeProject(stores)
    const report = { ...reportOf([good]), dimensionHeaders: [{ name: 'landingPage' }] }
    await expect(importReport(stores, project, JSON.stringify(report))).rejects.toThrow(
      /`content` has a wrong header: `date`/,
    )
  })
})

test('rows of other dimensions take the place of those of the same days, and of no others', async () => {
  const project = await makeProject(stores)
  const rows = [
    reportRow({ date: '20250510', sessions: 3 }),
    reportRow({ date: '20250511', sessions: 5 }),
  ]
  await importReport(stores, project, JSON.stringify(reportOf(rows)))
  const head =
    'date,landingPage,sessionSource,sessions,totalUsers,bounceRate,averageSessionDuration'
  await importReport(stores, project, `${head}\n20250510,/a,google,3,3,0,1\n`)
  expect(
    (await rowsOf(project)).map(({ day, medium, sessions }) => [day, medium, sessions]),
  ).toEqual([
    ['2025-05-10', '', 3],
    ['2025-05-11', 'organic', 5],
  ])
})

const many = sized({ normal: 3_000, soak: 100_000 })

test(`${many} rows are loaded in constant memory, and their sums are those of the file`, async () => {
  const project = await makeProject(stores)
  let sum = 0
  let most = 0
  async function* bytes() {
    const [head = '', tail = ''] = JSON.stringify(reportOf(['cut'])).split('"cut"')
    yield Buffer.from(head)
    for (let i = 0; i < many; i++) {
      const date = `2025${String(1 + (i % 12)).padStart(2, '0')}10`
      const row = reportRow({ date, page: `/page-${i}`, sessions: i % 7, users: 1 })
      sum += i % 7
      yield Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(row)}`)
      if (i % 5000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    yield Buffer.from(tail)
  }
  const began = process.memoryUsage().arrayBuffers
  const result = await importWebAnalytics(stores, commandLine, {
    projectId: project,
    bytes: bytes(),
  })
  expect(result).toEqual({ read: many, loaded: many, rejected: [] })
  expect(most - began).toBeLessThan(64 * 1024 * 1024)
  const [total] = await run(stores.warehouse, {
    id: 'test.sum',
    sql: 'SELECT sum(sessions) AS total, count() AS rows FROM web_analytics FINAL WHERE project_id = {project:UUID}',
    params: { project },
    row: (raw) => raw,
  })
  expect(total).toEqual({ total: sum, rows: many })
})

describe('hosts of AI assistants', () => {
  test('are of known platforms, each of one', () => {
    const known = new Set(platforms.map(({ id }) => id))
    expect(Object.keys(aiHosts).filter((id) => !known.has(id))).toEqual([])
    const hosts = Object.values(aiHosts).flat()
    expect(new Set(hosts).size).toBe(hosts.length)
  })

  test.each([
    ['chatgpt.com', 'chatgpt'],
    ['chat.openai.com', 'chatgpt'],
    ['WWW.Perplexity.AI', 'perplexity'],
    ['bard.google.com', 'gemini'],
    ['copilot.microsoft.com', 'copilot'],
    ['claude.ai', 'claude'],
    ['claude.com', 'claude'],
    ['m365.cloud.microsoft', 'copilot'],
    ['notebooklm.google.com', 'notebooklm'],
    ['www.phind.com', 'phind'],
    ['poe.com', 'poe'],
    ['chat.z.ai', 'zai'],
    ['yuanbao.tencent.com', 'yuanbao'],
    ['Perplexity', 'perplexity'],
    ['openai', 'chatgpt'],
    ['chatgpt', 'chatgpt'],
    ['tencent.com', null],
    ['copilot.cloud.microsoft', 'copilot'],
    ['gemini', 'gemini'],
    ['google', null],
    ['bing.com', null],
    ['notchatgpt.com', null],
    ['chatgpt.com.evil.example', null],
    ['', null],
  ])('%j sends for %j', (source, platform) => {
    expect(platformOfSource(source)).toBe(platform)
  })
})

test("sessions that Google's channel or medium calls an assistant's are of its source, known or new", async () => {
  const project = await makeProject(stores)
  const head =
    'Date,Landing page,Session source / medium,Session default channel group,Sessions,Total users,Bounce rate,Average session duration'
  const rows = [
    ['nova.ai / referral', 'AI Assistant'],
    ['orbit / ai-assistant', 'Unassigned'],
    ['chatgpt.com / referral', 'Referral'],
    ['acme.com / referral', 'Referral'],
    ['(not set) / ai-assistant', 'AI Assistant'],
  ].map(([source, channel]) => `20250510,/a,${source},${channel},1,1,0,1`)
  await importReport(stores, project, [head, ...rows].join('\n'))
  const found = await rowsOf(project)
  expect(Object.fromEntries(found.map(({ source, platform }) => [source, platform]))).toEqual({
    'nova.ai': 'nova_ai',
    orbit: 'orbit',
    'chatgpt.com': 'chatgpt',
    'acme.com': '',
    '(not set)': '',
  })
})
