import { parse } from 'csv-parse/sync'
import type { GraphQLObjectType } from 'graphql'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { readReports } from '../../../cli/commands/report/definitions.ts'
import { graphReports } from '../../../cli/commands/report/graph.ts'
import { tableOf } from '../../../cli/commands/report/table.ts'
import { publicSchema } from '../../../schema/index.ts'
import { useApi } from '../../kit/api.ts'
import { answers, brand } from '../../kit/reports.ts'
import { contractOperations } from '../../kit/rest/contract.ts'
import { runCli } from '../../kit/service.ts'

const api = useApi()
let [project, key] = ['', '']
let env: Record<string, string> = {}
/** `report traffic-bots`, `report traffic-logs`, `alias list`, `imports list` and `collect list` show them. */
const elsewhere = ['crawlers', 'crawlerHits', 'brandAliases', 'imports', 'runs', 'schedules']
interface Standing {
  readonly brand: { readonly name: string }
  readonly visibility: { readonly responsesWithMention: number }
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

test('each operation that reads a project is a command, with the parameters of its query', () => {
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
      [...path, ...query].filter((name) => !['projectId', 'format'].includes(name)).sort(),
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
    expect(table.stdout).toMatch(/^rows\ndomain +citations\n/m)
  })

  test('that only the graph has is a command too, with its filters', async () => {
    const options = [...may, '--platform', 'chatgpt']
    const query = `{ project(id: "${project}") { brands(
      window: { from: "2025-05-01", to: "2025-05-30" }, filter: { platforms: ["chatgpt"] }) {
      nodes { brand { name } visibility { responsesWithMention } } } } }`
    const { data } = await (await api.graphql(query, key)).json()
    const { nodes } = (data as { project: { brands: { nodes: Standing[] } } }).project.brands
    const { stdout } = await show('brands', ...options, '--csv')
    const rows = parse(stdout, { columns: true }) as Record<string, string>[]
    expect(rows.map((row) => [row['brand.name'], row['visibility.responsesWithMention']])).toEqual(
      nodes.map((row) => [row.brand.name, String(row.visibility.responsesWithMention)]),
    )
    expect(rows.length).toBeGreaterThan(1)
    const wrong = await show('brands', '--first', 'x')
    expect([wrong.code, wrong.stderr]).toEqual([2, '`--first` must be a whole number; got `x`.\n'])
  })

  test('takes names in the place of ids', async () => {
    const [competitor] = await api.db.competitor.findMany({ where: { projectId: project } })
    const named = await runCli(
      ['report', 'competitor', competitor?.name.toUpperCase() ?? '', '--project', project, ...may],
      { env },
    )
    expect(named.stdout).toContain(competitor?.id)
  })

  test('says what is wrong, without a word of keys', async () => {
    const wrong = await show('visibility', '--days', 'x')
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      '`--days` must be a whole number from 1; got `x`.\n',
    ])
    const unknown = await runCli(['report', 'visibility', '--project', 'nobody'], { env })
    expect(unknown.stderr).toMatch(/^There is no such record: check the id or the name\.\n/)
    expect(unknown.stderr).not.toContain('key')
    const both = await show('source-urls', '--csv', '--json')
    expect(both.code).toBe(2)
  })
})

test('a table shows facts as lines, and lists with a column for each field', () => {
  const body = {
    summary: { score: 12.5, total: 1234, none: null },
    rows: [
      { name: 'a', metrics: { usage: 1 }, tags: ['x', 'y'] },
      { name: 'a longer\nname', metrics: { usage: 20 }, tags: [] },
    ],
  }
  expect(tableOf(body)).toBe(
    [
      'summary.score  12.5',
      'summary.total  1,234',
      'summary.none   –',
      '',
      'rows',
      'name           metrics.usage  tags',
      'a              1              x, y',
      'a longer name  20',
    ].join('\n'),
  )
})
