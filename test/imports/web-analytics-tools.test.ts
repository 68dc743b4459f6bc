import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../../warehouse/run.ts'
import { makeProject, useStores } from '../kit/imports/imports.ts'
import { importReport } from '../kit/imports/web-analytics.ts'
import { zipOf } from './zip.ts'

const stores = useStores()

const fixture = (path: string) => readFile(join(import.meta.dirname, '../fixtures', path))

/** Day, host, page, source, medium, platform, sessions, users, bounced sessions and seconds of each row. */
function rowsOf(projectId: string) {
  return run(stores.warehouse, {
    id: 'test.rows',
    sql: `SELECT toString(day) AS day, host, page, source, medium, platform, sessions, users,
                 bounced_sessions AS bounced, duration_seconds AS seconds
            FROM web_analytics FINAL WHERE project_id = {projectId:UUID} ORDER BY day, page, source, seconds`,
    params: { projectId },
    row: (raw) => Object.values(raw),
  })
}

async function load(bytes: string | Buffer) {
  const project = await makeProject(stores)
  const result = await importReport(stores, project, bytes)
  return { project, result, rows: await rowsOf(project) }
}

async function refusal(bytes: string | Buffer) {
  const project = await makeProject(stores)
  const error = await importReport(stores, project, bytes).catch((reason: Error) => reason)
  expect(await stores.db.connection.count({ where: { projectId: project } })).toBe(0)
  return error instanceof Error ? error.message : 'loaded'
}

const plausible = [
  ['2025-11-01', '', '', '(direct)', '(none)', '', 3, 3, 3, 0],
  ['2025-11-01', '', '', 'chatgpt.com', 'referral', 'chatgpt', 4, 3, 1, 250],
  ['2025-11-01', '', '', 'google.com', 'referral', '', 2, 2, 1, 20],
  ['2025-11-02', '', '', 'gemini.google.com', 'referral', 'gemini', 1, 1, 1, 0],
  ['2025-11-02', '', '', 'newsletter', 'email', '', 1, 1, 0, 10],
  ['2025-11-02', '', '', 'newsletter', 'email', '', 1, 1, 0, 30],
]

describe("Plausible's export", () => {
  test('is read from its ZIP and from its table of sources, and counts once', async () => {
    const table = 'plausible/imported_sources_20251101_20251102.csv'
    const visitors = 'plausible/imported_visitors_20251101_20251102.csv'
    const sources = await fixture(table)
    const archive = zipOf({
      'imported_visitors_20251101_20251102.csv': await fixture(visitors),
      'imported_sources_20251101_20251102.csv': sources,
    })
    const { project, result, rows } = await load(archive)
    expect(rows).toEqual(plausible)
    expect(result).toEqual({
      read: 7,
      loaded: 6,
      rejected: [{ line: 8, reason: expect.stringMatching(/^`visits` must be a number/) }],
    })
    expect(await importReport(stores, project, sources)).toEqual(result)
    expect(await rowsOf(project)).toEqual(plausible)
  })

  test('is refused without days or sources, with the file to take', async () => {
    const advice = 'take the ZIP of "Settings", "Imports & exports" of Plausible'
    expect(await refusal(await fixture('plausible/sources.csv'))).toContain(advice)
    const visitors = await fixture('plausible/imported_visitors_20251101_20251102.csv')
    expect(await refusal(visitors)).toContain(advice)
    expect(await refusal(zipOf({ 'imported_visitors.csv': visitors }))).toContain(
      'without a table of Plausible or Umami: it has imported_visitors.csv',
    )
  })
})

describe("Umami's export", () => {
  test('becomes one session a visit, at its first page view', async () => {
    const events = await fixture('umami/website_event.csv')
    const { result, rows } = await load(events)
    const www = 'www.acme.com'
    expect(rows).toEqual([
      ['2025-11-01', www, '/a', 'chatgpt.com', 'referral', 'chatgpt', 2, 1, 0, 60],
      ['2025-11-01', www, '/a', 'www.perplexity.ai', 'referral', 'perplexity', 1, 1, 1, 0],
      ['2025-11-02', www, '/', '(direct)', '(none)', '', 1, 1, 1, 0],
    ])
    expect(result).toEqual({
      read: 4,
      loaded: 3,
      rejected: [{ line: 9, reason: '`created_at` must be a time in UTC; got `yesterday`.' }],
    })
    expect((await load(zipOf({ 'export/website_event.csv': events }))).rows).toEqual(rows)
  })

  test('is refused as statistics without days, with the file to take', async () => {
    const advice = 'take the export of data of Umami'
    expect(await refusal(await fixture('umami/metrics.json'))).toContain(advice)
    const pageviews = '{"pageviews":[{"x":"2025-11-01","y":3}],"sessions":[]}'
    expect(await refusal(pageviews)).toContain(advice)
  })
})

