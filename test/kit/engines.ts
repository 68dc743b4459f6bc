import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createTestDatabase, startTestPostgres } from './postgres.ts'
import { startTestWarehouse } from './warehouse.ts'

/** The engines that most tests share: real PostgreSQL and a real warehouse, on free ports, for all projects of one run. */
export async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const run = vitest.getRootProject()
  // The project before has started them, and ends them when all have run.
  if (run.getProvidedContext().runFolder !== undefined) return async () => {}
  const [postgres, warehouse] = await Promise.all([startTestPostgres(), startTestWarehouse()])
  await forgoDurability(postgres.url)
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

/** Nobody kills this server: no commit needs to wait for the disk. */
async function forgoDurability(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('ALTER ROLE CURRENT_USER SET synchronous_commit TO off')
  await client.end()
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** What one test file makes and others copy: gone after the run. */
    runFolder: string
    databaseUrl: string
    clickhouseUrl: string
  }
}
