import { z } from 'zod'
import { parseLocation } from '../core/countries.ts'
import { invalid, notFound } from '../core/errors.ts'
import { locationId } from '../core/ids.ts'
import { isUuid } from '../core/uuid.ts'
import type { Db } from '../prisma/client.ts'
import type { Actor } from './shared/audit-trail.ts'
import { groupByProject } from './shared/by-project.ts'
import { changeProject, type ProjectChangeResult } from './shared/change.ts'
import { check, label } from './shared/inputs.ts'

const locationSchema = z.object({ place: label, country: label.nullish() })

export type LocationInput = z.input<typeof locationSchema>

/** Tracked locations of each project, by country and city. */
export async function loadLocations(db: Db, projectIds: readonly string[]) {
  const rows = await db.location.findMany({
    where: { projectId: { in: [...projectIds] } },
    orderBy: [{ countryCode: 'asc' }, { city: 'asc' }, { id: 'asc' }],
  })
  return groupByProject(projectIds, rows)
}

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
 * Adds a location, such as "Berlin, Germany", "Austin, Texas, US" or "DE". Ids of answers derive from its id: a
 * location that is removed and added again keeps its id.
 * @throws {Fault} `invalid_argument`, also when the place names no country; `not_found`
 */
export function addLocation(
  db: Db,
  actor: Actor,
  projectId: string,
  input: LocationInput,
): Promise<ProjectChangeResult> {
  const { place, country } = check(locationSchema, input)
  const location = parseLocation(place, country)
  if (!location) {
    throw invalid('place', 'must name a country, such as "Berlin, Germany"', place)
  }
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { label } = location
    const where = { projectId_label: { projectId: project.id, label } }
    const existing = await tx.location.findUnique({ where })
    if (existing) return { subjectId: existing.id, edits: [] }
    const id = locationId(project.id, label)
    await tx.location.create({ data: { id, projectId: project.id, ...location } })
    const after = locationFacts(location)
    return {
      subjectId: id,
      edits: [{ action: 'location.add', subject: ['location', id], after }],
    }
  })
}

/**
 * Removes a location. Its answers stay.
 * @throws {Fault} `not_found`
 */
export function removeLocation(
  db: Db,
  actor: Actor,
  projectId: string,
  locationId: string,
): Promise<ProjectChangeResult> {
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
