import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createTestDatabase, startTestPostgres } from './postgres.ts'
import { startTestWarehouse } from './warehouse.ts'

/** The engines that most tests share: real PostgreSQL and a real warehouse, on free ports, for all projects of one run. */
export async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const run = vitest.getRootProject()
  // The project before has started them, and ends them when all have run.
  if (run.getProvidedContext().runFolder !== undefined) return async () => {}
  const [postgres, warehouse] = await Promise.all([startTestPostgres(), startTestWarehouse()])
  const database = await createTestDatabase(postgres.url)
  const { migrateWarehouse } = await import('../../warehouse/migrate.ts')
  await migrateWarehouse(warehouse.warehouse)
  const runFolder = await mkdtemp(join(tmpdir(), 'sightline-run-'))
  run.provide('runFolder', runFolder)
  run.provide('databaseUrl', database.url)
  run.provide('clickhouseUrl', warehouse.url)
  return async () => {
    await Promise.all([postgres.stop(), warehouse.stop()])
    await rm(runFolder, { recursive: true, force: true })
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** What one test file makes and others copy: gone after the run. */
    runFolder: string
    databaseUrl: string
    clickhouseUrl: string
  }
}
