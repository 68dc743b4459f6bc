import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { demoLines } from '../../demo/answers.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { reanalyze } from '../../imports/answers/reanalyze.ts'
import type { ImportStores } from '../../imports/loads/runner.ts'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { run } from '../../warehouse/run.ts'
import { makeProject } from '../kit/imports/imports.ts'
import { createTestDatabase } from '../kit/postgres.ts'
import { startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'

/** Two projects with the same answers, and a competitor that came later: one run is killed, the other is not. */
const lines = [...demoLines({ seed: 7, endDay: '2026-03-01', days: 140 })]
let engine: TestWarehouse
let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Catalog
let stores: ImportStores
let projectId: string
let old: string[]
let clean: string[]

async function projectWithAnswers(): Promise<string> {
  const id = await makeProject(stores)
  await importAnswers(stores, { projectId: id, lines })
  await db.competitor.create({ data: { projectId: id, name: 'Lumora', domain: 'lumora.example' } })
  return id
}

/** The mentions that readers see, but for the ids that differ from project to project. */
async function mentionsSeen(id: string): Promise<string[]> {
  const { analysis, competitors } = await db.project.findUniqueOrThrow({
    where: { id },
    include: { competitors: true },
  })
  const names = new Map(competitors.map((it) => [it.id, it.name]))
  const rows = await run(engine.warehouse, {
    id: 'test.mentions',
    sql: `SELECT day, platform, model, country, brand_id, occurrences, rank, sentiment FROM mentions
      WHERE project_id = {id:UUID} AND analysis = {analysis:UInt32}`,
    params: { id, analysis },
    row: ({ brand_id, ...rest }) => JSON.stringify({ ...rest, brand: names.get(String(brand_id)) }),
  })
  return rows.sort()
}

beforeAll(async () => {
  engine = await startTestWarehouse()
  await migrateWarehouse(engine.warehouse)
  database = await createTestDatabase(inject('databaseUrl'))
  db = createCatalog(database.url)
  stores = { db, databaseUrl: database.url, warehouse: engine.warehouse }
  projectId = await projectWithAnswers()
  old = await mentionsSeen(projectId)
  const other = await projectWithAnswers()
  await reanalyze(stores, { projectId: other })
  clean = await mentionsSeen(other)
})

afterAll(async () => {
  await db.$disconnect()
  await Promise.all([engine.stop(), database.drop()])
})

function startRun(): ChildProcess {
  const script = new URL('./reanalyze-child.ts', import.meta.url).pathname
  const args = [script, database.url, engine.url, projectId]
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

test('a run killed at any moment shows the old counts or the new, and the next gives what one run gives', async () => {
  expect(clean.length).toBeGreaterThan(old.length)
  const moments: [beginning: string, afterMs: number][] = [
    ['ready', 60],
    ['ready', 200],
    ['counted 2000', 0],
    ['counted 2000', 60],
    ['counted 4000', 0],
    // The end of the run is now a few milliseconds away, or past.
    [`counted ${lines.length}`, 0],
  ]
  for (const [beginning, afterMs] of moments) {
    await killAt(startRun(), beginning, afterMs)
    const { analysis } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
    const seen = await mentionsSeen(projectId)
    const moment = `killed ${afterMs} ms after "${beginning}"`
    expect(seen, moment).toEqual(analysis === 1 ? old : clean)
  }
  const [code] = await once(startRun(), 'exit')
  expect(code).toBe(0)
  expect(await mentionsSeen(projectId)).toEqual(clean)
})

test('a run rides out a warehouse that is killed and started again', async () => {
  let restarted: Promise<void> | undefined
  const result = await reanalyze(stores, {
    projectId,
    onProgress: () => {
      restarted ??= engine.kill().then(() => engine.restart())
    },
  })
  await restarted
  expect(result).toMatchObject({ answers: lines.length, mentions: clean.length })
  expect(await mentionsSeen(projectId)).toEqual(clean)
})
