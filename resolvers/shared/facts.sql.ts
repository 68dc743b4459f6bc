import { type Obtained, platformsOfSurfaces } from '../../core/collecting/obtained.ts'
import type { DateRange } from '../../core/window.ts'
import type { CollectedLoad, Filters } from './filters.ts'
import type { Snapshot } from './scope.ts'

/** The bound values of a statement over facts. */
export type FactParams = Record<string, unknown>

/**
 * The WHERE clause of every fact table: project, days, complete imports, and filters. `factParams` binds its
 * values.
 */
export function factsWhere(filters: Filters, snapshot: Snapshot): string {
  const clauses = [
    'project_id = {project:UUID}',
    'day BETWEEN {from:Date} AND {to:Date}',
    'load_seq <= {load:UInt32}',
  ]
  if (snapshot.dead.length > 0) clauses.push('load_seq NOT IN {dead:Array(UInt32)}')
  return [...clauses, ...filterClauses(filters, true)].join(' AND ')
}

/** The clauses of filters, over one project or several. `filterParams` binds their values. */
export function filterClauses(filters: Filters, isOne: boolean): string[] {
  const clauses: string[] = []
  if (filters.platforms) {
    clauses.push('(platform IN {platforms:Array(String)} OR model IN {models:Array(String)})')
  }
  if (filters.promptIds) clauses.push('prompt_id IN {promptIds:Array(UUID)}')
  if (filters.countries) clauses.push('country IN {countries:Array(String)}')
  if (filters.locationIds) clauses.push('location_id IN {locationIds:Array(UUID)}')
  if (filters.obtained) clauses.push(obtainedBy(filters.obtained.ways, isOne))
  return clauses
}

/** Rows that runs have collected, of any number of projects. `collectedParams` has the values. */
export const collectedRows =
  'has(arrayZip({collectedOf:Array(UUID)}, {collected:Array(UInt32)}), (project_id, load_seq))'

export const collectedParams = (collected: readonly CollectedLoad[]): FactParams => ({
  surfacePlatforms: platformsOfSurfaces,
  collectedOf: collected.map(({ projectId }) => projectId),
  collected: collected.map(({ load }) => load),
})

/** Answers of runs are of a page or of an API, by their platform. All others were imported. */
function obtainedBy(ways: readonly Obtained[], isOne: boolean): string {
  const isCollected = isOne ? 'load_seq IN {collected:Array(UInt32)}' : collectedRows
  const isOfSurface = 'platform IN {surfacePlatforms:Array(String)}'
  const clauses: Readonly<Record<Obtained, string>> = {
    surface: `(${isCollected} AND ${isOfSurface})`,
    api: `(${isCollected} AND NOT ${isOfSurface})`,
    imported: `NOT ${isCollected}`,
  }
  return `(${ways.map((way) => clauses[way]).join(' OR ')})`
}

/** The values of `factsWhere`. */
export function factParams(
  projectId: string,
  range: DateRange,
  filters: Filters,
  snapshot: Snapshot,
): FactParams {
  const params: FactParams = {
    project: projectId,
    from: range.from,
    to: range.to,
    load: snapshot.load,
  }
  if (snapshot.dead.length > 0) params.dead = snapshot.dead
  return { ...params, ...filterParams(filters) }
}

export function filterParams(filters: Filters): FactParams {
  const params: FactParams = {}
  if (filters.platforms) {
    params.platforms = filters.platforms
    params.models = filters.models ?? []
  }
  for (const name of ['promptIds', 'countries', 'locationIds'] as const) {
    if (filters[name]) params[name] = filters[name]
  }
  if (filters.obtained) Object.assign(params, collectedParams(filters.obtained.collected))
  return params
}

/** The values that a statement over several projects binds per project. */
export interface ManyScope {
  readonly projectId: string
  readonly snapshot: Snapshot
  readonly analysis: number
}

/** The value of a row's project, in a list with one for each project. A look-up for each row costs a tenth of a report. */
export const ofProject = (values: string) =>
  `${values}[indexOf({projects:Array(UUID)}, project_id)]`

/** Selects the mentions of the current analysis of one project, or of several of the facts of `factsOf`. */
export const analysed = (isOne: boolean): string =>
  `analysis = ${isOne ? '{analysis:UInt32}' : ofProject('{analyses:Array(UInt32)}')}`

/** Selects the mentions of each project's current analysis, however many projects there are. */
export const manyAnalyses = analysed(false)

/**
 * The projects of a statement over several. One alone is `project` too: an element of a list takes the engine longer to
 * plan.
 */
export const projectParams = (ids: readonly string[]): FactParams => ({
  projects: ids,
  ...(ids.length === 1 && { project: ids[0] }),
})

/**
 * Events of crawlers that reports count, whatever their name: senders name requests as they like. An impostor only uses
 * the name of a crawler.
 */
export const countedCrawls = "verification != 'impostor'"

/** Rows of search consoles and of web analytics by day. The others are totals of a week or period, on its last day: no sum by day counts them. */
export const dailyRows = "shape NOT IN ('totals of a period', 'totals of a week')"
