import type { Db } from '../../prisma/client.ts'
import type { Import } from '../../prisma/generated/client.ts'
import type { Edit } from '../../resolvers/shared/audit-trail.ts'

/** Removes the connection that imports made, once none of them stands. */
export async function removeLink(tx: Db, { id, connectionId }: Import): Promise<Edit[]> {
  if (connectionId === null) return []
  const standing = { connectionId, undoneAt: null, failure: null, id: { not: id } }
  if ((await tx.import.count({ where: standing })) > 0) return []
  if ((await tx.import.count({ where: { connectionId, madeLink: true } })) === 0) return []
  const [link] = await tx.connection.findMany({ where: { id: connectionId } })
  if (!link) return []
  await tx.connection.delete({ where: { id: connectionId } })
  const { kind, host } = link
  const subject = ['connection', connectionId] as const
  return [{ action: 'connection.remove', subject, before: { kind, host } }]
}
