import type { TestProject } from 'vitest/node'
import { createTestDatabase, startTestPostgres } from './postgres.ts'
import { startTestWarehouse } from './warehouse.ts'

/** The engines that most tests share: real PostgreSQL and a real warehouse, on free ports, for one run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, warehouse] = await Promise.all([startTestPostgres(), startTestWarehouse()])
  const database = await createTestDatabase(postgres.url)
  const { migrateWarehouse } = await import('../../warehouse/migrate.ts')
  await migrateWarehouse(warehouse.warehouse)
  project.provide('databaseUrl', database.url)
  project.provide('clickhouseUrl', warehouse.url)
  return async () => {
    await Promise.all([postgres.stop(), warehouse.stop()])
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
    clickhouseUrl: string
  }
}
