import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { exportTables, recordTables } from '../../cli/commands/export/tables.sql.ts'
import { openStorage } from '../../cli/storage/open.ts'
import { readSettings } from '../../core/settings.ts'
import { pullBing } from '../../imports/analytics/bing-rows.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { newQueryId } from '../../warehouse/http.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { bingDay, bingWeek } from '../kit/bing.ts'
import { importSearch, searchAnswer } from '../kit/imports/search-console.ts'
import { importReport, reportOf, reportRow } from '../kit/imports/web-analytics.ts'
import { root } from '../kit/repository.ts'
import { startBucket } from '../kit/s3.ts'
import { runCli, runJson } from '../kit/service.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

const api = useApi()
const { bucket, env: s3 } = await startBucket()
const folder = await mkdtemp(join(tmpdir(), 'sightline-export-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const duckdb = await (await DuckDBInstance.create(':memory:')).connect()
afterAll(() => duckdb.closeSync())

let workspace: TestWorkspace
let project = ''
let key = ''
let env: Record<string, string> = {}

interface Report {
  readonly tables: readonly { table: string; rows: number; written: number; removed: number }[]
}

const at = (name: string) => join(folder, name)
const run = (place: string, ...more: string[]) =>
  runJson<Report>(['export', place, '--project', project, ...more], { env })
const changed = ({ tables }: Report) =>
  tables.filter(({ written, removed }) => written + removed > 0).map(({ table }) => table)

async function ask(sql: string) {
  const reader = await duckdb.runAndReadAll(sql)
  return reader.getRowObjectsJson()
}

const first = {
  prompt: 'Which headphones?',
  text: 'Acme and Rival.',
  citations: [{ url: 'https://acme.com/a' }, { url: 'https://news.example/b' }],
}
const second = {
  prompt: 'Which "speakers"?',
  collectedAt: '2025-05-11T12:00:00Z',
  text: 'Rival, says\nsomebody, "Acme" too.',
  citations: [{ url: 'https://news.example/b' }],
}

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.example' }] })
  key = (await workspace.key()).key
  env = {
    DATABASE_URL: api.databaseUrl,
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    DATA_DIR: `${inject('runFolder')}/export-cli`,
    ...s3,
  }
  await workspace.load(project, [first, second])
  await connectSource(api.db, project)
  await putHits(api.warehouse, project, [
    { bot: 'GPTBot', at: '2025-05-10T10:00:00Z' },
    { bot: 'GPTBot', at: '2025-05-11T10:00:00Z', path: '/b' },
  ])
  await importSearch(api, project, JSON.stringify(searchAnswer([{ clicks: 3, impressions: 30 }])))
  await importReport(api, project, JSON.stringify(reportOf([reportRow({ sessions: 7 })])))
  const bing: Record<string, object[]> = {
    GetRankAndTrafficStats: [bingDay('2025-05-23', 5, 50)],
    GetQueryStats: [bingWeek('2025-05-23', 'anvil', [4, 40, 2.5])],
  }
  await pullBing(api, commandLine, {
    projectId: project,
    site: 'https://acme.com/',
    window: { from: '2025-05-01', to: '2025-05-31' },
    ask: async (method) => bing[method] ?? [],
    signal: AbortSignal.timeout(60_000),
  })
})

