import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tablesIn } from '../../cli/input/table-files.ts'
import { importSearchTables } from '../../imports/analytics/search-console.ts'
import { undoImport } from '../../imports/loads/undo.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { useApi } from '../kit/api.ts'
import { importSearch, searchAnswer } from '../kit/imports/search-console.ts'
import { zipOf } from './zip.ts'

const api = useApi()
const folder = join(import.meta.dirname, '../fixtures/search-console')
let workspace: Awaited<ReturnType<typeof api.workspace>>
let key = ''
const tables: Record<string, Buffer> = {}

beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  key = (await workspace.key()).key
  for (const name of await readdir(folder)) {
    if (name.endsWith('.csv')) tables[name] = await readFile(join(folder, name))
  }
})

async function graph(project: string, fields: string) {
  const query = `query($id: ID!) { project(id: $id) { ${fields} } }`
  const response = await api.graphql(query, key, { id: project })
  const { data, errors } = (await response.json()) as {
    data: { project: object }
    errors?: unknown
  }
  expect(errors).toBeUndefined()
  return data.project
}

async function rest(project: string, path: string, from: string, to: string) {
  const dates = `startDate=${from}&endDate=${to}`
  const response = await api.get(`/api/mcp/projects/${project}/gsc/${path}?${dates}`, key)
  return (await response.json()) as { rows: Record<string, unknown>[] }
}

const period = ['2025-08-01', '2025-08-03'] as const
const inPeriod = 'window: { from: "2025-08-01", to: "2025-08-03" }'
const inDay = 'window: { from: "2025-08-01", to: "2025-08-01" }'
const firstDay = ['2025-08-01', '2025-08-01'] as const
const queries = '{ nodes { query clicks impressions } periods { from to } }'

describe('the ZIP of Search Console', () => {
  let project = ''
  beforeAll(async () => {
    project = await workspace.project()
  })

  test('has totals by day, and loads what can be read', async () => {
    const result = await importSearch(api, project, zipOf(tables))
    const reason = expect.stringMatching(/^`Clicks` must be a whole number from 0; got `x`/)
    expect(result).toEqual({ read: 12, loaded: 11, rejected: [{ line: 6, reason }] })
    const days = `searchPerformance(${inPeriod}) { totals { clicks impressions } series { date clicks } }`
    expect(await graph(project, days)).toEqual({
      searchPerformance: {
        totals: { clicks: 4, impressions: 50 },
        series: [
          { date: '2025-08-01', clicks: 3 },
          { date: '2025-08-02', clicks: 0 },
          { date: '2025-08-03', clicks: 1 },
        ],
      },
    })
  })

  test('shows queries, pages, countries and devices of exactly its period, at both doors', async () => {
    const lists = `searchQueries(${inPeriod}) ${queries}
      searchPages(${inPeriod}) { nodes { url clicks } }
      searchCountries(${inPeriod}) { rows { country clicks } }
      searchDevices(${inPeriod}) { rows { device clicks } }
      positionBuckets(${inPeriod}) { totalQueries: queryCount }`
    expect(await graph(project, lists)).toEqual({
      searchQueries: {
        nodes: [
          { query: 'anvil', clicks: 3, impressions: 30 },
          { query: 'best anvil, cheap', clicks: 1, impressions: 15 },
        ],
        periods: [{ from: '2025-08-01', to: '2025-08-03' }],
      },
      searchPages: { nodes: [{ url: 'https://acme.com/anvil', clicks: 4 }] },
      searchCountries: {
        rows: [
          { country: 'deu', clicks: 3 },
          { country: 'usa', clicks: 1 },
          { country: 'zzz', clicks: 0 },
        ],
      },
      searchDevices: {
        rows: [
          { device: 'mobile', clicks: 3 },
          { device: 'desktop', clicks: 1 },
        ],
      },
      positionBuckets: { totalQueries: 2 },
    })
    const { rows } = await rest(project, 'queries', ...period)
    expect(rows.map(({ query, clicks }) => [query, clicks])).toEqual([
      ['anvil', 3],
      ['best anvil, cheap', 1],
    ])
  })

  test('has no queries of another window, and says which period has them', async () => {
    expect(await graph(project, `searchQueries(${inDay}) ${queries}`)).toEqual({
      searchQueries: { nodes: [], periods: [{ from: '2025-08-01', to: '2025-08-03' }] },
    })
    expect((await rest(project, 'queries', ...firstDay)).rows).toEqual([])
  })

  test('never adds its totals to rows by day, and an undo removes all of it', async () => {
    const day = { date: '2025-08-02', query: 'hammer', clicks: 7, impressions: 70 }
    await importSearch(api, project, JSON.stringify(searchAnswer([day])))
    const lists = `searchQueries(${inPeriod}) { nodes { query clicks } }
      searchPerformance(${inPeriod}) { totals { clicks } }`
    const mixed = {
      searchQueries: { nodes: [{ query: 'hammer', clicks: 7 }] },
      searchPerformance: { totals: { clicks: 11 } },
    }
    expect(await graph(project, lists)).toEqual(mixed)
    // The total of a day with queries stays out.
    const again = await importSearch(api, project, zipOf(tables))
    expect(again.rejected[0]?.reason).toContain('2025-08-02 has rows by query or page already')
    expect(await graph(project, lists)).toEqual(mixed)
    const imports = await api.db.import.findMany({ where: { projectId: project } })
    for (const { id, loaded } of imports) {
      if (Number(loaded) > 1)
        await undoImport(api, commandLine, { projectId: project, importId: id })
    }
    expect(await graph(project, `${lists} searchPages { periods { from } }`)).toEqual({
      searchQueries: { nodes: [{ query: 'hammer', clicks: 7 }] },
      searchPerformance: { totals: { clicks: 7 } },
      searchPages: { periods: [] },
    })
  })
})

test('the folder that a browser made of the ZIP is read as the ZIP', async () => {
  const project = await workspace.project()
  const files = (await tablesIn(folder)) ?? []
  const loaded = await importSearchTables(api, commandLine, { projectId: project, tables: files })
  expect(loaded).toMatchObject({ read: 12, loaded: 11 })
  expect(await tablesIn(join(folder, 'Chart.csv'))).toBeUndefined()
})

test('the table of days alone is taken, under both names of its column', async () => {
  const project = await workspace.project()
  const chart = String(tables['Chart.csv']).replace('Date', 'Day')
  expect(await importSearch(api, project, chart)).toMatchObject({ loaded: 3 })
})

describe('an export is refused', () => {
  const refusal = async (content: Buffer | string) => {
    const project = await workspace.project()
    const error = await importSearch(api, project, content).catch((reason: Error) => reason)
    return error instanceof Error ? error.message : 'loaded'
  }

  test('without its days, which say the period', async () => {
    const { 'Chart.csv': _, ...others } = tables
    expect(await refusal(zipOf(others))).toContain('has no table of days, `Chart.csv`')
    expect(await refusal(tables['Queries.csv'] ?? '')).toContain('or the ZIP of the web page')
  })

  test('with filters, since its numbers are not of the whole site', async () => {
    const filtered = `${tables['Filters.csv']}Country,Germany\n`
    const message = await refusal(zipOf({ ...tables, 'Filters.csv': filtered }))
    expect(message).toContain('is filtered by Country: export Search Console without filters')
  })
})
