import { keptDays } from '../../core/channels/tries.ts'
import { firstKeptDay, firstKeptDays, type KeptKind } from '../../core/retention.ts'
import { retentionOf } from '../../core/settings.ts'
import { beginLoad, showLoad } from '../../imports/loads/loads.ts'
import { withProject } from '../../imports/loads/lock.ts'
import { removeLeftFacts } from '../../imports/loads/removal.ts'
import { loadOwnRetentions } from '../../resolvers/retention/retention.ts'
import { command, run } from '../../warehouse/run.ts'
import type { JobSteps, WorkSources } from '../job.ts'
import {
  deleteOldAudits,
  deleteOldDeliveries,
  deleteOldEntries,
  moveFirstDay,
  raiseContents,
} from './catalog.sql.ts'
import { removeEndedConnections } from './connections.ts'
import {
  datedTables,
  deleteOldContents,
  deleteOldDays,
  dropMonth,
  hasOldDays,
  oldMonths,
  oldMonthsOf,
  projectsWithOldAnswers,
  projectsWithOldContents,
} from './facts.sql.ts'

type Sources = Pick<WorkSources, 'db' | 'databaseUrl' | 'warehouse' | 'settings'>

/** Rows of one transaction. */
const batchRows = 1000
const statementMs = 600_000
/** An import that runs moves the pointer of its project by itself. */
const lockWaitMs = 1000

/** Whose older data goes: that of a workspace; null for all of them. */
type Owner = { readonly workspaceId: string; readonly projectIds: readonly string[] } | null

/**
 * Removes what is older than the settings keep, then what is older than workspaces keep theirs. Days that are kept do
 * not change. Each step can be repeated, and a run that was killed is completed by the next one.
 * @param signal ends the work between two steps
 * @returns the first kept day of each kind that the settings limit
 */
export async function enforceRetention(
  sources: Sources,
  now: Date,
  signal?: AbortSignal,
): Promise<Partial<Record<KeptKind, string>>> {
  const { db, settings } = sources
  const ofService = firstKeptDays(retentionOf(settings), now)
  await removeOlder(sources, ofService, null, signal)
  for (const { retention, ...owner } of await loadOwnRetentions(db)) {
    await removeOlder(sources, firstKeptDays(retention, now), owner, signal)
  }
  await removeRows(db, deleteOldDeliveries, [firstKeptDay(keptDays, now)], signal)
  return ofService
}

/** Removes the facts and rows of an owner before the first kept day of each kind. */
async function removeOlder(
  { db, databaseUrl, warehouse }: Sources,
  firstDays: Partial<Record<KeptKind, string>>,
  owner: Owner,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isForAll = owner === null
  const projectIds = owner?.projectIds ?? null
  const limited = async (kind: KeptKind, work: (firstDay: string) => Promise<void>) => {
    const firstDay = firstDays[kind]
    signal?.throwIfAborted()
    if (firstDay !== undefined) await work(firstDay)
  }
  const about = (firstDay: string) => ({
    params: { firstDay, ...(projectIds && { projectIds }) },
    timeoutMs: statementMs,
  })
  const removeDays = (tables: readonly string[]) => async (firstDay: string) => {
    for (const table of tables) {
      await (projectIds
        ? removeDaysOf(warehouse, table, firstDay, projectIds)
        : removeOldDays(warehouse, table, firstDay))
    }
  }
  await limited('answers', async (firstDay) => {
    const projects = await run<{ projectId: string }>(warehouse, {
      id: 'retention.projects',
      sql: projectsWithOldAnswers(isForAll),
      ...about(firstDay),
    })
    await removeDays(datedTables.answers)(firstDay)
    await db.$executeRawUnsafe(moveFirstDay, firstDay, projectIds)
    for (const { projectId } of projects)
      await moveSnapshot({ db, databaseUrl, warehouse }, projectId)
  })
  await limited('crawlerHits', removeDays(datedTables.crawlerHits))
  await limited('analytics', removeDays(datedTables.analytics))
  await limited('pageContents', async (firstDay) => {
    const found = await run<{ projectId: string }>(warehouse, {
      id: 'retention.contents',
      sql: projectsWithOldContents(isForAll),
      ...about(firstDay),
    })
    if (found.length === 0) return
    const sql = deleteOldContents(isForAll)
    await command(warehouse, { id: 'retention.remove', sql, ...about(firstDay) })
    await db.$queryRawUnsafe(
      raiseContents,
      found.map(({ projectId }) => projectId),
    )
  })
  await limited('audits', (firstDay) =>
    removeRows(db, deleteOldAudits, [firstDay, projectIds], signal),
  )
  await limited('auditTrail', async (firstDay) => {
    // The entries of deleted projects say whose facts are to be removed.
    await removeLeftFacts(db, warehouse)
    await removeRows(db, deleteOldEntries, [firstDay, owner?.workspaceId ?? null], signal)
  })
}

