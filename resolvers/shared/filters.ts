import { type Obtained, waysToObtain } from '../../core/collecting/obtained.ts'
import { countryCode } from '../../core/countries.ts'
import { Fault, fieldFault, invalid, notFound } from '../../core/errors.ts'
import { namingMissing } from '../../core/missing.ts'
import { namedPlatform, platforms, resolvePlatform } from '../../core/platforms.ts'
import { oneOfRule, withGot } from '../../core/rule-text.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { ProjectScope } from './scope.ts'

/** The filter arguments of a report, as its door has read them. */
export interface FilterArgs {
  platform?: readonly string[] | null | undefined
  topicId?: readonly string[] | null | undefined
  branded?: boolean | null | undefined
  unbranded?: boolean | null | undefined
  country?: readonly string[] | null | undefined
  locationId?: readonly string[] | null | undefined
  /** How answers were obtained. REST has no such filter. */
  obtained?: readonly Obtained[] | null | undefined
  /** One prompt, in reports that accept a prompt. */
  promptId?: string | null | undefined
  /** Prompts that a list of answers is narrowed by: they must be of the project. */
  promptIds?: readonly string[] | null | undefined
  /** What the client calls these filters, where a door has names of its own: faults use them. */
  namedByClient?: FilterNames | undefined
}

const filters = [
  ...(['platform', 'topicId', 'branded', 'unbranded', 'country', 'locationId'] as const),
  ...(['obtained', 'promptId', 'promptIds', 'namedByClient'] as const),
] as const satisfies readonly (keyof FilterArgs)[]

export type FilterNames = Readonly<
  Partial<Record<Exclude<keyof FilterArgs, 'namedByClient'>, string>>
>

/** The filters among the arguments of a report, without those that are null. */
export function filtersIn(args: FilterArgs): FilterArgs {
  const given = filters.map((name) => [name, args[name]] as const)
  return Object.fromEntries(given.filter(([, value]) => value != null)) as FilterArgs
}

/** The filters as values of fact columns; null for no filter. */
export interface Filters {
  readonly platforms: readonly string[] | null
  readonly models: readonly string[] | null
  readonly promptIds: readonly string[] | null
  readonly countries: readonly string[] | null
  readonly locationIds: readonly string[] | null
  readonly obtained: ObtainedFilter | null
}

export const noFilters: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
}

/** Ways to obtain answers, and the loads that runs have collected: they distinguish the ways. */
export interface ObtainedFilter {
  readonly ways: readonly Obtained[]
  readonly collected: readonly CollectedLoad[]
}

export interface CollectedLoad {
  readonly projectId: string
  readonly load: number
}

function given<Item>(list: readonly Item[] | null | undefined): readonly Item[] | null {
  return list && list.length > 0 ? list : null
}

/** Platform ids, names and aliases select a platform; a raw model id selects that model. */
async function readPlatforms(
  scope: ProjectScope,
  asked: readonly string[],
  field: string,
): Promise<{ platforms: string[]; models: string[] }> {
  const seen = await scope.db.projectModel.findMany({ where: { projectId: scope.project.id } })
  const result = { platforms: new Set<string>(), models: new Set<string>() }
  for (const text of asked) {
    const is = (name: string) => name !== '' && name.toLowerCase() === text.toLowerCase()
    const named = seen.find((row) => is(row.platform) || is(row.platformName))
    const platform = namedPlatform(text) ?? named?.platform
    const models = seen.filter((row) => is(row.model)).map((row) => row.model)
    if (platform) result.platforms.add(platform)
    else if (models.length > 0) for (const model of models) result.models.add(model)
    // A model of a known platform without answers yet: the filter matches nothing.
    else if (resolvePlatform(text)) result.models.add(text)
    else throw unknownPlatform(field, text, seen)
  }
  return { platforms: [...result.platforms], models: [...result.models] }
}

function unknownPlatform(
  field: string,
  text: string,
  seen: { platform: string; platformName: string }[],
): Fault {
  const accepted = new Set([
    ...platforms.map((platform) => platform.id),
    ...seen.flatMap((row) => [row.platform, row.platformName]),
  ])
  accepted.delete('')
  return invalid(
    field,
    `${oneOfRule([...accepted])}, a display name or alias of a platform, or a model`,
    text,
  )
}

function readCountries(asked: readonly string[], field: string): string[] {
  return asked.map((text) => {
    const code = countryCode(text)
    if (code) return code
    const rule = 'must be an ISO 3166-1 code or the name of a country'
    throw fieldFault('invalid_country', field, withGot(rule, text))
  })
}

type IdsOf = (ids: string[]) => Promise<readonly { readonly id: string }[]>

/** @throws {Fault} `not_found` with the first id that finds nothing */
async function assertAll(asked: readonly string[], idsOf: IdsOf): Promise<void> {
  const found = await idsOf([...new Set(asked.filter(isUuid))])
  const known = new Set(found.map(({ id }) => id))
  const missing = asked.find((id) => !known.has(id.toLowerCase()))
  if (missing !== undefined) throw notFound(missing)
}

const select = { id: true }

/** @throws {Fault} `not_found` when one is not a topic of the project */
export const assertTopics = (db: Db, projectId: string, topicIds: readonly string[]) =>
  assertAll(topicIds, (ids) => db.topic.findMany({ where: { projectId, id: { in: ids } }, select }))

