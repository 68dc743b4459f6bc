import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import { type Actor, recordEdits } from '../shared/audit-trail.ts'
import { refusePitch } from '../shared/runnable.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { lockedAudit } from './audits.sql.ts'
import { type Audit, auditOf } from './audits.ts'

/**
 * Ends an audit before its findings become issues. Pages that were judged stay listed. An audit that has ended does
 * not change.
 * @throws {Fault} `pitch_not_supported`, `not_found`
 */
export async function cancelAudit(
  { db, project, now }: ProjectScope,
  actor: Actor,
  auditId: string,
): Promise<Audit> {
  refusePitch(project)
  if (!isUuid(auditId)) throw notFound()
  return inTransaction(db, async (tx) => {
    const locked = await tx.$queryRawUnsafe<unknown[]>(lockedAudit, project.id, auditId)
    if (locked.length === 0) throw notFound()
    const before = await tx.audit.findUniqueOrThrow({ where: { id: auditId } })
    const { status } = before
    if (status !== 'queued' && status !== 'running') return auditOf(before)
    const change = { status: 'failed', error: 'cancelled' } as const
    const after = await tx.audit.update({
      where: { id: auditId },
      data: { ...change, completedAt: now },
    })
    await recordEdits(tx, actor, { workspaceId: project.workspaceId, projectId: project.id }, [
      { action: 'audit.cancel', subject: ['audit', auditId], before: { status }, after: change },
    ])
    return auditOf(after)
  })
}
