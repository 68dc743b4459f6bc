import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, type Facts, recordEdits } from '../shared/audit-trail.ts'
import { reason } from '../shared/inputs.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { lockedIssue } from './issues.sql.ts'
import { type Issue, type IssueRow, issueOf } from './issues.ts'

/** Arguments of `ignoreIssue` beside the issue. */
export const ignoreInput = z.object({ reason })

/** The columns that a person sets. */
type Change = Pick<IssueRow, 'status' | 'resolution' | 'resolvedAt' | 'ignoredReason'> & {
  readonly openedAt?: Date
}

const factsOf = ({ status, resolution, ignoredReason }: Change | IssueRow): Facts => {
  return { status, resolution, reason: ignoredReason }
}

/** Changes an issue under its lock, with an entry in the audit trail; null changes nothing. */
async function changeIssue(
  { db, project }: ProjectScope,
  actor: Actor,
  issueId: string,
  action: string,
  changeOf: (issue: IssueRow) => Change | null,
): Promise<Issue> {
  if (!isUuid(issueId)) throw notFound()
  return inTransaction(db, async (tx: Db) => {
    const locked = await tx.$queryRawUnsafe<unknown[]>(lockedIssue, project.id, issueId)
    if (locked.length === 0) throw notFound()
    const before = await tx.issue.findUniqueOrThrow({ where: { id: issueId } })
    const change = changeOf(before)
    if (!change) return issueOf(before)
    const after = await tx.issue.update({ where: { id: issueId }, data: change })
    await recordEdits(tx, actor, { workspaceId: project.workspaceId, projectId: project.id }, [
      { action, subject: ['issue', issueId], before: factsOf(before), after: factsOf(change) },
    ])
    return issueOf(after)
  })
}

/**
 * Resolves an issue as ignored: later audits leave it so, and scores do not count it. An ignored issue does not change.
 * @throws {Fault} `not_found`
 */
export function ignoreIssue(
  scope: ProjectScope,
  actor: Actor,
  issueId: string,
  reason: string,
): Promise<Issue> {
  return changeIssue(scope, actor, issueId, 'issue.ignore', ({ resolution }) =>
    resolution === 'ignored'
      ? null
      : {
          status: 'resolved',
          resolution: 'ignored',
          resolvedAt: scope.now,
          ignoredReason: reason,
        },
  )
}

/**
 * Opens a resolved issue. An open issue does not change.
 * @throws {Fault} `not_found`
 */
export function reopenIssue(scope: ProjectScope, actor: Actor, issueId: string): Promise<Issue> {
  return changeIssue(scope, actor, issueId, 'issue.reopen', ({ status }) =>
    status === 'open'
      ? null
      : {
          status: 'open',
          resolution: null,
          resolvedAt: null,
          ignoredReason: null,
          openedAt: scope.now,
        },
  )
}
