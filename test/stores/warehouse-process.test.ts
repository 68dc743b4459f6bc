import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createWarehouse } from '../../warehouse/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { command, insert, run, type Warehouse } from '../../warehouse/run.ts'
import { isSoak } from '../kit/soak.ts'
import { forkWarehouse, startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  )

async function start(): Promise<TestWarehouse> {
  const store = await startTestWarehouse()
  onTestFinished(() => store.stop())
  return store
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-warehouse-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function count(warehouse: Warehouse, table: string): Promise<number> {
  const sql = `SELECT count() AS n FROM ${table}`
  const [n] = await run(warehouse, { id: 'test.count', sql, row: (raw) => Number(raw.n) })
  return n ?? 0
}

describe('the process', () => {
  if (isSoak) {
    test('that is killed under inserts has every acknowledged row when it is back', async () => {
      const store = await start()
      await command(store.warehouse, {
        id: 'test.create',
        sql: `CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY a
            SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1`,
      })
      const rows = Array.from({ length: 100 }, (_, a) => ({ a }))
      let acknowledged = 0
      const write = async (writer: number) => {
        for (let n = 0; ; n += 1) {
          await insert(store.warehouse, { table: 't', rows, token: `${writer}-${n}` })
          acknowledged += rows.length
        }
      }
      const writers = [1, 2, 3].map((writer) => failure(write(writer)))
      await expect.poll(() => acknowledged, { timeout: 10_000, interval: 5 }).toBeGreaterThan(3000)
      await store.kill()
      for (const error of await Promise.all(writers)) {
        expect(error).toMatchObject({ code: 'internal_error', status: 502, retryable: true })
      }
      await store.restart()
      const kept = await count(store.warehouse, 't')
      expect(kept).toBeGreaterThanOrEqual(acknowledged)
      // What each writer had sent last may be there too.
      expect(kept).toBeLessThanOrEqual(acknowledged + 300)
    })
  }

  test('is alone on its folder: a second one says who has it', async () => {
    const dataDir = await makeFolder()
    const { child } = await forkWarehouse(dataDir)
    const error = await failure(forkWarehouse(dataDir))
    expect(String(error)).toContain(`${dataDir}: process ${child.pid} has it open`)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  test('stops at SIGTERM, though a query runs and sockets are open', async () => {
    const { child, url } = await forkWarehouse(await makeFolder())
    const warehouse = createWarehouse({ url })
    await warehouse.ping()
    const sql = 'SELECT sum(number * number) AS n FROM numbers(1e12)'
    const query = { id: 'test.slow', sql, timeoutMs: 60_000, row: Number }
    const cut = failure(run(warehouse, query))
    await new Promise((resolve) => setTimeout(resolve, 100))
    child.kill('SIGTERM')
    // The query alone would take an hour.
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(await cut).toMatchObject({ status: 502, retryable: true })
    await warehouse.close()
  })

  if (isSoak) {
    test('leaves Ctrl-C to its parent', async () => {
      const { child, url } = await forkWarehouse(await makeFolder())
      child.kill('SIGINT')
      const warehouse = createWarehouse({ url })
      await warehouse.ping()
      await warehouse.close()
      child.disconnect()
      expect(await once(child, 'exit')).toEqual([0, null])
    })
  }

  if (isSoak) {
    test('ends when its parent is killed', async () => {
      const folder = await makeFolder()
      const script = join(folder, 'parent.mjs')
      const kit = new URL('../kit/warehouse.ts', import.meta.url)
      await writeFile(
        script,
        `import { forkWarehouse } from '${kit}'
       const { child } = await forkWarehouse('${join(folder, 'data')}')
       process.send(child.pid)`,
      )
      const parent = fork(script, { execArgv: [] })
      const [pid] = await once(parent, 'message')
      parent.kill('SIGKILL')
      const isAlive = () => {
        try {
          return process.kill(Number(pid), 0)
        } catch {
          return false
        }
      }
      await expect.poll(isAlive, { timeout: 5000 }).toBe(false)
    })
  }
})

describe('migrations', () => {
  test('are applied once, also by two at once, and name a file that was changed', async () => {
    const { warehouse } = await start()
    const folder = await makeFolder()
    const from = pathToFileURL(`${folder}/`)
    const file = join(folder, '0001_test.sql')
    await writeFile(
      file,
      `-- one; two
       CREATE TABLE IF NOT EXISTS m1 (a UInt8 COMMENT 'it''s; so') ENGINE = MergeTree ORDER BY a;
       CREATE TABLE IF NOT EXISTS m2 (a UInt8) ENGINE = MergeTree ORDER BY a;`,
    )
    await Promise.all([migrateWarehouse(warehouse, from), migrateWarehouse(warehouse, from)])
    const tables = ['m1', 'm2', 'schema_migrations']
    expect(await Promise.all(tables.map((table) => count(warehouse, table)))).toEqual([0, 0, 1])
    expect(await migrateWarehouse(warehouse, from)).toEqual([])
    await writeFile(file, 'SELECT 1')
    expect(String(await failure(migrateWarehouse(warehouse, from)))).toContain(
      'The warehouse migration 0001_test.sql was changed after it was applied.',
    )
  })

  test('of this version are taken by the engine', async () => {
    const { warehouse } = await start()
    expect((await migrateWarehouse(warehouse))[0]).toBe('0001_answers.sql')
    expect(await migrateWarehouse(warehouse)).toEqual([])
    expect(await count(warehouse, 'answers')).toBe(0)
  })
})
