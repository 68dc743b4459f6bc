import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { demoLines } from '../../demo/answers.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { factTables } from '../../imports/loads/loads.ts'
import type { ImportStores } from '../../imports/loads/runner.ts'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { command } from '../../warehouse/run.ts'
import { everything, makeProject, visibleCounts } from '../kit/imports/imports.ts'
import { createTestDatabase } from '../kit/postgres.ts'
import { startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'

// In batches of 1,000, 2,000 and 1,500 lines.
const days = 120
const lines = [...demoLines({ seed: 7, endDay: '2026-03-01', days })]
let engine: TestWarehouse
let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Catalog
let stores: ImportStores
let projectId: string
let folder: string
let file: string
let clean: Awaited<ReturnType<typeof everything>>

beforeAll(async () => {
  engine = await startTestWarehouse()
  await migrateWarehouse(engine.warehouse)
  database = await createTestDatabase(inject('databaseUrl'))
  db = createCatalog(database.url)
  stores = { db, databaseUrl: database.url, warehouse: engine.warehouse }
  folder = await mkdtemp(join(tmpdir(), 'sightline-import-'))
  file = join(folder, 'answers.jsonl')
  await writeFile(file, lines.join('\n'))
  projectId = await makeProject(stores)
  await importAnswers(stores, { projectId, lines })
  clean = await everything(stores, projectId)
})

afterAll(async () => {
  await db.$disconnect()
  await Promise.all([engine.stop(), database.drop(), rm(folder, { recursive: true })])
})

/** Takes back all that an import does, so that the next begins where the first one did. */
beforeEach(async () => {
  const of = { where: { projectId } }
  await db.prompt.deleteMany(of)
  await db.topic.deleteMany(of)
  await db.location.deleteMany(of)
  await db.projectModel.deleteMany(of)
  const data = { lastLoad: 0, visibleLoad: 0, deadLoads: [], dataAvailableFrom: null }
  await db.project.update({ where: { id: projectId }, data })
  for (const table of factTables) {
    await command(engine.warehouse, { id: 'test.wipe', sql: `TRUNCATE TABLE ${table}` })
  }
})

function startImport(): ChildProcess {
  const script = new URL('./import-child.ts', import.meta.url).pathname
  const args = [script, database.url, engine.url, projectId, file]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Kills the child `afterMs` after it printed a line that begins so. */
async function killAt(child: ChildProcess, beginning: string, afterMs: number): Promise<void> {
  const exited = once(child, 'exit')
  if (child.stdout === null) throw new Error('the child has no output')
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith(beginning)) continue
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    child.kill('SIGKILL')
    break
  }
  await exited
}

test('an import killed at any moment shows nothing or all, and the next gives what one run gives', async () => {
  const moments: [beginning: string, afterMs: number][] = [
    ['ready', 60],
    ['ready', 250],
    ['loaded 1000', 0],
    ['loaded 1000', 60],
    ['loaded 3000', 30],
    // The end of the import is now a few milliseconds away, or past.
    [`loaded ${lines.length}`, 0],
  ]
  for (const [beginning, afterMs] of moments) {
    await killAt(startImport(), beginning, afterMs)
    const { visibleLoad } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
    const { answers } = await visibleCounts(stores, projectId)
    expect(answers, `killed ${afterMs} ms after "${beginning}"`).toBe(
      visibleLoad === 0 ? 0 : lines.length,
    )
  }
  const child = startImport()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  expect(await everything(stores, projectId)).toEqual(clean)
})

test('an import rides out a warehouse that is killed and started again', async () => {
  let restarted: Promise<void> | undefined
  const result = await importAnswers(stores, {
    projectId,
    lines,
    onProgress: () => {
      restarted ??= engine.kill().then(() => engine.restart())
    },
  })
  await restarted
  expect(result).toMatchObject({ loaded: lines.length, skipped: 0 })
  expect(await everything(stores, projectId)).toEqual(clean)
})

test('an import whose warehouse stays away fails, shows nothing, and can be repeated', async () => {
  let killed: Promise<void> | undefined
  const attempt = importAnswers(stores, {
    projectId,
    lines,
    onProgress: () => {
      killed ??= engine.kill()
    },
  })
  await expect(attempt).rejects.toMatchObject({ code: 'internal_error', status: 502 })
  await killed
  await engine.restart()
  expect(await visibleCounts(stores, projectId)).toMatchObject({ answers: 0, citations: 0 })
  expect(await importAnswers(stores, { projectId, lines })).toMatchObject({ loaded: lines.length })
  expect(await everything(stores, projectId)).toEqual(clean)
})
