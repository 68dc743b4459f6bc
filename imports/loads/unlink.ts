import { z } from 'zod'
import { command } from '../../warehouse/run.ts'
import type { DatedTable } from '../analytics/dated-rows.ts'
import type { ImportStores } from '../answers/answers.ts'
import { persist } from './insert-batches.ts'
import { noProject } from './loads.ts'
import { underLock } from './lock.ts'

/**
 * Removes what came of a linked site or property, after `unlink` has ended the link: rows of another one that is
 * linked later are so never mixed with them. Doing it again is safe.
 * @throws {Fault} what `unlink` throws; `not_found`; `rate_limited` while an import runs; 502 when the warehouse is
 *   away
 */
export async function removeLinked<T>(
  { databaseUrl, warehouse }: ImportStores,
  projectId: string,
  table: DatedTable['table'],
  unlink: () => Promise<T>,
): Promise<T | undefined> {
  if (!z.guid().safeParse(projectId).success) throw noProject(projectId)
  return underLock(databaseUrl, { projectId }, async () => {
    const unlinked = await unlink()
    const sql = `DELETE FROM ${table} WHERE project_id = {projectId:UUID}`
    await persist(() => command(warehouse, { id: 'unlink.rows', sql, params: { projectId } }))
    return unlinked
  })
}