describe("Matomo's reports", () => {
  test('of referrers by day are read as JSON', async () => {
    const { result, rows } = await load(await fixture('matomo/referrers-by-day.json'))
    expect(rows).toEqual([
      ['2025-11-01', '', '', '(direct)', '(none)', '', 3, 3, 3, 0],
      ['2025-11-01', '', '', 'chatgpt.com', 'referral', 'chatgpt', 4, 3, 1, 250],
      ['2025-11-02', '', '', 'perplexity', '', 'perplexity', 1, 1, 0, 30],
    ])
    const reason = '`nb_visits` must be a whole number from 0; got `1.5`.'
    expect(result).toEqual({ read: 4, loaded: 3, rejected: [{ line: 4, reason }] })
  })

  test('of referrers by day are read as CSV, in UTF-8, and in UTF-16 with English names', async () => {
    const csv = String(await fixture('matomo/referrers-by-day.csv'))
    const { rows } = await load(csv)
    expect(rows).toEqual([
      ['2025-11-01', '', '', 'chatgpt.com', 'referral', 'chatgpt', 4, 3, 1, 250],
      ['2025-11-02', '', '', '(direct)', '(none)', '', 1, 1, 1, 0],
    ])
    const english = csv
      .replace(
        'label,nb_uniq_visitors,nb_visits,nb_actions,nb_users,max_actions,sum_visit_length,bounce_count',
        'Label,Unique visitors,Visits,Actions,Users,Maximum actions,Total time spent by visitors (in seconds),Bounces',
      )
      .replace('date', 'Date')
    expect((await load(Buffer.from(`\ufeff${english}`, 'utf16le'))).rows).toEqual(rows)
  })

  test('of visits have landing pages', async () => {
    const { result, rows } = await load(await fixture('matomo/visits.json'))
    const www = 'www.acme.com'
    expect(rows).toEqual([
      ['2025-11-01', www, '/a', 'chatgpt.com', 'referral', 'chatgpt', 2, 1, 1, 100],
      ['2025-11-02', '', '', '(direct)', '(none)', '', 1, 1, 1, 0],
      ['2025-11-02', www, '/', 'www.google.com', 'organic', '', 1, 1, 1, 0],
    ])
    expect(result).toEqual({ read: 3, loaded: 3, rejected: [] })
  })

  test('are refused without days, with the report to request', async () => {
    const advice =
      'request `Referrers.getAll` or `Live.getLastVisitsDetails` of Matomo with `period=day`'
    expect(await refusal(await fixture('matomo/referrers-of-a-month.csv'))).toContain(advice)
    expect(await refusal('[{"label":"chatgpt.com","nb_visits":4}]')).toContain(advice)
    const months = '{"2025-11":[{"label":"chatgpt.com","nb_visits":4}]}'
    expect(await refusal(months)).toContain(advice)
  })
})

test('a day counts the rows of one tool', async () => {
  const { project } = await load(await fixture('umami/website_event.csv'))
  await importReport(stores, project, await fixture('matomo/visits.json'))
  expect((await rowsOf(project)).map(([day, , page, source]) => [day, page, source])).toEqual([
    ['2025-11-01', '/a', 'chatgpt.com'],
    ['2025-11-02', '', '(direct)'],
    ['2025-11-02', '/', 'www.google.com'],
  ])
})

test('an archive that is cut is refused', async () => {
  const archive = zipOf({ 'imported_sources.csv': 'date,source\n'.repeat(100) })
  expect(await refusal(archive.subarray(0, -10))).toContain('a ZIP archive that cannot be read')
})
