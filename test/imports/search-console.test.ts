import { describe, expect, test } from 'vitest'
import { importSearchConsole } from '../../imports/analytics/search-console.ts'
import { removeLinked } from '../../imports/loads/removal.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { importSearch, searchAnswer } from '../kit/imports/search-console.ts'
import { sized } from '../kit/soak.ts'

const stores = useStores()

function rowsOf(projectId: string) {
  return run(stores.warehouse, {
    id: 'test.rows',
    sql: `SELECT toString(day) AS day, query, page, country, device, part, clicks, impressions, position
            FROM search_console FINAL WHERE project_id = {projectId:UUID} ORDER BY ALL`,
    params: { projectId },
    row: (raw) => raw,
  })
}

async function siteOf(projectId: string) {
  const links = await stores.db.connection.findMany({ where: { projectId, kind: 'searchConsole' } })
  return links.map(({ host }) => host)
}

const line = (fields: object) =>
  JSON.stringify({
    data_date: '2025-05-10',
    site_url: 'https://www.acme.com/',
    url: 'https://www.acme.com/a',
    query: 'anvil',
    is_anonymized_query: false,
    country: 'usa',
    search_type: 'WEB',
    device: 'DESKTOP',
    is_amp_top_stories: false,
    impressions: '10',
    clicks: 2,
    sum_position: '25',
    ...fields,
  })

describe('a bulk export', () => {
  const lines = [
    line({}),
    line({ query: null, is_anonymized_query: true, device: 'MOBILE' }),
    line({ is_video: true, impressions: 4, clicks: 0, sum_position: 0 }),
    line({ search_type: 'IMAGE' }),
    line({ site_url: 'sc-domain:acme.com' }),
    line({ data_date: '2025-13-01' }),
    line({ impressions: 'many' }),
    line({ country: 'Germany' }),
    line({ device: 'WATCH' }),
    '["no object"]',
    '',
    line({ query: 'cut' }).slice(0, 80),
  ]
  const loaded = [
    {
      query: '',
      device: 'mobile',
      part: 'is_anonymized_query',
      clicks: 2,
      impressions: 10,
      position: 3.5,
    },
    { query: 'anvil', device: 'desktop', part: '', clicks: 2, impressions: 10, position: 3.5 },
    { query: 'anvil', device: 'desktop', part: 'is_video', clicks: 0, impressions: 4, position: 1 },
  ].map((row) => ({ day: '2025-05-10', page: 'https://www.acme.com/a', country: 'usa', ...row }))

  test.each([
    ['plain', `${lines.join('\n')}`],
    ['with a byte order mark and the ends of Windows', `\ufeff${lines.join('\r\n')}`],
  ])(
    '%s loads what is right, tells each wrong line, and is there once when it comes twice',
    async (_name, text) => {
      const project = await makeProject(stores)
      const result = {
        read: 11,
        loaded: 3,
        rejected: [
          { line: 4, reason: '`search_type` must be web; got `image`.' },
          {
            line: 5,
            reason: '`site_url` must be https://www.acme.com/; got `sc-domain:acme.com`.',
          },
          { line: 6, reason: expect.stringMatching(/^`data_date` must be a day/) },
          { line: 7, reason: expect.stringMatching(/^`impressions` must be a number/) },
          { line: 8, reason: expect.stringMatching(/^`country` /) },
          { line: 9, reason: expect.stringMatching(/^`device` /) },
          { line: 10, reason: 'The line is not a JSON object.' },
          { line: 12, reason: expect.stringMatching(/^The line is not valid JSON/) },
        ],
      }
      expect(await importSearch(stores, project, text)).toEqual(result)
      expect(await importSearch(stores, project, text)).toEqual(result)
      expect(await rowsOf(project)).toEqual(loaded)
      expect(await siteOf(project)).toEqual(['https://www.acme.com/'])
    },
  )

  test('of another site than the one that is linked changes nothing, until that is unlinked with its rows', async () => {
    const project = await makeProject(stores)
    await importSearch(stores, project, line({}))
    const other = line({ site_url: 'sc-domain:acme.com', query: 'other' })
    await expect(importSearch(stores, project, other)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/^`site` differs from https:\/\/www\.acme\.com\/, which/),
    })
    expect(await rowsOf(project)).toMatchObject([{ query: 'anvil' }])
    const unlink = () => removeLinked(stores, commandLine, project, 'searchConsole')
    expect(await unlink()).toMatchObject({
      changed: true,
    })
    expect(await unlink()).toMatchObject({
      changed: false,
    })
    await importSearch(stores, project, other)
    expect(await rowsOf(project)).toMatchObject([{ query: 'other' }])
    expect(await siteOf(project)).toEqual(['sc-domain:acme.com'])
  })
})

