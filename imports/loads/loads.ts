import { randomUUID } from 'node:crypto'
import { Fault } from '../../core/errors.ts'
import type { Catalog } from '../../prisma/client.ts'
import { command, run, type Warehouse } from '../../warehouse/run.ts'

/** The tables whose rows belong to a load. `answers` is written last. */
export const factTables = [
  'citations',
  'mentions',
  'fanout_queries',
  'product_mentions',
  'ad_impressions',
  'answers',
] as const
export type FactTable = (typeof factTables)[number]

/** One attempt to import into a project. Its rows carry `seq` and are seen once the catalog says so. */
export interface Load {
  readonly projectId: string
  readonly seq: number
  /** Names this attempt alone, whatever becomes of the numbers: a restored catalog counts some again. */
  readonly attempt: string
  readonly analysis: number
  /** The newest load that readers see, and those below it that were cut off. */
  readonly visibleLoad: number
  readonly deadLoads: readonly number[]
  /** Those that are dead once this load is seen. */
  readonly deadAfter: readonly number[]
}

/** 404: there is no such project. */
export function noProject(projectId: string): Fault {
  return new Fault('not_found', `There is no project "${projectId}".`)
}

/** The lock that whoever writes facts of a project holds meanwhile. */
export function importLock(projectId: string): string {
  return `import:${projectId}`
}

/**
 * Takes the next number, and has the rows of cut-off attempts removed. Call it under `importLock`.
 * @throws {Fault} `not_found`
 */
export async function beginLoad(
  db: Catalog,
  warehouse: Warehouse,
  projectId: string,
): Promise<Load> {
  const [project] = await db.project.updateManyAndReturn({
    where: { id: projectId },
    data: { lastLoad: { increment: 1 } },
    select: { lastLoad: true, visibleLoad: true, deadLoads: true, analysis: true },
  })
  if (!project) throw noProject(projectId)
  const { lastLoad: seq, visibleLoad, deadLoads, analysis } = project
  const unseen = Array.from({ length: seq - 1 - visibleLoad }, (_, at) => visibleLoad + 1 + at)
  const remaining = await sweep(warehouse, projectId, [...deadLoads, ...unseen])
  // One that was unseen may still have a request on its way; one that has no rows now never will.
  const deadAfter = [...deadLoads.filter((dead) => remaining.has(dead)), ...unseen]
  const attempt = randomUUID()
  return { projectId, seq, attempt, analysis, visibleLoad, deadLoads, deadAfter }
}

/**
 * Has the rows of these loads removed, in the background: no reader sees them meanwhile.
 * @returns the loads that still had rows
 */
async function sweep(
  warehouse: Warehouse,
  projectId: string,
  loads: readonly number[],
): Promise<Set<number>> {
  const remaining = new Set<number>()
  if (loads.length === 0) return remaining
  const where = 'WHERE project_id = {projectId:UUID} AND load_seq IN {loads:Array(UInt32)}'
  for (const table of factTables) {
    const found = await run(warehouse, {
      id: 'imports.remaining',
      sql: `SELECT DISTINCT load_seq FROM ${table} ${where}`,
      params: { projectId, loads },
      row: ({ load_seq }) => Number(load_seq),
    })
    if (found.length === 0) continue
    for (const load of found) remaining.add(load)
    await command(warehouse, {
      id: 'imports.sweep',
      sql: `DELETE FROM ${table} ${where} SETTINGS lightweight_deletes_sync = 0`,
      params: { projectId, loads: found },
    })
  }
  return remaining
}

/**
 * Shows the load to readers, all at once, and marks those that were cut off since the last one dead.
 * @param firstDay the earliest day with an answer, `YYYY-MM-DD`, or null when the load brought none
 * @param nextAnalysis the analysis that readers see from now on, where it is another
 * @throws {Fault} 502 when another import or analysis took the project over meanwhile: nothing is shown
 */
export async function showLoad(
  db: Catalog,
  load: Load,
  firstDay: string | null,
  nextAnalysis = load.analysis,
): Promise<void> {
  const { projectId, seq, analysis, deadAfter } = load
  // Number and analysis fence: they are these only while nobody else began after us.
  const changed = await db.$executeRaw`
    UPDATE "Project" SET
      "visibleLoad" = ${seq}::int,
      "deadLoads" = ${deadAfter}::int[],
      "dataAvailableFrom" = LEAST("dataAvailableFrom", ${firstDay}::date),
      "analysis" = ${nextAnalysis}::int,
      "updatedAt" = now()
    WHERE "id" = ${projectId}::uuid AND "lastLoad" = ${seq}::int AND "analysis" = ${analysis}::int`
  if (changed !== 1) {
    const message =
      'Another import or analysis took over the project. Nothing has changed: try again.'
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  }
}