test('DuckDB reads the numbers of the reports from the files', async () => {
  const report = await run(at('parquet'))
  expect(changed(report)).toEqual([
    'answers',
    'mentions',
    'citations',
    'crawlerHits',
    'searchPerformance',
    'bingPerformance',
    'webAnalytics',
    'prompts',
    'brands',
  ])
  const window = '(window: { from: "2025-05-01", to: "2025-05-31" })'
  const answer = await api.graphql(
    `{ project(id: "${project}") {
      answers${window} { totalCount }
      brands${window} { nodes { brand { name } visibility { mentionCount mentionedIn } } }
      sourceDomains${window} { nodes { domain citationCount citedIn } }
      trafficOverview${window} { crawlers { total } }
      searchPerformance${window} { totals { clicks impressions } }
      webAnalytics${window} { totals { sessions } } } }`,
    key,
  )
  const { data, errors } = (await answer.json()) as {
    data: { project: Record<string, { nodes: object[]; totalCount: number; totals: object }> }
    errors?: unknown
  }
  expect(errors).toBeUndefined()
  const ours = data.project
  const of = (table: string) => `'${at('parquet')}/${table}/*.parquet'`
  expect(await ask(`SELECT count(*)::INT AS "totalCount" FROM ${of('answers')}`)).toEqual([
    ours.answers,
  ])
  const brands =
    await ask(`SELECT b.name, sum(occurrences)::INT AS mentions, count(*)::INT AS answers
    FROM ${of('mentions')} m JOIN ${of('brands')} b USING ("brandId") GROUP BY b.name ORDER BY b.name`)
  expect(brands).toEqual([
    { name: 'Acme', mentions: 2, answers: 2 },
    { name: 'Rival', mentions: 2, answers: 2 },
  ])
  expect(ours.brands?.nodes).toHaveLength(brands.length)
  expect(ours.brands?.nodes).toEqual(
    expect.arrayContaining(
      brands.map(({ name, mentions, answers }) => ({
        brand: { name },
        visibility: { mentionCount: mentions, mentionedIn: answers },
      })),
    ),
  )
  expect(
    await ask(`SELECT domain, count(*)::INT AS "citationCount", count(DISTINCT "answerId")::INT AS "citedIn"
      FROM ${of('citations')} GROUP BY domain ORDER BY 2 DESC`),
  ).toEqual(ours.sourceDomains?.nodes)
  expect(await ask(`SELECT count(*)::INT AS total FROM ${of('crawlerHits')}`)).toEqual([
    (ours.trafficOverview as unknown as { crawlers: object }).crawlers,
  ])
  expect(
    await ask(`SELECT sum(clicks)::INT AS clicks, sum(impressions)::INT AS impressions
      FROM ${of('searchPerformance')}`),
  ).toEqual([ours.searchPerformance?.totals])
  expect(
    await ask(`SELECT days, query, clicks::INT AS clicks, position
      FROM ${of('bingPerformance')} ORDER BY days`),
  ).toEqual([
    { days: 1, query: null, clicks: 5, position: null },
    { days: 7, query: 'anvil', clicks: 4, position: 2.5 },
  ])
  expect(await ask(`SELECT sum(sessions)::INT AS sessions FROM ${of('webAnalytics')}`)).toEqual([
    ours.webAnalytics?.totals,
  ])
})

test("Grafana's panels show the numbers of the reports over the exported tables", async () => {
  const text = await readFile(join(root, 'examples/grafana/dashboard.json'), 'utf8')
  const { panels } = JSON.parse(text) as {
    panels: { title: string; targets: { rawSql: string }[] }[]
  }
  const shown = new Map<string, unknown[][]>()
  for (const { title, targets } of panels) {
    // What the data source makes of its macro, and the views of docs/exporting.md over our folder.
    const sql = (targets[0]?.rawSql ?? '')
      .replaceAll(/\$__dateFilter\(([\w.]+)\)/g, "$1 >= '2025-05-01' AND $1 <= '2025-05-31'")
      .replaceAll(/sightline\.(\w+)/g, `file('${at('parquet')}/$1/*.parquet')`)
    const { text: rows } = await api.warehouse.send({
      queryId: newQueryId('test.grafana'),
      sql: `${sql} FORMAT JSONCompact`,
      timeoutMs: 60_000,
    })
    shown.set(title, JSON.parse(rows).data)
  }
  const query = `{ project(id: "${project}") {
    visibility(window: { from: "2025-05-01", to: "2025-05-31" }) { summary { visibilityScore } } } }`
  const { data } = (await (await api.graphql(query, key)).json()) as {
    data: { project: { visibility: { summary: { visibilityScore: number } } } }
  }
  const days = ['2025-05-10 00:00:00', '2025-05-11 00:00:00']
  expect(Object.fromEntries(shown)).toEqual({
    Answers: [[2]],
    Visibility: [[data.project.visibility.summary.visibilityScore]],
    'Cited domains': [
      ['news.example', 2, 2],
      ['acme.com', 1, 1],
    ],
    'Visibility by AI platform': days.map((day) => [day, 'chatgpt', 100]),
    'Share of voice': days.flatMap((day) => [
      [day, 'Acme', 50],
      [day, 'Rival', 50],
    ]),
    'Visits of AI crawlers': days.map((day) => [day, 'GPTBot', 1]),
  })
})

