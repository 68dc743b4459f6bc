import type { ParsedLocation } from '../../core/countries.ts'
import { locationId } from '../../core/ids.ts'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import type { Brand } from '../../core/text/mentions.ts'
import type { Catalog, Db } from '../../prisma/client.ts'
import type { AnswerLine } from './line.ts'
import { openPrompts } from './prompts.ts'

/** The prompt and the location of an answer in the catalog. */
export interface CatalogIds {
  readonly promptId: string
  /** Prompts that were merged into it: their answers have ids of their own. */
  readonly formerPromptIds: readonly string[]
  /** `nilUuid` where the line names no location. */
  readonly locationId: string
  /** Whether the prompt was tracked when the answer was collected. */
  readonly wasTracked: boolean
}

/** The id in warehouse rows of an answer without a location. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'

/** The project's own brand, whose id is the project's, and its competitors. */
export async function readBrands(db: Db, projectId: string): Promise<Brand[]> {
  const where = { id: projectId }
  return brandsOf(await db.project.findUniqueOrThrow({ where, select: brandFields }))
}

/** Ids by name. */
interface IdsByName<T> {
  readonly ids: ReadonlyMap<string, string>
  /** Looks up the names without an id, and creates the rows that do not exist. */
  ensure(named: ReadonlyMap<string, T>): Promise<void>
}

interface Row {
  readonly id: string
  readonly name: string
}

function openIds<T>(
  find: (names: string[]) => Promise<Row[]>,
  create: (named: [name: string, value: T][]) => Promise<unknown>,
): IdsByName<T> {
  const ids = new Map<string, string>()
  const missing = (named: ReadonlyMap<string, T>) => [...named].filter(([name]) => !ids.has(name))
  const lookUp = async (names: string[]) => {
    for (const row of await find(names)) ids.set(row.name, row.id)
  }
  return {
    ids,
    async ensure(named) {
      if (missing(named).length > 0) await lookUp(missing(named).map(([name]) => name))
      const added = missing(named)
      if (added.length === 0) return
      await create(added)
      // Another writer may have created the same name with another id meanwhile.
      await lookUp(added.map(([name]) => name))
    },
  }
}

function openTopics(db: Catalog, projectId: string): IdsByName<string> {
  return openIds(
    (names) =>
      db.topic.findMany({
        where: { projectId, name: { in: names } },
        select: { id: true, name: true },
      }),
    (added) =>
      db.topic.createMany({
        // The id is not made from the name: a renamed topic keeps its id.
        data: added.map(([name]) => ({ projectId, name })),
        skipDuplicates: true,
      }),
  )
}

function openLocations(db: Catalog, projectId: string): IdsByName<ParsedLocation> {
  return openIds(
    async (labels) => {
      const where = { projectId, label: { in: labels } }
      const rows = await db.location.findMany({ where, select: { id: true, label: true } })
      return rows.map(({ id, label }) => ({ id, name: label }))
    },
    (added) =>
      db.location.createMany({
        data: added.map(([label, location]) => ({
          id: locationId(projectId, label),
          projectId,
          ...location,
        })),
        skipDuplicates: true,
      }),
  )
}

/** Stores each pair of platform and model once, with the first name that an unknown platform came with. */
function openModels(
  db: Catalog,
  projectId: string,
): (lines: readonly AnswerLine[]) => Promise<void> {
  const known = new Set<string>()
  return async (lines) => {
    const added = lines.flatMap(({ platform, platformName, model }) => {
      const key = JSON.stringify([platform, model])
      if (known.has(key)) return []
      known.add(key)
      return [{ projectId, platform, platformName, model }]
    })
    if (added.length > 0) await db.projectModel.createMany({ data: added, skipDuplicates: true })
    const named = new Map(added.map(({ platform, platformName }) => [platform, platformName]))
    for (const [platform, platformName] of named) {
      if (platformName === '') continue
      // Rows of earlier imports had no name.
      const where = { projectId, platform, platformName: '' }
      await db.projectModel.updateMany({ where, data: { platformName } })
    }
  }
}

/**
 * Makes a function that finds the prompts, topics, locations and models of answers, and creates new ones. A batch of
 * any size takes a few statements. Known ids stay in memory until the import ends.
 */
export function openCatalog(
  db: Catalog,
  projectId: string,
  namesOwnBrand: (text: string) => boolean,
): (lines: readonly AnswerLine[]) => Promise<CatalogIds[]> {
  const topics = openTopics(db, projectId)
  const locations = openLocations(db, projectId)
  const prompts = openPrompts(db, projectId, namesOwnBrand)
  const storeModels = openModels(db, projectId)
  return async (lines) => {
    await topics.ensure(new Map(lines.flatMap(({ topic }) => (topic ? [[topic, topic]] : []))))
    await locations.ensure(
      new Map(lines.flatMap(({ location }) => (location ? [[location.label, location]] : []))),
    )
    await storeModels(lines)
    const found = await prompts(
      lines.map(({ prompt, topic, collectedAt }) => ({
        text: prompt,
        topicId: topics.ids.get(topic ?? '') ?? null,
        collectedAt,
      })),
    )
    return lines.map(({ location }, index) => ({
      promptId: found[index]?.id ?? nilUuid,
      formerPromptIds: found[index]?.formerIds ?? [],
      wasTracked: found[index]?.wasTracked ?? true,
      locationId: (location && locations.ids.get(location.label)) ?? nilUuid,
    }))
  }
}
