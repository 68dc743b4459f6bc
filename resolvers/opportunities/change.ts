import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { markDone, unmarkDone } from '../marks/marks.ts'
import type { Actor, Edit, Facts } from '../shared/audit-trail.ts'
import { changeProject, type LockedProject } from '../shared/change.ts'
import { check, reason } from '../shared/inputs.ts'
import { sendJob } from '../shared/jobs.ts'
import { refusePitch } from '../shared/runnable.ts'
import { noState, type Opportunity, opportunityOf } from './transitions.ts'

/** The result of a change to an opportunity. */
export interface OpportunityChange {
  readonly opportunity: Opportunity
  /** False when the opportunity had this state already. */
  readonly changed: boolean
}

interface Target {
  readonly projectId: string
  readonly opportunityId: string
}

type Columns = Partial<Omit<Opportunity, 'evidence'>>

/** One transition that a person makes. */
interface Transition {
  readonly verb: 'complete' | 'dismiss' | 'reopen'
  readonly to: Opportunity['status']
  readonly from: readonly Opportunity['status'][]
  readonly columns: (row: Opportunity, at: Date) => Columns
}

async function requireOpportunity(
  tx: Db,
  project: LockedProject,
  id: string,
): Promise<Opportunity> {
  const where = { id, projectId: project.id }
  const found = isUuid(id) ? await tx.opportunity.findFirst({ where }) : null
  if (!found) throw notFound()
  return opportunityOf(found)
}

const factsOf = ({ status, dismissedReason }: Opportunity): Facts => ({ status, dismissedReason })

/** What an opportunity that was done concerns, by its evidence. */
function doneOf({ id: opportunityId, projectId, actionType, title, evidence }: Opportunity) {
  const all = (key: 'promptId' | 'topicId' | 'url') => [
    ...new Set(evidence.flatMap((each) => each[key] ?? [])),
  ]
  const [url = null] = all('url')
  const promptIds = all('promptId')
  return { opportunityId, projectId, actionType, title, promptIds, topicIds: all('topicId'), url }
}

/** Makes a transition. An opportunity in the state already stays unchanged. */
function transit(
  db: Db,
  actor: Actor,
  { projectId, opportunityId }: Target,
  { verb, to, from, columns }: Transition,
): Promise<OpportunityChange> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    refusePitch(project)
    const before = await requireOpportunity(tx, project, opportunityId)
    const { id } = before
    if (before.status === to) return { subjectId: id, edits: [], opportunity: before }
    if (!from.includes(before.status)) {
      throw invalid(
        'opportunityId',
        `names an opportunity that is ${before.status}: it must be ${from.join(' or ')}`,
      )
    }
    const at = new Date()
    const data = { ...noState, status: to, updatedAt: at, ...columns(before, at) }
    await tx.opportunity.update({ where: { id }, data })
    const opportunity = { ...before, ...data }
    if (verb === 'complete') await markDone(tx, doneOf(opportunity), at)
    if (verb === 'reopen') await unmarkDone(tx, id)
    const states = { before: factsOf(before), after: factsOf(opportunity) }
    const edit: Edit = { action: `opportunity.${verb}`, subject: ['opportunity', id], ...states }
    return { subjectId: id, edits: [edit], opportunity }
  })
}

/**
 * Marks an active opportunity as done.
 * @throws {Fault} `not_found`, `pitch_not_supported`; `invalid_argument` for one that is dismissed or resolved
 */
export function completeOpportunity(db: Db, actor: Actor, target: Target) {
  const columns = (_row: Opportunity, completedAt: Date) => ({ completedAt })
  return transit(db, actor, target, {
    verb: 'complete',
    to: 'completed',
    from: ['active'],
    columns,
  })
}

const dismissal = z.object({ reason })

/**
 * Dismisses an active opportunity until its impact rises.
 * @throws {Fault} as `completeOpportunity` does; `invalid_argument` for the reason
 */
export function dismissOpportunity(
  db: Db,
  actor: Actor,
  target: Target,
  input: z.input<typeof dismissal>,
) {
  const { reason: dismissedReason } = check(dismissal, input)
  const columns = (row: Opportunity, dismissedAt: Date) => ({
    dismissedAt,
    dismissedReason,
    dismissedImpact: row.impact,
  })
  return transit(db, actor, target, { verb: 'dismiss', to: 'dismissed', from: ['active'], columns })
}

/**
 * Makes an opportunity active again.
 * @throws {Fault} `not_found`, `pitch_not_supported`
 */
export function reopenOpportunity(db: Db, actor: Actor, target: Target) {
  const from = ['completed', 'dismissed', 'auto_resolved'] as const
  return transit(db, actor, target, { verb: 'reopen', to: 'active', from, columns: () => ({}) })
}

const assignment = z.object({ userId: z.uuid().nullable() })

/**
 * Gives an opportunity in any state to a member of the workspace, or to nobody.
 * @throws {Fault} `not_found`, `pitch_not_supported`; `invalid_argument` for a user who is no member
 */
export function assignOpportunity(
  db: Db,
  actor: Actor,
  { projectId, opportunityId }: Target,
  input: z.input<typeof assignment>,
): Promise<OpportunityChange> {
  const { userId } = check(assignment, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    refusePitch(project)
    const before = await requireOpportunity(tx, project, opportunityId)
    const { id, assigneeId } = before
    if (assigneeId === userId) return { subjectId: id, edits: [], opportunity: before }
    const { workspaceId } = project
    const isMember =
      userId === null || (await tx.membership.count({ where: { workspaceId, userId } })) > 0
    if (!isMember) throw invalid('userId', 'names no member of the workspace')
    await tx.opportunity.update({ where: { id }, data: { assigneeId: userId } })
    const edit: Edit = {
      action: 'opportunity.assign',
      subject: ['opportunity', id],
      before: { assigneeId },
      after: { assigneeId: userId },
    }
    return { subjectId: id, edits: [edit], opportunity: { ...before, assigneeId: userId } }
  })
}

/**
 * Sends a job that evaluates the rules of the project. A job that waits already serves this request too.
 * @throws {Fault} `not_found`, `pitch_not_supported`
 */
export function refreshOpportunities(db: Db, actor: Actor, projectId: string) {
  return changeProject(db, actor, projectId, async (tx, project) => {
    refusePitch(project)
    const { id } = project
    const isQueued = await sendJob(tx, 'opportunities', { projectId: id })
    const edit: Edit = { action: 'project.refreshOpportunities', subject: ['project', id] }
    return { subjectId: id, edits: isQueued ? [edit] : [] }
  })
}
