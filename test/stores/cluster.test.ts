import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { publishRows, stageRows } from '../../imports/loads/staged-rows.ts'
import { splitStatements } from '../../warehouse/chdb/statement.ts'
import { createWarehouse, type Warehouse } from '../../warehouse/client.ts'
import { clusterSettings, distributedTables, onCluster } from '../../warehouse/cluster.ts'
import { removeRows } from '../../warehouse/delivery.sql.ts'
import { deliver } from '../../warehouse/delivery.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { command, insert, run } from '../../warehouse/run.ts'
import { rowOf } from '../kit/tracker/folder.ts'
import { forkWarehouse } from '../kit/warehouse.ts'

const folder = new URL('../../warehouse/migrations/', import.meta.url)
const cluster = 'sightline'

/** The statements of all migrations, as they go to a cluster. */
async function statements(): Promise<string[]> {
  const names = (await readdir(folder)).sort()
  const scripts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return scripts.flatMap((script) => {
    const own = splitStatements(script)
    return [...own, ...distributedTables(own, cluster)].map((sql) => onCluster(sql, cluster))
  })
}

describe('the tables of a cluster', () => {
  const warehouse = createWarehouse({ url: inject('clickhouseUrl') })
  afterAll(() => warehouse.close())

  test('each migration is on all servers, replicated, and the engine can parse it', async () => {
    const all = await statements()
    expect(all.length).toBeGreaterThan(40)
    for (const sql of all) {
      expect(sql).toContain(`ON CLUSTER ${cluster}`)
      const parsed = await run(warehouse, {
        id: 'test.ast',
        sql: `EXPLAIN AST ${sql}`,
        row: () => 1,
      })
      expect(parsed.length).toBeGreaterThan(1)
    }
    const made = all.filter((sql) => sql.startsWith('CREATE TABLE'))
    expect(made.filter((sql) => !/ENGINE = Replicated\w*MergeTree\('/.test(sql))).toEqual([])
    expect(made.join()).not.toContain('non_replicated_deduplication_window')
  })

  test('changes name the tables of the server, and reads those of all shards', () => {
    const on = (sql: string) => onCluster(sql, cluster)
    expect(on('DELETE FROM answers WHERE id IN (SELECT answer_id FROM mentions)')).toBe(
      'DELETE FROM answers_local ON CLUSTER sightline WHERE id IN (SELECT answer_id FROM mentions_local)',
    )
    expect(on('ALTER TABLE `answers_local` DROP PARTITION ID 202501')).toBe(
      'ALTER TABLE answers_local ON CLUSTER sightline DROP PARTITION ID 202501',
    )
    expect(on('CREATE MATERIALIZED VIEW IF NOT EXISTS v TO days AS SELECT day FROM answers')).toBe(
      'CREATE MATERIALIZED VIEW IF NOT EXISTS v_local ON CLUSTER sightline TO days_local AS SELECT day FROM answers_local',
    )
    const read = 'SELECT count() FROM answers'
    expect(on(read)).toBe(read)
    expect(on('SELECT 1 FROM system.parts')).toBe(
      'SELECT 1 FROM clusterAllReplicas(sightline, system.parts)',
    )
    expect(() => on('RENAME TABLE a TO b')).toThrow('No rule')
  })
})

/** What one server can run without a keeper: tables that are not replicated, and `ON CLUSTER` on itself. */
function alone(server: Warehouse): Warehouse {
  const sqlOf = (sql: string) =>
    onCluster(sql, cluster)
      .replace(/ ON CLUSTER \w+/g, '')
      .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, '$1(')
      .replace(/\breplicated_deduplication_window/g, 'non_replicated_deduplication_window')
  const send: Warehouse['send'] = (request) => {
    const settings = { ...clusterSettings, ...request.settings }
    return server.send({ ...request, sql: sqlOf(request.sql), settings })
  }
  return { ...server, cluster, send }
}

describe('one server of a cluster', () => {
  let warehouse: Warehouse
  const [one, two] = [randomUUID(), randomUUID()]
  const count = async (from: string) => {
    const sql = `SELECT count() AS rows FROM ${from}`
    const [rows] = await run(warehouse, { id: 'test.count', sql, row: (raw) => Number(raw.rows) })
    return rows
  }

  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sightline-cluster-'))
    const config = new URL('../fixtures/cluster', import.meta.url).pathname
    const { child, url } = await forkWarehouse(dir, 0, config)
    warehouse = alone(createWarehouse({ url }))
    return async () => {
      warehouse.close()
      const ended = once(child, 'exit')
      child.kill()
      await ended
      await rm(dir, { recursive: true, force: true })
    }
  })

  test('two starts at once migrate it, and a third one finds nothing to do', async () => {
    const done = await Promise.all([migrateWarehouse(warehouse), migrateWarehouse(warehouse)])
    const names = (await readdir(folder)).sort()
    expect([...new Set(done.flat())].sort()).toEqual(names)
    expect(await count('schema_migrations')).toBe(names.length)
    expect(await migrateWarehouse(warehouse)).toEqual([])
  })

  test('a delivery through the table of all shards is stored once, and can be taken back', async () => {
    const lines = Buffer.from(rowOf(one, '/a') + rowOf(one, '/b') + rowOf(two, '/c'))
    const delivery = { lines, token: 'first', signal: new AbortController().signal }
    expect(await deliver(warehouse, { ...delivery, isAgain: false })).toBe(true)
    expect(await deliver(warehouse, { ...delivery, isAgain: true })).toBe(true)
    expect(await count('crawler_hits')).toBe(3)
    expect(await count('crawler_hits_local')).toBe(3)
    expect(await count("crawler_hits WHERE batch = cityHash64('first')")).toBe(3)
    const params = { token: 'first' }
    await command(warehouse, { id: 'test.remove', sql: removeRows, params })
    expect(await count('crawler_hits')).toBe(0)
  })

  test('staged rows of an import replace those of another shape', async () => {
    const row = (day: string, shape: string) => ({ day, shape, sessions: 1 })
    const table = 'web_analytics'
    const load = async (...rows: ReturnType<typeof row>[]) => {
      const of = { projectId: one, importId: randomUUID() }
      await stageRows(warehouse, table, of, rows)
      await publishRows(warehouse, table, of)
    }
    await load(row('2025-05-10', 'old'), row('2025-06-10', 'old'))
    await load(row('2025-05-10', 'new'), row('2025-07-10', 'new'))
    expect(await count(`${table} WHERE shape = 'old'`)).toBe(1)
    expect(await count(`${table} WHERE shape = 'new'`)).toBe(2)
    expect(await count(`${table}_staged_local`)).toBe(0)
  })

  test('a statement joins the tables of a project where its rows are', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    const row = { project_id: one, day: '2025-05-10' }
    const answers = [first, second].map((id) => ({ ...row, id }))
    await insert(warehouse, { table: 'answers', rows: answers, token: 'answers' })
    const mention = { ...row, answer_id: first, brand_id: one, is_own: 1 }
    await insert(warehouse, { table: 'mentions', rows: [mention], token: 'mentions' })
    const own = `project_id = '${one}'`
    const named = `id IN (SELECT answer_id FROM mentions WHERE ${own})`
    expect(await count(`answers WHERE ${own} AND ${named}`)).toBe(1)
    await command(warehouse, { id: 'test.delete', sql: `DELETE FROM answers WHERE ${named}` })
    expect(await count('answers')).toBe(1)
  })
})
