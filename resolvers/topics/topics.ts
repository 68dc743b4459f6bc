import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { groupByProject } from '../shared/by-project.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { check, label } from '../shared/inputs.ts'
import { topicsByProject } from './topics.sql.ts'

const topicSchema = z.object({ name: label })

export type TopicInput = z.input<typeof topicSchema>

export interface TopicSummary {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly promptCount: number
  readonly trackedPromptCount: number
}

/** Topics of each project with their prompt counts, by name. */
export async function loadTopics(db: Db, projectIds: readonly string[]): Promise<TopicSummary[][]> {
  const rows = await db.$queryRawUnsafe<TopicSummary[]>(topicsByProject, projectIds)
  return groupByProject(projectIds, rows)
}

/**
 * Adds a topic. An existing topic with the name is left unchanged.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export function addTopic(
  db: Db,
  actor: Actor,
  projectId: string,
  input: TopicInput,
): Promise<ProjectChangeResult> {
  const after = check(topicSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const data = { projectId: project.id, ...after }
    const existing = await tx.topic.findUnique({ where: { projectId_name: data } })
    if (existing) return { subjectId: existing.id, edits: [] }
    const { id } = await tx.topic.create({ data })
    return { subjectId: id, edits: [{ action: 'topic.add', subject: ['topic', id], after }] }
  })
}

async function requireTopic(tx: Db, projectId: string, id: string) {
  const found = isUuid(id) ? await tx.topic.findFirst({ where: { id, projectId } }) : null
  if (!found) throw notFound()
  return found
}

/**
 * Renames a topic; it keeps its prompts.
 * @throws {Fault} `invalid_argument`, also for another topic's name; `not_found`
 */
export function renameTopic(
  db: Db,
  actor: Actor,
  projectId: string,
  topicId: string,
  input: TopicInput,
): Promise<ProjectChangeResult> {
  const after = check(topicSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, name } = await requireTopic(tx, project.id, topicId)
    if (name === after.name) return { subjectId: id, edits: [] }
    const taken = await tx.topic.count({ where: { projectId: project.id, ...after } })
    if (taken > 0) throw invalid('name', 'is the name of another topic', after.name)
    await tx.topic.update({ where: { id }, data: after })
    const before = { name }
    return {
      subjectId: id,
      edits: [{ action: 'topic.update', subject: ['topic', id], before, after }],
    }
  })
}

/**
 * Removes a topic. Its prompts stay.
 * @throws {Fault} `not_found`
 */
export function removeTopic(
  db: Db,
  actor: Actor,
  projectId: string,
  topicId: string,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, name } = await requireTopic(tx, project.id, topicId)
    await tx.topic.delete({ where: { id } })
    const before = { name }
    return { subjectId: id, edits: [{ action: 'topic.remove', subject: ['topic', id], before }] }
  })
}
