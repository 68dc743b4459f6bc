import {
  type DefinedNumber,
  type DefinitionCounts,
  numbersByDefinition,
} from '../../core/method/definitions.ts'
import { type DateRange, resolveWindow, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { analysed, factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import type { VisibilityArgs } from './counts.ts'
import { countsOfDefinitions } from './definitions.sql.ts'

/** How visible the brand is by each definition that tools use, counted in the same answers. */
export interface VisibilityDefinitions {
  readonly dateRange: DateRange
  readonly numbers: readonly DefinedNumber[]
}

const none: DefinitionCounts = {
  answers: 0,
  mentioned: 0,
  first: 0,
  points: 0,
  cited: 0,
  prompts: 0,
  promptsMentioned: 0,
  promptRates: 0,
  allMentioned: 0,
  occurrences: 0,
  allOccurrences: 0,
}

/** @throws {Fault} as `readFilters` does */
export async function visibilityDefinitions(
  scope: ProjectScope,
  args: VisibilityArgs,
): Promise<VisibilityDefinitions> {
  const { warehouse, project, now } = scope
  const dateRange = resolveWindow(args, yearWindow, now)
  const filters = await readFilters(scope, args)
  const snapshot = currentSnapshot(scope)
  const [counts] = await run<DefinitionCounts>(warehouse, {
    id: 'visibility.definitions',
    settled: true,
    sql: countsOfDefinitions(factsWhere(filters, snapshot), analysed(true)),
    params: {
      ...factParams(project.id, dateRange, filters, snapshot),
      analysis: project.analysis,
      trackedBrands: [project, ...project.competitors].map(({ id }) => id),
      ownDomains: brandDomains(project),
    },
  })
  return { dateRange, numbers: numbersByDefinition(counts ?? none) }
}
