import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type DataKind, dataKinds } from '../../core/load/data-kinds.ts'
import { kindsOf } from '../../rest/data-kinds.ts'
import { routes } from '../../rest/routes.ts'
import { makeProjectRows, type ProjectRows, pathOf } from '../access/calls.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { bodyOf, startFreshApi } from '../kit/rest/fresh-api.ts'
import { countedStatements } from '../kit/statements.ts'
import { spyOnStatements, tablesIn } from './sent-statements.ts'

/** A kept reply ends with each change of the data that it is made of, and with no other change. */

const api = useApi()
const statements = countedStatements()
const other = new pg.Client({ connectionString: api.databaseUrl })
let fresh = ''
let workspace: TestWorkspace
let rows: ProjectRows

const reads = routes.filter(({ method, path }) => method === 'GET' && path.includes('{projectId}'))
const narrow = reads.filter(({ operationId }) => kindsOf(operationId) !== dataKinds)

/** Filters that read the catalog. An operation ignores those that it does not have. */
const filtered = () =>
  `platform=chatgpt&topicId=${rows.topicId}&promptId=${rows.promptId}&branded=true&search=a`

beforeAll(async () => {
  await other.connect()
  fresh = await startFreshApi(api, statements.log)
  workspace = await api.workspace()
  rows = await makeProjectRows(api, workspace)
  const { projectId } = rows
  const data = { projectId, format: 'combined', firstLineHash: 'first', readHash: 'read' }
  await api.db.accessLog.create({ data })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => other.end())

/** The kind that the triggers of each table raise. */
async function kindOfTable(): Promise<Map<string, string>> {
  const { rows: found } = await other.query<{ name: string; args: string }>(`
    SELECT c.relname AS name, encode(t.tgargs, 'escape') AS args
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgname = 'raiseAdded'`)
  return new Map(found.map(({ name, args }) => [name, args.split('\\000')[0] ?? '']))
}

test('each operation reads the tables of the kinds that it rests on, and no others', async () => {
  const kinds = await kindOfTable()
  expect(new Set(kinds.values())).toEqual(new Set(dataKinds))
  const { key } = await workspace.key()
  const sent = spyOnStatements()
  const wrong: string[] = []
  for (const route of narrow) {
    const restsOn: readonly DataKind[] = kindsOf(route.operationId)
    const path = pathOf(route, rows)
    sent.length = 0
    statements.taken()
    const plain = await bodyOf(fresh, path, key)
    expect([route.operationId, plain.slice(0, 3)]).toEqual([route.operationId, '200'])
    await bodyOf(fresh, `${path}${path.includes('?') ? '&' : '?'}${filtered()}`, key)
    const read = new Set(
      tablesIn(sent)
        .map((name) => kinds.get(name))
        .filter((kind) => kind !== undefined),
    )
    // Facts show by the pointer of the answers.
    if (statements.taken().length > 0) read.add('answers')
    const unknown = [...read].filter((kind) => !restsOn.some((known) => known === kind))
    if (unknown.length > 0) wrong.push(`${route.operationId}: ${unknown.join(', ')}`)
  }
  expect(wrong).toEqual([])
})

test('after each table of a project has lost its rows, all reads are those of now', {
  timeout: 300_000,
}, async () => {
  const kinds = await kindOfTable()
  const keyOf = new Map<string, string>()
  for (const { operationId } of reads) keyOf.set(operationId, (await workspace.key()).key)
  const parts = 3
  const stale = async (turn: number) => {
    const found = await Promise.all(
      reads.map(async (route, at) => {
        if (at % parts !== turn % parts) return []
        const [path, key] = [pathOf(route, rows), keyOf.get(route.operationId) ?? '']
        const kept = await bodyOf(api.url, path, key)
        return kept === (await bodyOf(fresh, path, key)) ? [] : [route.operationId]
      }),
    )
    return found.flat()
  }
  const { rows: columns } = await other.query<{ name: string }>(`
    SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'projectId' ORDER BY table_name`)
  const emptied = new Set<string>()
  const tables = columns.filter(({ name }) => kinds.has(name))
  for (const [turn, { name }] of tables.entries()) {
    await stale(turn)
    const deleted = await api.db.$executeRawUnsafe(
      `DELETE FROM "${name}" WHERE "projectId" = $1::uuid`,
      rows.projectId,
    )
    if (deleted > 0) emptied.add(kinds.get(name) ?? '')
    expect([name, await stale(turn)]).toEqual([name, []])
  }
  // Texts of pages are in the warehouse: `test/sources/kept-urls.test.ts` changes them.
  expect([...emptied, 'contents'].sort()).toEqual([...dataKinds].sort())
})
