import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, expect, inject, test } from 'vitest'
import { loadDatedRows } from '../../imports/analytics/dated-rows.ts'
import { importSearchConsole } from '../../imports/analytics/search-console.ts'
import { removeLinked } from '../../imports/loads/removal.ts'
import { settleKilledImports } from '../../imports/loads/settle.ts'
import { undoImport } from '../../imports/loads/undo.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { run } from '../../warehouse/run.ts'
import { sweep } from '../../worker/sweep.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { importSearch, searchAnswer } from '../kit/imports/search-console.ts'
import { bytesOf } from '../kit/imports/web-analytics.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const row = (date: string, query: string, clicks: number) => ({ date, query, clicks })

/** Replaces both days: the first has another shape, the second the same row. */
const text = JSON.stringify(
  searchAnswer([row('2025-05-10', 'a', 10), row('2025-05-10', 'c', 20), row('2025-05-11', 'd', 5)]),
)
const before = 1 + 2 + 4
const after = 10 + 20 + 5

/** A project with 7 clicks, by two imports. */
async function loaded(): Promise<string> {
  const id = await workspace.project()
  const byQuery = (query: string, clicks: number) => {
    const keys = ['2025-05-10', query]
    return { keys, clicks, impressions: 100, position: 2 }
  }
  const old = JSON.stringify({ rows: [byQuery('a', 1), byQuery('b', 2)] })
  await importSearch(api, id, old, { dimensions: ['date', 'query'] })
  await importSearch(api, id, JSON.stringify(searchAnswer([row('2025-05-11', 'd', 4)])))
  return id
}

/** Imports the text in a process that is killed once the statement has ended. */
async function killAfter(statement: string, projectId: string): Promise<void> {
  const script = new URL('./analytics-child.ts', import.meta.url).pathname
  const args = [script, inject('databaseUrl'), inject('clickhouseUrl'), projectId, statement, text]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
}

async function clicks(id: string): Promise<number> {
  const window = 'startDate=2025-05-01&endDate=2025-05-31'
  const response = await api.get(`/api/mcp/projects/${id}/gsc/performance?${window}`, key)
  return ((await response.json()) as { totals: { clicks: number } }).totals.clicks
}

async function newest(id: string) {
  const fields = 'id status failure read loaded from to'
  const { data } = await ask(`{ project(id: "${id}") { imports { nodes { ${fields} } } } }`)
  const list = data.project?.imports as { nodes: Record<string, unknown>[] }
  return list.nodes[0]
}

const staged = (projectId: string) =>
  run(api.warehouse, {
    id: 'test.staged',
    sql: 'SELECT query FROM search_console_staged WHERE project_id = {projectId:UUID}',
    params: { projectId },
    row: ({ query }) => query,
  })

const additions = (projectId: string) =>
  api.db.auditEntry.count({ where: { projectId, action: 'import.add' } })

const cutOff = expect.stringMatching(/cut off before its end, and changed nothing/)

test('the sweep undoes an import that was killed before readers saw a row of it', async () => {
  const id = await loaded()
  await killAfter('insert.search_console_staged', id)
  expect(await staged(id)).toHaveLength(3)
  expect(await clicks(id)).toBe(before)
  await sweep({}, api)
  expect(await clicks(id)).toBe(before)
  expect(await staged(id)).toEqual([])
  expect(await newest(id)).toMatchObject({ status: 'unfinished', failure: cutOff, loaded: 0 })
  expect(await additions(id)).toBe(2)
  await importSearch(api, id, text)
  expect(await clicks(id)).toBe(after)
})

test.each([
  ['had shown its rows', 'rows.publish'],
  ['had removed those that they replace', 'rows.replace'],
  ['had all but ended', 'rows.drop-staged'],
])('the next start finishes an import that was killed once it %s', async (_name, statement) => {
  const id = await loaded()
  await killAfter(statement, id)
  await settleKilledImports(api)
  await settleKilledImports(api)
  expect(await clicks(id)).toBe(after)
  expect(await staged(id)).toEqual([])
  const finished = { status: 'finished', failure: null, read: 3, loaded: 3 }
  expect(await newest(id)).toMatchObject({ ...finished, from: '2025-05-10', to: '2025-05-11' })
  expect(await additions(id)).toBe(3)
})

test('the next import ends a killed one first, and so do an undo of it and the removal of its site', async () => {
  const [first, second, third] = [await loaded(), await loaded(), await loaded()]
  await killAfter('insert.search_console_staged', first)
  await importSearch(api, first, text)
  expect(await clicks(first)).toBe(after)
  await killAfter('rows.publish', second)
  const killed = await newest(second)
  await undoImport(api, commandLine, { projectId: second, importId: String(killed?.id) })
  await killAfter('rows.publish', third)
  await removeLinked(api, commandLine, third, 'searchConsole')
  await settleKilledImports(api)
  expect(await clicks(second)).toBe(0)
  expect(await newest(second)).toMatchObject({ status: 'undone' })
  const left = 'SELECT 1 FROM search_console WHERE project_id = {third:UUID}'
  expect(
    await run(api.warehouse, { id: 'test.left', sql: left, params: { third }, row: () => 1 }),
  ).toEqual([])
})

test('a link of a killed import goes, and a running import is left alone', async () => {
  const id = await workspace.project()
  await killAfter('insert.search_console_staged', id)
  const links = () => api.db.connection.count({ where: { projectId: id } })
  expect(await links()).toBe(1)
  await settleKilledImports(api)
  expect(await links()).toBe(0)
  const rest = { query: '', page: '', country: '', device: '', part: '', shape: 'date' }
  const counts = { clicks: 1, impressions: 100, position: 1 }
  async function* rows() {
    yield { number: 1, row: { day: '2025-05-10', ...rest, ...counts } }
    await settleKilledImports(api)
  }
  await loadDatedRows(api, { projectId: id, table: 'search_console', rows: rows() })
  expect(await newest(id)).toMatchObject({ status: 'finished', loaded: 1 })
})

test('an import that fails after its first rows changes nothing, and leaves the list', async () => {
  const id = await loaded()
  const onProgress = () => {
    throw new Error('the source broke')
  }
  const failing = importSearchConsole(api, commandLine, {
    projectId: id,
    bytes: bytesOf(text),
    onProgress,
  })
  await expect(failing).rejects.toThrow('the source broke')
  expect(await clicks(id)).toBe(before)
  expect(await staged(id)).toEqual([])
  expect(await newest(id)).toMatchObject({ status: 'finished', loaded: 1 })
})
