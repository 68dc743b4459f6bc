import type { Db } from '../../prisma/client.ts'
import { type AnalyticsKind, unlinkAnalytics } from '../../resolvers/connections/analytics.ts'
import { deleteProject } from '../../resolvers/projects/change.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { ProjectChangeResult } from '../../resolvers/shared/change.ts'
import { command, run, type Warehouse } from '../../warehouse/run.ts'
import { withRetries } from './insert-batches.ts'
import { underLock, withProject } from './lock.ts'
import type { ImportStores } from './runner.ts'
import { settleImports } from './settle.ts'

const removalWaitMs = 10_000

/** A table with many parts takes long to mark rows as deleted while the machine is busy. */
const removalTimeoutMs = 120_000

/**
 * Removes every fact of a project, in the background, from all tables with a column `project_id`.
 * @throws {Fault} 502 when the warehouse is away; a second call is safe
 */
async function removeFacts(warehouse: Warehouse, projectId: string): Promise<void> {
  const tables = await run(warehouse, {
    id: 'removal.tables',
    // On a cluster each table is two: `answers_local`, and `answers` on all shards.
    sql: `SELECT replaceRegexpOne(t.name, '_local$', '') AS name
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
      timeoutMs: removalTimeoutMs,
    })
  }
}

/**
 * Removes remaining facts of all deleted projects of the audit trail: the warehouse may have been away when they were
 * deleted.
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
 * Deletes a project from the catalog, and then its facts. It holds the lock of imports: an import at the same time would
 * leave facts of a deleted project.
 * @throws {Fault} `not_found`; `rate_limited` while an import runs; 502 when the warehouse is away
 */
export async function removeProject(
  { db, databaseUrl, warehouse }: ImportStores,
  actor: Actor,
  projectId: string,
  { waitMs = removalWaitMs } = {},
): Promise<ProjectChangeResult> {
  return underLock(databaseUrl, { projectId, waitMs }, async () => {
    // Checked first, so that the project stays whole while the warehouse is away.
    await run(warehouse, { id: 'removal.probe', sql: 'SELECT 1', row: () => null })
    const removed = await deleteProject(db, actor, projectId)
    await removeFacts(warehouse, projectId)
    return removed
  })
}

const linkedRows = {
  webAnalytics: 'web_analytics WHERE',
  searchConsole: "search_console WHERE engine = 'google' AND",
  bingWebmaster: "search_console WHERE engine = 'bing' AND",
} as const

/**
 * Unlinks the site or property of a project, and removes its rows, so that they never mix with rows of another one. A
 * second call changes nothing.
 * @throws {Fault} `not_found`; `rate_limited` while an import runs; 502 when the warehouse is away
 */
export async function removeLinked(
  stores: ImportStores,
  actor: Actor,
  projectId: string,
  kind: AnalyticsKind,
): Promise<ProjectChangeResult> {
  const { db, warehouse } = stores
  return withProject(stores, { projectId }, async (project) => {
    const { id } = project
    await settleImports(stores, project)
    const unlinked = await unlinkAnalytics(db, actor, id, kind)
    const sql = `DELETE FROM ${linkedRows[kind]} project_id = {projectId:UUID}`
    const params = { projectId: id }
    const statement = { id: 'unlink.rows', sql, params, timeoutMs: removalTimeoutMs }
    await withRetries(() => command(warehouse, statement))
    return unlinked
  })
}
