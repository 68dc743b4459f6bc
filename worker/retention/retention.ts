import { keptDays } from '../../core/channels/tries.ts'
import type { Settings } from '../../core/settings.ts'
import { beginLoad, showLoad } from '../../imports/loads/loads.ts'
import { withProject } from '../../imports/loads/lock.ts'
import { removeLeftFacts } from '../../imports/loads/removal.ts'
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
  projectsWithOldAnswers,
  projectsWithOldContents,
} from './facts.sql.ts'

type Sources = Pick<WorkSources, 'db' | 'databaseUrl' | 'warehouse' | 'settings'>

/** Rows of one transaction. */
const batchRows = 1000
const statementMs = 600_000
const dayMs = 24 * 3600 * 1000
/** An import that runs moves the pointer of its project by itself. */
const lockWaitMs = 1000

/** The first day that is kept, `YYYY-MM-DD`: with 30, the 30 days before today. @returns undefined to keep all */
function firstDayOf(days: number | undefined, now: Date): string | undefined {
  if (days === undefined) return undefined
  return new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
}

/**
 * Removes what is older than the settings keep. Days that are kept do not change. Each step can be repeated, and a run
 * that was killed is completed by the next one.
 * @param signal ends the work between two steps
 * @returns the first kept day of each kind that has a limit
 */
export async function enforceRetention(
  { db, databaseUrl, warehouse, settings }: Sources,
  now: Date,
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  const kept: Record<string, string> = {}
  const limited = async (name: keyof Settings & `RETENTION_${string}`, work: Step) => {
    const firstDay = firstDayOf(settings[name], now)
    signal?.throwIfAborted()
    if (firstDay === undefined) return
    await work(firstDay)
    kept[name] = firstDay
  }
  const removeDays = (tables: readonly string[]) => async (firstDay: string) => {
    for (const table of tables) await removeOldDays(warehouse, table, firstDay)
  }
  await limited('RETENTION_ANSWERS_DAYS', async (firstDay) => {
    const projects = await run<{ projectId: string }>(warehouse, {
      id: 'retention.projects',
      sql: projectsWithOldAnswers,
      params: { firstDay },
      timeoutMs: statementMs,
    })
    await removeDays(datedTables.RETENTION_ANSWERS_DAYS)(firstDay)
    await db.$executeRawUnsafe(moveFirstDay, firstDay)
    for (const { projectId } of projects)
      await moveSnapshot({ db, databaseUrl, warehouse }, projectId)
  })
  await limited('RETENTION_CRAWLER_HITS_DAYS', removeDays(datedTables.RETENTION_CRAWLER_HITS_DAYS))
  await limited('RETENTION_ANALYTICS_DAYS', removeDays(datedTables.RETENTION_ANALYTICS_DAYS))
  await limited('RETENTION_PAGE_CONTENTS_DAYS', async (firstDay) => {
    const params = { firstDay }
    const about = { params, timeoutMs: statementMs }
    const found = await run<{ projectId: string }>(warehouse, {
      id: 'retention.contents',
      sql: projectsWithOldContents,
      ...about,
    })
    if (found.length === 0) return
    await command(warehouse, { id: 'retention.remove', sql: deleteOldContents, ...about })
    const projectIds = found.map(({ projectId }) => projectId)
    await db.$queryRawUnsafe(raiseContents, projectIds)
  })
  await limited('RETENTION_AUDITS_DAYS', (firstDay) => removeRows(deleteOldAudits, firstDay))
  await limited('RETENTION_AUDIT_TRAIL_DAYS', async (firstDay) => {
    // The entries of deleted projects say whose facts are to be removed.
    await removeLeftFacts(db, warehouse)
    await removeRows(deleteOldEntries, firstDay)
  })
  await removeRows(deleteOldDeliveries, firstDayOf(keptDays, now) ?? '')
  return kept

  async function removeRows(sql: string, firstDay: string): Promise<void> {
    let removed = batchRows
    while (removed === batchRows) {
      signal?.throwIfAborted()
      removed = await db.$executeRawUnsafe(sql, firstDay, batchRows)
    }
  }
}

type Step = (firstDay: string) => Promise<void>

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
    await command(warehouse, { id: 'retention.remove', sql: deleteOldDays(table, month), ...about })
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
