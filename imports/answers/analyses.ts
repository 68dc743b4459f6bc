import type { Catalog } from '../../prisma/client.ts'
import { command, run, type Warehouse } from '../../warehouse/run.ts'
import { beginLoad, type Load, noProject } from '../loads/loads.ts'

/** One attempt to count the mentions anew. It is a load that brings no answers, and shows an analysis. */
export interface Analysis {
  readonly load: Load
  /** What its rows carry; no other attempt ever carried it. */
  readonly number: number
}

/** No request that began so long ago still reads. */
const longestRequestMs = 60_000

/**
 * Takes a number, and has the rows of other analyses removed: at once those that nobody ever saw, and those
 * that readers saw once nobody can be reading them. Call it under `importLock`.
 * @throws {Fault} `not_found`
 */
export async function beginAnalysis(
  db: Catalog,
  warehouse: Warehouse,
  projectId: string,
): Promise<Analysis> {
  const project = await db.project.findUnique({
    where: { id: projectId },
    select: { updatedAt: true },
  })
  if (!project) throw noProject(projectId)
  const load = await beginLoad(db, warehouse, projectId)
  const found = await run(warehouse, {
    id: 'analyses.found',
    sql: 'SELECT DISTINCT analysis FROM mentions WHERE project_id = {projectId:UUID}',
    params: { projectId },
    timeoutMs: 60_000,
    row: ({ analysis }) => Number(analysis),
  })
  // The analysis that is seen was put there by a write of the project, so it is at least as old.
  const isSettled = Date.now() - project.updatedAt.getTime() > longestRequestMs
  const over = found.filter((it) => it > load.analysis || (isSettled && it < load.analysis))
  if (over.length > 0) {
    await command(warehouse, {
      id: 'analyses.sweep',
      sql: `DELETE FROM mentions WHERE project_id = {projectId:UUID} AND analysis IN {over:Array(UInt32)}
        SETTINGS lightweight_deletes_sync = 0`,
      params: { projectId, over },
    })
  }
  // The number of a load is used once; but a restored catalog counts some again.
  return { load, number: 1 + Math.max(load.seq, load.analysis, ...found) }
}
