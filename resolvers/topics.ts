import { z } from 'zod'
import { parseLocation } from '../core/countries.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { Db } from '../prisma/client.ts'
import type { Actor } from './shared/audit-trail.ts'
import { changeProject, type Outcome } from './shared/change.ts'
import { isUuid } from './shared/ids.ts'
import { check, label } from './shared/inputs.ts'

const topicSchema = z.object({ name: label })

export type TopicInput = z.input<typeof topicSchema>

/**
 * Adds a topic. One of this name stays as it is.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export function addTopic(
  db: Db,
  actor: Actor,
  projectId: string,
  input: TopicInput,
): Promise<Outcome> {
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
 * Gives a topic another name; its prompts stay with it.
 * @throws {Fault} `invalid_argument`, also for a name that another has; `not_found`
 */
export function renameTopic(
  db: Db,
  actor: Actor,
  projectId: string,
  topicId: string,
  input: TopicInput,
): Promise<Outcome> {
  const after = check(topicSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, name } = await requireTopic(tx, project.id, topicId)
    if (name === after.name) return { subjectId: id, edits: [] }
    const taken = await tx.topic.count({ where: { projectId: project.id, ...after } })
    if (taken > 0) throw invalid('name', `there is a topic "${after.name}" already`)
    await tx.topic.update({ where: { id }, data: after })
    const before = { name }
    return {
      subjectId: id,
      edits: [{ action: 'topic.update', subject: ['topic', id], before, after }],
    }
  })
}

/**
 * Removes a topic. Its prompts stay, without it.
 * @throws {Fault} `not_found`
 */
export function removeTopic(
  db: Db,
  actor: Actor,
  projectId: string,
  topicId: string,
): Promise<Outcome> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, name } = await requireTopic(tx, project.id, topicId)
    await tx.topic.delete({ where: { id } })
    const before = { name }
    return { subjectId: id, edits: [{ action: 'topic.remove', subject: ['topic', id], before }] }
  })
}

const locationSchema = z.object({ place: label, country: label.nullish() })

export type LocationInput = z.input<typeof locationSchema>

interface LocationFacts {
  readonly countryCode: string
  readonly city: string | null
  readonly region: string | null
}

const locationFacts = ({ countryCode, city, region }: LocationFacts) => ({
  countryCode,
  city,
  region,
})

/**
 * Adds a place, such as "Berlin, Germany", "Austin, Texas, US" or "DE".
 * @param idOf the id of a place by project and label, as imports make it: answers are told apart by it, so
 *   that one that was removed and is met again must have the id that it had
 * @throws {Fault} `invalid_argument`, also when no country can be told; `not_found`
 */
export function addLocation(
  db: Db,
  actor: Actor,
  projectId: string,
  input: LocationInput,
  idOf: (projectId: string, label: string) => string,
): Promise<Outcome> {
  const { place, country } = check(locationSchema, input)
  const location = parseLocation(place, country)
  if (!location) {
    throw invalid('place', `"${place}" names no country: write it as "Berlin, Germany"`)
  }
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { label } = location
    const where = { projectId_label: { projectId: project.id, label } }
    const existing = await tx.location.findUnique({ where })
    if (existing) return { subjectId: existing.id, edits: [] }
    const id = idOf(project.id, label)
    await tx.location.create({ data: { id, projectId: project.id, ...location } })
    const after = locationFacts(location)
    return {
      subjectId: id,
      edits: [{ action: 'location.add', subject: ['location', id], after }],
    }
  })
}

/**
 * Removes a place. The answers collected there stay.
 * @throws {Fault} `not_found`
 */
export function removeLocation(
  db: Db,
  actor: Actor,
  projectId: string,
  locationId: string,
): Promise<Outcome> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const where = { id: locationId, projectId: project.id }
    const found = isUuid(locationId) ? await tx.location.findFirst({ where }) : null
    if (!found) throw notFound()
    const { id } = await tx.location.delete({ where: { id: found.id } })
    const before = locationFacts(found)
    return {
      subjectId: id,
      edits: [{ action: 'location.remove', subject: ['location', id], before }],
    }
  })
}