test('the columns have the types of a warehouse', async () => {
  const columns = await ask(`DESCRIBE SELECT * FROM '${at('parquet')}/answers/*.parquet'`)
  const types = columns.map((it) => [it.column_name, it.column_type])
  expect(Object.fromEntries(types)).toEqual({
    answerId: 'VARCHAR',
    day: 'DATE',
    promptId: 'VARCHAR',
    platform: 'VARCHAR',
    model: 'VARCHAR',
    locationId: 'VARCHAR',
    country: 'VARCHAR',
    repetition: 'INTEGER',
    collectedAt: 'TIMESTAMP WITH TIME ZONE',
    text: 'VARCHAR',
  })
})

test('CSV and JSON lines say the same as Parquet', async () => {
  await run(at('csv'), '--format', 'csv')
  await run(at('jsonl'), '--format', 'jsonl')
  const rows = (from: string) =>
    ask(`SELECT CAST(day AS VARCHAR) AS day, "answerId"::VARCHAR AS id, text, repetition::INT AS n,
      "collectedAt"::TIMESTAMPTZ AS at, model FROM ${from} ORDER BY day`)
  const parquet = await rows(`'${at('parquet')}/answers/*.parquet'`)
  expect(parquet.map(({ text }) => text)).toEqual([first.text, second.text])
  expect(await rows(`read_csv('${at('csv')}/answers/*.csv', nullstr = '\\N')`)).toEqual(parquet)
  expect(await rows(`'${at('jsonl')}/answers/*.jsonl'`)).toEqual(parquet)
})

test('a second export writes nothing, and an import changes the files of its day', async () => {
  expect(changed(await run(at('parquet')))).toEqual([])
  const file = at('parquet/answers/2025-05-10.parquet')
  const before = await stat(file)
  await workspace.load(project, [{ collectedAt: '2025-05-11T13:00:00Z', text: 'Nobody.' }])
  expect(changed(await run(at('parquet')))).toEqual(['answers', 'prompts'])
  expect((await stat(file)).ino).toBe(before.ino)
  expect(await ask(`SELECT count(*)::INT AS n FROM '${at('parquet')}/answers/*.parquet'`)).toEqual([
    { n: 3 },
  ])
  await api.warehouse.send({
    queryId: 'exports.test',
    sql: `DELETE FROM crawler_hits WHERE project_id = '${project}' AND day = '2025-05-11'`,
    timeoutMs: 60_000,
  })
  const { tables } = await run(at('parquet'))
  expect(tables).toContainEqual(
    expect.objectContaining({ table: 'crawlerHits', rows: 1, written: 0, removed: 1 }),
  )
  expect(await readdir(at('parquet/crawlerHits'))).toEqual(['2025-05-10.parquet'])
})

test('a bucket gets the files that a folder gets', async () => {
  const place = `s3://${bucket}/tables`
  await run(place, '--tables', 'answers,citations')
  const storage = await openStorage(readSettings(s3), place)
  for (const name of ['answers/2025-05-10.parquet', 'citations/2025-05-11.parquet']) {
    expect(await storage.read(name), name).toEqual(await readFile(at(`parquet/${name}`)))
  }
  expect(await storage.read('answers/2025-05-12.parquet')).toBeNull()
  expect(changed(await run(place, '--tables', 'answers,citations'))).toEqual([])
  const wrong = { env: { ...env, S3_ACCESS_KEY_ID: 'unknown' } }
  const refused = await runCli(['export', place, '--project', project], wrong)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('S3_ENDPOINT')])
})

test('wrong uses name the option and change nothing', async () => {
  const stderrOf = async (...args: string[]) =>
    (await runCli(['export', at('parquet'), '--project', project, ...args], { env })).stderr
  expect(await stderrOf('--format', 'csv')).toContain('has an export as parquet')
  expect(await stderrOf('--tables', 'answer')).toContain('`--tables`')
  expect(await stderrOf('--from', '2025-13-01')).toContain('`--from`')
  const other = await workspace.project({ name: 'Other' })
  const { stderr } = await runCli(['export', at('parquet'), '--project', other], { env })
  expect(stderr).toContain('has an export of the project Acme')
})

test('docs/exporting.md lists every column', async () => {
  const page = await readFile(new URL('../../docs/exporting.md', import.meta.url), 'utf8')
  for (const { name, description, columns } of [...exportTables, ...recordTables]) {
    const lines = columns.map((it) => `| \`${it.name}\` | ${it.description} |`)
    const section = [
      `### ${name}`,
      '',
      description,
      '',
      '| column | meaning |',
      '|---|---|',
      ...lines,
    ]
    expect(page).toContain(section.join('\n'))
  }
})
