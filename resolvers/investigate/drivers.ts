import {
  changeOf,
  type Driver,
  type DriverDimension,
  driverDimensions,
  driversByDimension,
  noKey,
} from '../../core/investigate/drivers.ts'
import type { Db } from '../../prisma/client.ts'
import { loadLocations } from '../locations.ts'
import { platformNamesIn } from '../shared/platform-names.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { loadTopicPrompts, type TopicPrompts } from '../visibility/breakdowns.ts'
import type { Counted } from './counted.ts'

/** A driver with the name of its key. */
export interface NamedDriver extends Driver {
  readonly projectId: string
  readonly dimension: DriverDimension
  readonly label: string
}

type Drivers = Readonly<Record<DriverDimension, readonly Driver[]>>
type Names = ReadonlyMap<string, string>

function topicsByPrompt(topics: readonly TopicPrompts[]): (promptId: string) => readonly string[] {
  const links = topics.flatMap(({ id, promptIds }) =>
    promptIds.map((promptId) => ({ id, promptId })),
  )
  const found = Map.groupBy(links, ({ promptId }) => promptId)
  return (promptId) => (found.get(promptId) ?? []).map(({ id }) => id)
}

async function wordings(db: Db, drivers: readonly Driver[]): Promise<Names> {
  const ids = drivers.filter(({ others }) => others === 0).map(({ key }) => key)
  const prompts = await db.prompt.findMany({
    where: { id: { in: ids } },
    select: { id: true, text: true },
  })
  return new Map(prompts.map(({ id, text }) => [id, text]))
}

/** A key that the catalog no longer knows is its own name. */
function labelOf({ key, others }: Driver, names: Names): string {
  if (others > 0) return others === 1 ? '1 other' : `${others} others`
  return names.get(key) ?? key
}

function named(
  { project }: ProjectScope,
  drivers: Drivers,
  names: Readonly<Record<'platform' | 'topic' | 'prompt' | 'location', Names>>,
): NamedDriver[] {
  const all: Record<DriverDimension, Names> = {
    ...names,
    competitor: new Map(project.competitors.map(({ id, name }) => [id, name])),
  }
  return driverDimensions.flatMap((dimension) =>
    drivers[dimension].map((driver) => ({
      ...driver,
      projectId: project.id,
      dimension,
      label: labelOf(driver, all[dimension]),
    })),
  )
}

type Location = Awaited<ReturnType<typeof loadLocations>>[number][number]

/** Such as "Berlin, DE". */
function placeName({ city, region, countryCode }: Location): string {
  return [city, region, countryCode].filter((part) => part).join(', ')
}

async function platformsIn(db: Db, projectId: string, drivers: readonly Driver[]): Promise<Names> {
  const ids = drivers.filter(({ others }) => others === 0).map(({ key }) => key)
  const nameOf = await platformNamesIn(db, projectId, ids)
  return new Map(ids.map((id) => [id, nameOf(id)]))
}

async function readAll(db: Db, counted: readonly Counted[]): Promise<NamedDriver[][]> {
  const ids = counted.map(({ scope }) => scope.project.id)
  const [topics, locations] = await Promise.all([loadTopicPrompts(db, ids), loadLocations(db, ids)])
  const drivers = counted.map(({ measure, parts }, i) =>
    driversByDimension(measure, parts, topicsByPrompt(topics[i] ?? [])),
  )
  const prompt = await wordings(
    db,
    drivers.flatMap((it) => it.prompt),
  )
  const platforms = await Promise.all(
    counted.map(({ scope }, i) => platformsIn(db, scope.project.id, drivers[i]?.platform ?? [])),
  )
  return counted.map(({ scope }, i) => {
    const platform = platforms[i] ?? new Map()
    const topic = new Map((topics[i] ?? []).map(({ id, name }) => [id, name]))
    const location = new Map((locations[i] ?? []).map((it) => [it.id, placeName(it)]))
    topic.set(noKey, 'No topic')
    location.set(noKey, 'No location')
    const none: Drivers = { platform: [], topic: [], prompt: [], location: [], competitor: [] }
    return named(scope, drivers[i] ?? none, { platform, topic, prompt, location })
  })
}

/**
 * The drivers of each project whose metric has a change. The first project that is asked for reads the names of all,
 * so the catalog is asked once.
 */
export function driversOfMany(db: Db, all: readonly (Counted | Error)[]) {
  const changed = all.filter(
    (it): it is Counted => !(it instanceof Error) && changeOf(it.measure) !== null,
  )
  let reading: Promise<NamedDriver[][]> | undefined
  return async (counted: Counted): Promise<NamedDriver[]> => {
    const at = changed.indexOf(counted)
    if (at < 0) return []
    reading ??= readAll(db, changed)
    return (await reading)[at] ?? []
  }
}
