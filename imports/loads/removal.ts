import { Fault } from '../../core/errors.ts'
import { type Db, LockBusyError, withAdvisoryLock } from '../../prisma/client.ts'
import { command, run, type Warehouse } from '../../warehouse/run.ts'
import { importLock } from './loads.ts'

export interface RemovalStores {
  /** For the lock, which needs a session of its own. */
  readonly databaseUrl: string
  readonly warehouse: Warehouse
}

const defaultWaitMs = 10_000

/**
 * Has every fact of a project removed, in the background. Whatever table has a `project_id` is meant, so
 * that one that is added later is not forgotten.
 * @throws {Fault} 502 when the warehouse is away; doing it again is safe
 */
async function removeFacts(warehouse: Warehouse, projectId: string): Promise<void> {
  const tables = await run(warehouse, {
    id: 'removal.tables',
    sql: `SELECT t.name AS name
            FROM system.tables AS t
            JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
           WHERE t.database = currentDatabase() AND c.name = 'project_id' AND t.engine LIKE '%MergeTree'
           ORDER BY name`,
    row: ({ name }) => String(name),
  })
  for (const table of tables) {
    const params = { projectId }
    const found = await run(warehouse, {
      id: 'removal.remaining',
      sql: `SELECT 1 FROM \`${table}\` WHERE project_id = {projectId:UUID} LIMIT 1`,
      params,
      row: () => true,
    })
    if (found.length === 0) continue
    await command(warehouse, {
      id: 'removal.facts',
      sql: `DELETE FROM \`${table}\` WHERE project_id = {projectId:UUID} SETTINGS lightweight_deletes_sync = 0`,
      params,
    })
  }
}

/**
 * Has the facts removed of projects that were deleted while the warehouse went away: those that the audit
 * trail says were deleted.
 * @throws {Fault} 502 when the warehouse is away
 */
export async function removeLeftFacts(db: Db, warehouse: Warehouse): Promise<void> {
  const deleted = await db.auditEntry.findMany({
    where: { action: 'project.delete' },
    select: { subjectId: true },
    orderBy: { id: 'asc' },
  })
  for (const { subjectId } of deleted) await removeFacts(warehouse, subjectId)
}

/**
 * Removes a project for good: `fromCatalog` takes it out of the catalog, and its facts go after it. No import
 * runs meanwhile, or it would leave facts of a project that is gone.
 * @throws {Fault} what `fromCatalog` throws; `rate_limited` while an import runs; 502 when the warehouse is away
 */
export async function removeProject<T>(
  { databaseUrl, warehouse }: RemovalStores,
  projectId: string,
  fromCatalog: () => Promise<T>,
  { waitMs = defaultWaitMs } = {},
): Promise<T> {
  try {
    return await withAdvisoryLock(
      databaseUrl,
      importLock(projectId),
      async () => {
        // Asked first, so that a warehouse that is away keeps the project whole.
        await run(warehouse, { id: 'removal.probe', sql: 'SELECT 1', row: () => null })
        const removed = await fromCatalog()
        await removeFacts(warehouse, projectId)
        return removed
      },
      { waitMs },
    )
  } catch (error) {
    if (!(error instanceof LockBusyError)) throw error
    const message = 'An import into this project has not ended. Try again later.'
    throw new Fault('rate_limited', message, { headers: { 'Retry-After': '60' } })
  }
}
