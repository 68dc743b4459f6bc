import type { Db } from '../../prisma/client.ts'
import { type Import, Prisma } from '../../prisma/generated/client.ts'
import { command, type Warehouse } from '../../warehouse/run.ts'
import { logLock, resumeShape } from '../access-log/record.ts'
import { withRetries } from './insert-batches.ts'

const removalTimeoutMs = 120_000
const tokensAtOnce = 500

/** The lock of the imports of a log; undefined for a log that is forgotten. */
export async function accessLogLock(db: Db, accessLogId: string): Promise<string | undefined> {
  const row = await db.accessLog.findUnique({ where: { id: accessLogId } })
  return row ? logLock(row) : undefined
}

/** Removes the hits that came with the inserts of the import. */
export async function removeHits(warehouse: Warehouse, { projectId, batches }: Import) {
  for (let at = 0; at < batches.length; at += tokensAtOnce) {
    const tokens = batches.slice(at, at + tokensAtOnce)
    const sql = `DELETE FROM crawler_hits WHERE project_id = {projectId:UUID}
      AND has(arrayMap(token -> cityHash64(token), {tokens:Array(String)}), batch)`
    const params = { projectId, tokens }
    const statement = { id: 'undo.hits', sql, params, timeoutMs: removalTimeoutMs }
    await withRetries(() => command(warehouse, statement))
  }
}

/**
 * Lets the log be imported again from where the import began, unless a later import of the log stands: its lines must
 * not count twice.
 */
export async function forgetLog(tx: Db, { id, accessLogId }: Import): Promise<void> {
  if (accessLogId === null) return
  const ofLog = { accessLogId, id: { not: id } }
  const imports = await tx.import.findMany({ where: { accessLogId } })
  const standing = await tx.import.findMany({ where: { ...ofLog, undoneAt: null } })
  const bytesOf = ({ resume }: Import) => resumeShape.parse(resume).readBytes
  const reached = Math.max(-1, ...standing.map(bytesOf))
  const freed = imports.filter((each) => bytesOf(each) > reached)
  const [first] = freed.toSorted((a, b) => bytesOf(a) - bytesOf(b))
  if (!first) return
  const { readBytes, ...rest } = resumeShape.parse(first.resume)
  if (readBytes === 0) {
    await tx.accessLog.deleteMany({ where: { id: accessLogId } })
    return
  }
  const data = { readBytes, ...rest, dropped: { ...rest.dropped }, pending: Prisma.DbNull }
  await tx.accessLog.updateMany({ where: { id: accessLogId }, data })
}
