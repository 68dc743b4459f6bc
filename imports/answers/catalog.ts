import type { ParsedLocation } from '../../core/countries.ts'
import type { Catalog } from '../../prisma/client.ts'
import { idOf, noId } from '../files/ids.ts'
import type { AnswerLine } from './line.ts'
import { openPrompts } from './prompts.ts'

/** Where an answer belongs in the catalog. */
export interface Place {
  readonly promptId: string
  /** `noId` where the line names no location. */
  readonly locationId: string
}

/** Ids by name; what is not known yet is looked up, and made where it is missing, in one go. */
interface Names<T> {
  readonly ids: ReadonlyMap<string, string>
  learn(named: ReadonlyMap<string, T>): Promise<void>
}

interface Row {
  readonly id: string
  readonly name: string
}

function openNames<T>(
  find: (names: string[]) => Promise<Row[]>,
  create: (named: [name: string, value: T][]) => Promise<unknown>,
): Names<T> {
  const ids = new Map<string, string>()
  const missing = (named: ReadonlyMap<string, T>) => [...named].filter(([name]) => !ids.has(name))
  const lookUp = async (names: string[]) => {
    for (const row of await find(names)) ids.set(row.name, row.id)
  }
  return {
    ids,
    async learn(named) {
      if (missing(named).length > 0) await lookUp(missing(named).map(([name]) => name))
      const fresh = missing(named)
      if (fresh.length === 0) return
      await create(fresh)
      // Another writer may have made the same name with an id of its own meanwhile: look again.
      await lookUp(fresh.map(([name]) => name))
    },
  }
}

function openTopics(db: Catalog, projectId: string): Names<string> {
  return openNames(
    (names) =>
      db.topic.findMany({
        where: { projectId, name: { in: names } },
        select: { id: true, name: true },
      }),
    (fresh) =>
      db.topic.createMany({
        // The id is not made from the name: a topic that was renamed keeps the id that it had.
        data: fresh.map(([name]) => ({ projectId, name })),
        skipDuplicates: true,
      }),
  )
}

function openLocations(db: Catalog, projectId: string): Names<ParsedLocation> {
  return openNames(
    async (labels) => {
      const where = { projectId, label: { in: labels } }
      const rows = await db.location.findMany({ where, select: { id: true, label: true } })
      return rows.map(({ id, label }) => ({ id, name: label }))
    },
    (fresh) =>
      db.location.createMany({
        data: fresh.map(([label, location]) => ({
          id: idOf(projectId, 'location', label),
          projectId,
          ...location,
        })),
        skipDuplicates: true,
      }),
  )
}

/** Notes each platform and model once. */
function openModels(
  db: Catalog,
  projectId: string,
): (lines: readonly AnswerLine[]) => Promise<void> {
  const known = new Set<string>()
  return async (lines) => {
    const fresh = lines.flatMap(({ platform, model }) => {
      const key = JSON.stringify([platform, model])
      if (known.has(key)) return []
      known.add(key)
      return [{ projectId, platform, model }]
    })
    if (fresh.length > 0) await db.projectModel.createMany({ data: fresh, skipDuplicates: true })
  }
}

/**
 * Finds prompts, topics, locations and models of answers, and makes those that are new: a few statements a
 * batch, whatever its size. What it met it remembers until the import ends.
 */
export function openPlaces(
  db: Catalog,
  projectId: string,
  namesOwnBrand: (text: string) => boolean,
): (lines: readonly AnswerLine[]) => Promise<Place[]> {
  const topics = openTopics(db, projectId)
  const locations = openLocations(db, projectId)
  const prompts = openPrompts(db, projectId, namesOwnBrand)
  const noteModels = openModels(db, projectId)
  return async (lines) => {
    await topics.learn(new Map(lines.flatMap(({ topic }) => (topic ? [[topic, topic]] : []))))
    await locations.learn(
      new Map(lines.flatMap(({ location }) => (location ? [[location.label, location]] : []))),
    )
    await noteModels(lines)
    const promptIds = await prompts(
      lines.map(({ prompt, topic }) => ({
        text: prompt,
        topicId: topics.ids.get(topic ?? '') ?? null,
      })),
    )
    return lines.map(({ location }, index) => ({
      promptId: promptIds[index] ?? noId,
      locationId: (location && locations.ids.get(location.label)) ?? noId,
    }))
  }
}