/**
 * Names the id that finds nothing, where the client has a name for its filter. Reports read their filters when their fields
 * are asked for, after their door has returned.
 */
async function named(
  name: string | undefined,
  ids: string | readonly string[],
  check: Promise<void>,
): Promise<void> {
  try {
    await check
  } catch (cause) {
    if (name === undefined || !(cause instanceof Fault)) throw cause
    throw namingMissing(cause, { [name]: ids })
  }
}

const assertLocations = (db: Db, projectId: string, locationIds: readonly string[]) =>
  assertAll(locationIds, (ids) =>
    db.location.findMany({ where: { projectId, id: { in: ids } }, select }),
  )

const assertPrompts = (db: Db, projectId: string, promptIds: readonly string[]) =>
  assertAll(promptIds, (ids) =>
    db.prompt.findMany({ where: { projectId, id: { in: ids } }, select }),
  )

/**
 * Whether prompts must be branded; null for no filter.
 * @throws {Fault} `invalid_argument` for both flags
 */
export function brandedOf({
  branded,
  unbranded,
}: Pick<FilterArgs, 'branded' | 'unbranded'>): boolean | null {
  if (branded && unbranded) throw invalid('branded', 'cannot be combined with `unbranded`')
  return branded || unbranded ? branded === true : null
}

/** The prompts that pass the filters; at most one with `promptId`. */
async function readPrompts(scope: ProjectScope, args: FilterArgs): Promise<string[] | null> {
  const chosen = await readPromptFilters(scope, args)
  if (args.promptId == null) return chosen
  const promptId = args.promptId.toLowerCase()
  return (chosen?.includes(promptId) ?? true) ? [promptId] : []
}

/** Topics and the branded flag belong to prompts: a filter on them becomes a list of prompts. */
async function readPromptFilters(scope: ProjectScope, args: FilterArgs): Promise<string[] | null> {
  const topicIds = given(args.topicId)
  const isBranded = brandedOf(args)
  if (!topicIds && isBranded === null) return null
  const rows = await scope.db.prompt.findMany({
    where: {
      projectId: scope.project.id,
      ...(topicIds ? { topics: { some: { topicId: { in: [...topicIds] } } } } : {}),
      ...(isBranded === null ? {} : { isBranded }),
    },
    select: { id: true },
  })
  return rows.map((row) => row.id)
}

/** The loads of answers that runs of the projects have collected. */
export async function collectedLoads(
  db: Db,
  projectIds: readonly string[],
): Promise<CollectedLoad[]> {
  const rows = await db.import.findMany({
    where: { projectId: { in: [...projectIds] }, isCollected: true },
    select: { projectId: true, loadSeq: true },
    orderBy: { loadSeq: 'asc' },
  })
  return rows.flatMap(({ projectId, loadSeq }) =>
    loadSeq === null ? [] : { projectId, load: loadSeq },
  )
}

/** All three ways filter nothing. */
async function readObtained(
  { db, project }: ProjectScope,
  asked: FilterArgs['obtained'],
): Promise<ObtainedFilter | null> {
  const ways = waysToObtain.filter((way) => asked?.includes(way))
  if (ways.length === 0 || ways.length === waysToObtain.length) return null
  return { ways, collected: await collectedLoads(db, [project.id]) }
}

/**
 * Reads the filters that reports share, once per request, whatever the slice of the scope.
 * @throws {Fault} `invalid_argument` (unknown platform, branded with unbranded), `invalid_country`,
 *   `not_found` (a topic, location or prompt of another project)
 */
export function readFilters(scope: ProjectScope, args: FilterArgs): Promise<Filters> {
  const given = { ...filtersIn(args), obtained: args.obtained ?? scope.obtained }
  const key = JSON.stringify([scope.project.id, given])
  const known = scope.filters?.get(key) as Promise<Filters> | undefined
  if (known) return known
  const read = resolveFilters(scope, given)
  scope.filters?.set(key, read)
  return read
}

async function resolveFilters(scope: ProjectScope, args: FilterArgs): Promise<Filters> {
  brandedOf(args)
  const platform = given(args.platform)
  const country = given(args.country)
  const { namedByClient: names = {} } = args
  const chosen = platform
    ? await readPlatforms(scope, platform, names.platform ?? 'platform')
    : null
  const countries = country ? readCountries(country, names.country ?? 'country') : null
  const topicIds = given(args.topicId)
  const locationIds = given(args.locationId)
  const { db, project } = scope
  const { promptId } = args
  const promptIds = given(args.promptIds)
  const of = project.id
  if (topicIds) await named(names.topicId, topicIds, assertTopics(db, of, topicIds))
  if (locationIds) await named(names.locationId, locationIds, assertLocations(db, of, locationIds))
  if (promptId != null) await named(names.promptId, promptId, assertPrompts(db, of, [promptId]))
  if (promptIds) await named(names.promptIds, promptIds, assertPrompts(db, of, promptIds))
  return {
    platforms: chosen?.platforms ?? null,
    models: chosen?.models ?? null,
    promptIds: await readPrompts(scope, args),
    countries,
    locationIds,
    obtained: await readObtained(scope, args.obtained),
  }
}
