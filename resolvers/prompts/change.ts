import { Fault, notFound } from '../../core/errors.ts'
import type { PromptUpdate, RestorationInput, TrackingInput } from '../../core/prompt-input.ts'
import { questionKey } from '../../core/question.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { ProjectRecord } from '../projects/projects.ts'
import { type Actor, difference, recordEdits } from '../shared/audit-trail.ts'
import { reservePrompts } from '../shared/quotas.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { lockedPrompt, oneWriter } from './prompts.sql.ts'
import type { PromptRevision, PromptRow } from './prompts.ts'

/** A project of which the catalog alone is changed. */
type CatalogScope = Pick<ProjectScope, 'db' | 'project'>

/** The prompt to change, and the revision that the client has read. */
export interface Target {
  readonly promptId: string
  /** Absent: any revision. */
  readonly expectedRevision?: number | undefined
}

/** The columns that a write may set. */
type Settable = Pick<
  PromptRow,
  | 'text'
  | 'intentCategory'
  | 'isBranded'
  | 'isTracked'
  | 'isImported'
  | 'keywordSearchVolume'
  | 'keywordDifficulty'
>

/** One write to a prompt. */
export interface PromptChange {
  readonly data: { readonly [Name in keyof Settable]?: Settable[Name] | undefined }
  readonly change: PromptRevision['change']
  /** The action in the audit trail. */
  readonly action: string
}

/** @throws {Fault} `INACTIVE_PITCH_PROMPT_MUTATION` */
export function refuseInactivePitch({
  kind,
  isActive,
}: Pick<ProjectRecord, 'kind' | 'isActive'>): void {
  if (kind !== 'pitch' || isActive) return
  throw new Fault('INACTIVE_PITCH_PROMPT_MUTATION', 'The pitch project is not active.')
}

function refuseStale({ currentRevision }: PromptRow, expected: number | undefined): void {
  if (expected === undefined || expected === currentRevision) return
  const message = `The prompt is at revision ${currentRevision}, not at ${expected}.`
  throw new Fault('stale_revision', message, { extras: { currentRevision } })
}

async function lockPrompt(tx: Db, projectId: string, promptId: string): Promise<PromptRow> {
  const [found] = await tx.$queryRawUnsafe<PromptRow[]>(lockedPrompt, projectId, promptId)
  if (!found) throw notFound()
  return found
}

/** The key of a question, unless another prompt has it. Call it after `oneWriter`. */
export async function freeKey(tx: Db, projectId: string, key: string): Promise<string | null> {
  const taken = await tx.prompt.count({ where: { projectId, questionKey: key } })
  return taken > 0 ? null : key
}

/** Writes a change and its revision. The prompt must be locked; for a new wording, call it after `oneWriter`. */
export async function writeChange(
  tx: Db,
  before: PromptRow,
  { data, change }: Pick<PromptChange, 'data' | 'change'>,
) {
  const revision = before.currentRevision + 1
  const rewords = data.text !== undefined && data.text !== before.text
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))
  const at = new Date()
  const key = questionKey(data.text ?? before.text)
  const isAsked = !rewords || before.questionKey === key
  const after = await tx.prompt.update({
    where: { id: before.id },
    data: {
      ...given,
      currentRevision: revision,
      updatedAt: at,
      ...(rewords ? { textChangedAt: at } : {}),
      ...(isAsked ? {} : { questionKey: await freeKey(tx, before.projectId, key) }),
    },
  })
  const { id: promptId, projectId, text } = after
  await tx.promptRevision.create({
    data: { promptId, revision, projectId, text, questionKey: key, change, createdAt: at },
  })
  return { after, given: { ...given, currentRevision: revision } }
}

/**
 * Changes a prompt under its lock. The record, its next revision and the audit entry are written together or not at
 * all.
 * @param work returns the change to the current prompt, or null for none
 * @throws {Fault} `not_found`, `INACTIVE_PITCH_PROMPT_MUTATION`, `stale_revision`, in this order, and what
 *   `work` throws
 */
async function changePrompt(
  { db, project }: CatalogScope,
  actor: Actor,
  { promptId, expectedRevision }: Target,
  work: (tx: Db, prompt: PromptRow) => Promise<PromptChange | null>,
): Promise<PromptRow> {
  if (!isUuid(promptId)) throw notFound()
  return inTransaction(db, async (tx) => {
    await tx.$executeRawUnsafe(oneWriter, project.id)
    const before = await lockPrompt(tx, project.id, promptId)
    refuseInactivePitch(project)
    refuseStale(before, expectedRevision)
    const change = await work(tx, before)
    if (!change) return before
    const { after, given } = await writeChange(tx, before, change)
    const { workspaceId, id: projectId } = project
    const { createdAt: _at, updatedAt: _on, textChangedAt: _since, ...state } = before
    await recordEdits(tx, actor, { workspaceId, projectId }, [
      { action: change.action, subject: ['prompt', before.id], ...difference(state, given) },
    ])
    return after
  })
}

/**
 * Sets the given fields of a prompt and adds 1 to its revision. Without fields nothing changes.
 * @throws {Fault} `not_found`, `INACTIVE_PITCH_PROMPT_MUTATION`, `stale_revision`
 */
export function updatePrompt(
  scope: CatalogScope,
  actor: Actor,
  promptId: string,
  { expectedRevision, ...data }: PromptUpdate,
): Promise<PromptRow> {
  const isEmpty = Object.values(data).every((value) => value === undefined)
  return changePrompt(scope, actor, { promptId, expectedRevision }, async () =>
    isEmpty ? null : { data, change: 'edited', action: 'prompt.update' },
  )
}

export const trackingChanges = {
  archive: { data: { isTracked: false }, change: 'archived', action: 'prompt.archive' },
  restore: { data: { isTracked: true }, change: 'unarchived', action: 'prompt.restore' },
} as const

/**
 * Archives a prompt, or tracks it again; reports keep its answers. A repeated action changes nothing.
 * @throws {Fault} `not_found`, `INACTIVE_PITCH_PROMPT_MUTATION`, `stale_revision`, `quota_exceeded`
 */
export function setPromptTracking(
  scope: CatalogScope,
  actor: Actor,
  promptId: string,
  { action, expectedRevision }: TrackingInput,
): Promise<PromptRow> {
  const change = trackingChanges[action]
  return changePrompt(scope, actor, { promptId, expectedRevision }, async (tx, prompt) => {
    const { isTracked } = change.data
    if (prompt.isTracked === isTracked) return null
    if (isTracked && !prompt.isImported) await reservePrompts(tx, scope.project, 1)
    return change
  })
}

/**
 * Restores the wording that a prompt had at a revision; other fields stay. The current wording changes nothing.
 * @throws {Fault} `not_found`, also for the revision; `INACTIVE_PITCH_PROMPT_MUTATION`, `stale_revision`
 */
export function restorePromptWording(
  scope: CatalogScope,
  actor: Actor,
  promptId: string,
  { revision, expectedRevision }: RestorationInput,
): Promise<PromptRow> {
  return changePrompt(scope, actor, { promptId, expectedRevision }, async (tx, { id, text }) => {
    const where = { promptId_revision: { promptId: id, revision } }
    const wanted = await tx.promptRevision.findUnique({ where, select: { text: true } })
    if (!wanted) throw notFound(String(revision))
    if (wanted.text === text) return null
    const data = { text: wanted.text }
    return { data, change: 'restored', action: 'prompt.restoreWording' }
  })
}
