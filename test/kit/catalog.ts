import { inject } from 'vitest'
import { type Catalog, createCatalog } from '../../prisma/client.ts'

let shared: Catalog | undefined

/**
 * The catalog that most tests share, through one client for all files of a process: each client has a query compiler of its
 * own. Its connections end with the process.
 */
export function sharedCatalog(): Catalog {
  shared ??= createCatalog(inject('databaseUrl'))
  return shared
}
