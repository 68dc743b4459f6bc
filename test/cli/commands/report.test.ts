import { parse } from 'csv-parse/sync'
import type { GraphQLObjectType } from 'graphql'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { readReports } from '../../../cli/commands/report/definitions.ts'
import { graphReports } from '../../../cli/commands/report/graph.ts'
import { readable } from '../../../cli/commands/report/readable.ts'
import { publicSchema } from '../../../schema/index.ts'
import { useApi } from '../../kit/api.ts'
import { answers, brand } from '../../kit/reports.ts'
import { contractOperations } from '../../kit/rest/contract.ts'
import { runCli } from '../../kit/service.ts'

const api = useApi()
let [project, key] = ['', '']
let env: Record<string, string> = {}
/** `alarm list`, `monitor list`, `report traffic-bots`, `report traffic-logs`, `alias list`, `import list`, `collect list` and `provider-key list` show them. */
const elsewhere = [
  'answerSources',
  'crawlers',
  'crawlerHits',
  'brandAliases',
  'imports',
  'runs',
  'schedules',
  'alarms',
  'marks',
  'monitors',
  'search',
]
interface Standing {
  readonly brand: { readonly name: string }
  readonly visibility: { readonly mentionedIn: number }
}
const may = ['--from', '2025-05-01', '--to', '2025-05-30']
const window = 'from=2025-05-01&to=2025-05-30'

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project(brand)
  await workspace.load(project, answers)
  key = (await workspace.key()).key
  env = {
    DATABASE_URL: api.databaseUrl,
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    DATA_DIR: `${inject('runFolder')}/report-cli`,
  }
})

const show = (name: string, ...args: string[]) =>
  runCli(['report', name, '--project', project, ...args], { env })
const rest = async (path: string) =>
  (await api.get(`/api/mcp/projects/${project}/${path}`, key)).text()

test('each operation that reads a project is a command, with the parameters of its query, and the way to obtain answers', () => {
  const reports = readReports()
  expect(new Set(reports.map(({ name }) => name)).size).toBe(reports.length)
  const parameters = Object.fromEntries(
    reports.map(({ operationId, path, query }) => [
      operationId,
      [...path, ...query].map(({ name }) => name).sort(),
    ]),
  )
  const expected = contractOperations
    .filter(({ method, path }) => method === 'GET' && path.includes('{projectId}'))
    .map(({ operationId, parameters: { path = [], query = [] } }) => [
      operationId,
      [
        ...[...path, ...query].filter((name) => !['projectId', 'format'].includes(name)),
        ...(query.includes('platform') || operationId === 'getTopicHeatmap' ? ['obtained'] : []),
      ].sort(),
    ])
  expect(parameters).toEqual(Object.fromEntries(expected))
})

test('each list of a project in the graph is shown by a command', () => {
  const shown = new Set(
    [
      ...graphReports().map(({ operationId }) => operationId),
      ...readReports().map(({ operationId }) => operationId.replace(/^(get|list)/, '')),
    ].map((name) => name.toLowerCase()),
  )
  const lists = Object.values(
    (publicSchema.getType('Project') as GraphQLObjectType).getFields(),
  ).filter(({ type }) => `${type}`.includes('Connection') || /^\[\w+!\]$/.test(`${type}`))
  const others = lists.map(({ name }) => name).filter((name) => !shown.has(name.toLowerCase()))
  expect(others.toSorted()).toEqual(elsewhere.toSorted())
})