/** Runs a statement that removes up to `$2` rows from before `$1` until there are none; `rest` follows as `$3`. */
async function removeRows(
  db: Sources['db'],
  sql: string,
  [firstDay, ...rest]: readonly [string, ...unknown[]],
  signal: AbortSignal | undefined,
): Promise<void> {
  let removed = batchRows
  while (removed === batchRows) {
    signal?.throwIfAborted()
    removed = await db.$executeRawUnsafe(sql, firstDay, batchRows, ...rest)
  }
}

/** Marks the older days of some projects, month by month. */
async function removeDaysOf(
  warehouse: Sources['warehouse'],
  table: string,
  firstDay: string,
  projectIds: readonly string[],
): Promise<void> {
  if (projectIds.length === 0) return
  const about = { params: { firstDay, projectIds }, timeoutMs: statementMs }
  const months = await run<{ month: string }>(warehouse, {
    id: 'retention.months-of',
    sql: oldMonthsOf(table),
    ...about,
  })
  for (const { month } of months) {
    if (!/^\d{6}$/.test(month)) continue
    const sql = deleteOldDays(table, month, false)
    await command(warehouse, { id: 'retention.remove', sql, ...about })
  }
}

/** Drops whole months, and marks the older days of the month that is kept in part. */
async function removeOldDays(
  warehouse: Sources['warehouse'],
  table: string,
  firstDay: string,
): Promise<void> {
  const months = await run<{ month: string; isWhole: number }>(warehouse, {
    id: 'retention.months',
    sql: oldMonths,
    params: { table, firstDay },
  })
  for (const { month, isWhole } of months) {
    if (!/^\d{6}$/.test(month)) continue
    if (isWhole) {
      const sql = dropMonth(table, month)
      await command(warehouse, { id: 'retention.drop', sql, timeoutMs: statementMs })
      continue
    }
    const params = { firstDay, month: Number(month) }
    const about = { params, timeoutMs: statementMs }
    const found = await run(warehouse, { id: 'retention.days', sql: hasOldDays(table), ...about })
    if (found.length === 0) continue
    const sql = deleteOldDays(table, month, true)
    await command(warehouse, { id: 'retention.remove', sql, ...about })
  }
}

/** Gives a project a new snapshot: what processes remember of the old one is then not asked again. */
async function moveSnapshot(
  stores: Pick<Sources, 'db' | 'databaseUrl' | 'warehouse'>,
  projectId: string,
): Promise<void> {
  const move = async () => {
    await showLoad(stores.db, await beginLoad(stores.db, stores.warehouse, projectId), null)
  }
  // A project that is gone, or whose import runs, needs none.
  await withProject(stores, { projectId, waitMs: lockWaitMs }, move).catch((error: Error) => {
    if (!('code' in error) || !['not_found', 'rate_limited'].includes(String(error.code)))
      throw error
  })
}

/** Runs each night. */
export const retentionJob: JobSteps<object> = {
  run: async (_, work) => {
    await removeEndedConnections(work.db)
    const kept = await enforceRetention(work, new Date(), work.stopping)
    if (Object.keys(kept).length > 0) work.log.info({ kept }, 'older data removed')
  },
  // The next night finds the same.
  fail: async () => undefined,
}
