import type { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import type { manyTopicsBody, manyTrackingBody } from '../../core/prompt-input.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits } from '../shared/audit-trail.ts'
import { reservePrompts } from '../shared/quotas.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { addTopics, keepTopics } from './add.ts'
import { refuseInactivePitch, trackingChanges, writeChange } from './change.ts'
import { lockedPrompts } from './prompts.sql.ts'
import type { PromptRow } from './prompts.ts'
import { asOnlyWriter } from './questions.ts'

type CatalogScope = Pick<ProjectScope, 'db' | 'project'>

/** Prompts that were named by one write. */
export interface ManyChanged {
  /** As they are now. */
  readonly prompts: readonly PromptRow[]
  /** How many of them changed. */
  readonly changed: number
}

/** Locks prompts of a project. @throws {Fault} `not_found` for the first that is missing */
async function lockMany(tx: Db, projectId: string, given: readonly string[]): Promise<PromptRow[]> {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))]
  const rows = await tx.$queryRawUnsafe<PromptRow[]>(lockedPrompts, projectId, ids.filter(isUuid))
  const missing = ids.find((id) => rows.every((row) => row.id !== id))
  if (missing !== undefined) throw notFound(missing)
  return rows
}

/**
 * Archives prompts, or tracks them again; all or none. Those in this state already do not change.
 * @throws {Fault} `not_found`, `INACTIVE_PITCH_PROMPT_MUTATION`, `quota_exceeded`
 */
export function setTrackingOfMany(
  { db, project }: CatalogScope,
  actor: Actor,
  { promptIds, action }: z.output<typeof manyTrackingBody>,
): Promise<ManyChanged> {
  const change = trackingChanges[action]
  const { isTracked } = change.data
  return asOnlyWriter(db, project.id, async (tx) => {
    const rows = await lockMany(tx, project.id, promptIds)
    refuseInactivePitch(project)
    const wanted = rows.filter((row) => row.isTracked !== isTracked)
    const counted = wanted.filter(({ isImported }) => !isImported)
    if (isTracked) await reservePrompts(tx, project, counted.length)
    const after = new Map<string, PromptRow>()
    for (const row of wanted) after.set(row.id, (await writeChange(tx, row, change)).after)
    const edits = wanted.map(
      ({ id }): Edit => ({
        action: change.action,
        subject: ['prompt', id],
        before: { isTracked: !isTracked },
        after: { isTracked },
      }),
    )
    const { workspaceId, id: projectId } = project
    await recordEdits(tx, actor, { workspaceId, projectId }, edits)
    return { prompts: rows.map((row) => after.get(row.id) ?? row), changed: wanted.length }
  })
}

/**
 * Adds topics to prompts and removes others; all or none. Added topics come after those that a prompt has.
 * @throws {Fault} `not_found`, also for a topic to add; `INACTIVE_PITCH_PROMPT_MUTATION`
 */
export function changeTopicsOfMany(
  { db, project }: CatalogScope,
  actor: Actor,
  { promptIds, addTopicIds = [], removeTopicIds = [] }: z.output<typeof manyTopicsBody>,
): Promise<ManyChanged> {
  const added = [...new Set(addTopicIds.map((id) => id.toLowerCase()))]
  const removed = removeTopicIds.filter(isUuid)
  return asOnlyWriter(db, project.id, async (tx) => {
    const prompts = await lockMany(tx, project.id, promptIds)
    refuseInactivePitch(project)
    await keepTopics(tx, project.id, added)
    const edits: Edit[] = []
    for (const { id } of prompts) {
      const where = { promptId: id, topicId: { in: removed } }
      const { count } = await tx.promptTopic.deleteMany({ where })
      const lacked = await addTopics(tx, id, added)
      if (count + lacked === 0) continue
      const after = { addedTopicIds: added, removedTopicIds: removed }
      edits.push({ action: 'prompt.topics', subject: ['prompt', id], after })
    }
    const { workspaceId, id: projectId } = project
    await recordEdits(tx, actor, { workspaceId, projectId }, edits)
    return { prompts, changed: edits.length }
  })
}