describe('a report', () => {
  test('as JSON is what REST answers', async () => {
    const asked = await show('visibility', ...may, '--json')
    expect(JSON.parse(asked.stdout)).toEqual(JSON.parse(await rest(`visibility?${window}`)))
    const filtered = await show('source-domains', ...may, '--platform', 'chatgpt', '--json')
    expect(JSON.parse(filtered.stdout)).toEqual(
      JSON.parse(await rest(`sources/domains?${window}&platform=chatgpt`)),
    )
  })

  test('as CSV is what REST answers, without its byte-order mark', async () => {
    const { stdout } = await show('source-urls', ...may, '--csv')
    const sent = await rest(`sources/urls?${window}&format=csv`)
    expect(stdout.trimEnd()).toBe(sent.replace(/^\uFEFF/, '').trimEnd())
    expect(stdout).toMatch(/^url,/)
  })

  test('as CSV is its first list, or the list that is named, where REST has no CSV', async () => {
    const { competitors } = JSON.parse(await rest(`competitors?${window}`))
    const first = await show('competitors', ...may, '--csv')
    const [names, ...rows] = parse(first.stdout) as string[][]
    expect(names?.slice(0, 2)).toEqual(['id', 'name'])
    expect(rows.map((row) => row[0])).toEqual(competitors.map(({ id }: { id: string }) => id))
    const named = await show('visibility-history', ...may, '--csv', 'history')
    const { history } = JSON.parse(await rest(`visibility/history?${window}`))
    const days = (parse(named.stdout, { columns: true }) as { date: string }[]).map(
      ({ date }) => date,
    )
    expect(days).toEqual(history.map(({ date }: { date: string }) => date))
    const wrong = await show('visibility-history', ...may, '--csv', 'rows')
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      'The report has no list `rows`. Its lists are `history`.\n',
    ])
  })

  test('of the connector has its cells under the ids of their columns', async () => {
    const query = 'dataset=sources&fields=domain,citations&startDate=2025-05-01&endDate=2025-05-30'
    const sent = await api.get(`/api/v1/projects/${project}/connector/data?${query}`, key)
    const { rows } = (await sent.json()) as { rows: [string, number][] }
    const options = ['--dataset', 'sources', '--fields', 'domain,citations']
    const days = ['--start-date', '2025-05-01', '--end-date', '2025-05-30']
    const { stdout } = await show('connector-data', ...options, ...days, '--csv')
    expect(parse(stdout)).toEqual([['domain', 'citations'], ...rows.map((row) => row.map(String))])
    expect(rows.length).toBeGreaterThan(1)
    const table = await show('connector-data', ...options, ...days)
    expect(table.stdout).toMatch(/^domain +citations\n/m)
  })

  test('that only the graph has is a command too, with its filters', async () => {
    const options = [...may, '--platform', 'chatgpt']
    const query = `{ project(id: "${project}") { brands(
      window: { from: "2025-05-01", to: "2025-05-30" }, filter: { platforms: ["chatgpt"] }) {
      nodes { brand { name } visibility { mentionedIn } } } } }`
    const { data } = await (await api.graphql(query, key)).json()
    const { nodes } = (data as { project: { brands: { nodes: Standing[] } } }).project.brands
    const { stdout } = await show('brands', ...options, '--csv')
    const rows = parse(stdout, { columns: true }) as Record<string, string>[]
    expect(rows.map((row) => [row['brand.name'], row['visibility.mentionedIn']])).toEqual(
      nodes.map((row) => [row.brand.name, String(row.visibility.mentionedIn)]),
    )
    expect(rows.length).toBeGreaterThan(1)
    const wrong = await show('brands', '--first', 'x')
    expect([wrong.code, wrong.stderr]).toEqual([2, '`--first` must be a whole number; got `x`.\n'])
  })

  test('about sentiment says who rated the answers, and narrows by how they were obtained', async () => {
    const { stdout } = await show('sentiment', ...may)
    expect(stdout).toMatch(/\n\nRated (?:by rules \(version \d+\)|as imported)/)
    const none = await show('topic-heatmap', ...may, '--obtained', 'api', '--json')
    expect(JSON.parse(none.stdout)).toMatchObject({ topics: [] })
    const own = await show('topic-heatmap', ...may, '--obtained', 'imported', '--json')
    expect(JSON.parse(own.stdout)).toEqual(JSON.parse(await rest(`topics/heatmap?${window}`)))
  })

  test('takes names in the place of ids', async () => {
    const [competitor] = await api.db.competitor.findMany({ where: { projectId: project } })
    const named = await runCli(
      ['report', 'competitor', competitor?.name.toUpperCase() ?? '', '--project', project, ...may],
      { env },
    )
    expect(named.stdout).toContain(competitor?.name)
  })

  test('says what is wrong, without a word of keys', async () => {
    const wrong = await show('visibility', '--days', 'x')
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      '`--days` must be a whole number from 1; got `x`.\n',
    ])
    const unknown = await runCli(['report', 'visibility', '--project', 'nobody'], { env })
    expect(unknown.stderr).toMatch(/^There is no project "nobody"\. There are: /)
    expect(unknown.stderr).not.toContain('key')
    const both = await show('source-urls', '--csv', '--json')
    expect(both.code).toBe(2)
  })
})

test('a report for people has the words of the pages, and no ids', () => {
  const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
  const body = {
    project: { id, name: 'Acme', domain: 'acme.example' },
    dateRange: { from: '2025-05-01', to: '2025-05-30' },
    success: true,
    summary: {
      visibilityScore: 12.5,
      scoreChange: -3,
      responsesWithBrand: 1234,
      averagePosition: null,
    },
    topics: [
      { topicId: id, topicName: 'Shoes', cells: [{ platform: 'chatgpt', visibilityScore: 50 }] },
      {
        topicId: id,
        topicName: 'Two\nlines',
        cells: [{ platform: 'chatgpt', visibilityScore: null }],
      },
    ],
    sources: [{ domain: 'a.example', metrics: { usage: 1 }, type: 'third_party', models: [] }],
    pagination: { offset: 0, returnedCount: 1, totalCount: 7, hasMore: true },
  }
  expect(readable(body)).toBe(
    [
      'Acme, 1 May 2025 – 30 May 2025',
      '',
      'visibility                      12.5%',
      'change of visibility            −3.0 pts',
      'answers that mention the brand  1,234',
      'average position                –',
      '',
      'Topics',
      'topic      ChatGPT',
      'Shoes      50.0%',
      'Two lines  –',
      '',
      'Sources',
      'domain     cited in answers  type',
      'a.example  1.0%              third party',
      '',
      '1 to 1 of 7: `--limit` and `--offset` show others.',
    ].join('\n'),
  )
})

test('a day range that is cut is said, and a former name goes on', async () => {
  const cut = await show('visibility', '--days', '9999')
  expect([cut.code, cut.stderr]).toEqual([
    0,
    'These are 365 days, the most that the report covers.\n',
  ])
  const former = await runCli(['audit', '--project', project, '--limit', '1'], { env })
  expect([former.code, former.stderr]).toEqual([
    0,
    '`audit` is now `activity`. The old name goes with 0.4.\n',
  ])
})