test('an international site is the same one in its own letters and in punycode', async () => {
  const project = await makeProject(stores)
  for (const site_url of ['sc-domain:München.example', 'sc-domain:xn--mnchen-3ya.example']) {
    expect(await importSearch(stores, project, line({ site_url }))).toMatchObject({ loaded: 1 })
  }
  expect(await siteOf(project)).toEqual(['sc-domain:xn--mnchen-3ya.example'])
})

describe('an answer of the API', () => {
  const answer = searchAnswer([{ device: 'DESKTOP', clicks: 2, impressions: 10, position: 3.25 }])

  test('in the dimensions that it was asked by', async () => {
    const project = await makeProject(stores)
    const [row] = answer.rows
    const short = { rows: [{ ...row, keys: ['anvil', '2025-05-10'] }, row] }
    const dimensions = ['query', 'date']
    expect(await importSearch(stores, project, JSON.stringify(short), { dimensions })).toEqual({
      read: 2,
      loaded: 1,
      rejected: [
        {
          line: 2,
          reason: expect.stringMatching(
            /^`keys` must have one entry for each of query, date; got /,
          ),
        },
      ],
    })
    expect(await rowsOf(project)).toMatchObject([
      { query: 'anvil', page: '', device: '', position: 3.25 },
    ])
    expect(await siteOf(project)).toEqual(['sc-domain:acme.com'])
    // All five report the same impressions, so they replace the earlier rows.
    await importSearch(stores, project, JSON.stringify(answer))
    expect(await rowsOf(project)).toMatchObject([{ query: 'anvil', device: 'desktop' }])
  })

  test('without rows links the site and loads nothing', async () => {
    const project = await makeProject(stores)
    const text = '{"responseAggregationType":"byPage"}'
    expect(await importSearch(stores, project, text)).toEqual({ read: 0, loaded: 0, rejected: [] })
    expect(await siteOf(project)).toHaveLength(1)
  })

  test.each([
    [['query', 'page'], /`dimensions` must include date; got `query,page`/],
    [['date', 'hour'], /`dimensions` must be of date/],
    [['date', 'date'], /`dimensions` must be of date/],
  ])('by %j is refused', async (dimensions, reason) => {
    const project = await makeProject(stores)
    await expect(
      importSearch(stores, project, JSON.stringify(answer), { dimensions }),
    ).rejects.toThrow(reason)
    expect(await siteOf(project)).toEqual([])
  })

  test.each([
    [
      'Top queries,Clicks,Impressions,CTR,Position\nanvil,2,10,20%,3.5\n',
      /a table with the columns .* takes rows by day/,
    ],
    ['', /neither an answer/],
    ['PK\u0003\u0004', /a ZIP archive/],
  ])('is asked for instead of %j', async (text, reason) => {
    const project = await makeProject(stores)
    await expect(importSearch(stores, project, text)).rejects.toThrow(reason)
    expect(await siteOf(project)).toEqual([])
  })

  test('a site that is none is refused before anything is written', async () => {
    const project = await makeProject(stores)
    const text = JSON.stringify(answer)
    await expect(importSearch(stores, project, text, { site: 'acme' })).rejects.toThrow(
      /^`site` must be/,
    )
    expect(await rowsOf(project)).toEqual([])
  })
})

const many = sized({ normal: 3_000, soak: 100_000 })

test(`${many} lines are loaded in constant memory, and their sums are those of the file`, async () => {
  const project = await makeProject(stores)
  let impressions = 0
  let most = 0
  async function* bytes() {
    for (let i = 0; i < many; i++) {
      const data_date = `2025-${String(1 + (i % 12)).padStart(2, '0')}-10`
      impressions += i % 9
      yield Buffer.from(`${line({ data_date, query: `query ${i}`, impressions: i % 9 })}\n`)
      if (i % 5000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
  }
  const began = process.memoryUsage().arrayBuffers
  const result = await importSearchConsole(stores, commandLine, {
    projectId: project,
    bytes: bytes(),
  })
  expect(result).toEqual({ read: many, loaded: many, rejected: [] })
  expect(most - began).toBeLessThan(64 * 1024 * 1024)
  const [total] = await run(stores.warehouse, {
    id: 'test.sum',
    sql: 'SELECT sum(impressions) AS impressions, count() AS rows FROM search_console FINAL WHERE project_id = {project:UUID}',
    params: { project },
    row: (raw) => raw,
  })
  expect(total).toEqual({ impressions, rows: many })
})
