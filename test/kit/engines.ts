import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createTestDatabase, startTestPostgres } from './postgres.ts'
import { startTestWarehouse } from './warehouse.ts'

/** The engines that most tests share: real PostgreSQL and a real warehouse, on free ports, for one run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, warehouse] = await Promise.all([startTestPostgres(), startTestWarehouse()])
  const database = await createTestDatabase(postgres.url)
  const { migrateWarehouse } = await import('../../warehouse/migrate.ts')
  await migrateWarehouse(warehouse.warehouse)
  const runFolder = await mkdtemp(join(tmpdir(), 'sightline-run-'))
  project.provide('runFolder', runFolder)
  project.provide('databaseUrl', database.url)
  project.provide('clickhouseUrl', warehouse.url)
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
