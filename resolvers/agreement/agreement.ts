import { platformsWithApi } from '../../core/collecting/obtained.ts'
import { type Agreement, agreementsOf, type PairedAnswer } from '../../core/method/agreement.ts'
import type { MethodWay } from '../../core/method/method.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { analysed, collectedParams, factParams, factsWhere } from '../shared/facts.sql.ts'
import { collectedLoads, type FilterArgs, readFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import { waysOf } from '../shared/method/method.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { answersByWay, answersInSeveralWays } from './agreement.sql.ts'

export type AgreementArgs = WindowArgs & FilterArgs

/** The newest answers that are compared: pairs of 20,000 answers say what pairs of more would. */
const mostAnswers = 20_000

interface Row extends Omit<PairedAnswer, 'platform' | 'day' | 'isOwnMentioned'> {
  readonly onDay: string
  readonly ofPlatform: string
  readonly isOwnMentioned: number
}

/** How the answers of a project were obtained, and how far the ways agree. Each part is read when a field asks for it. */
export interface AgreementReport {
  readonly scope: ProjectScope
  readonly dateRange: DateRange
  /** Most answers first. */
  ways(): Promise<MethodWay[]>
  pairs(): Promise<Agreement[]>
}

/** @throws {Fault} as `readFilters` does */
export async function agreement(
  scope: ProjectScope,
  args: AgreementArgs,
): Promise<AgreementReport> {
  const dateRange = resolveWindow(args, yearWindow, scope.now)
  const { db, warehouse, project } = scope
  const [filters, collected] = await Promise.all([
    readFilters(scope, args),
    collectedLoads(db, [project.id]),
  ])
  const snapshot = currentSnapshot(scope)
  const facts = factsWhere(filters, snapshot)
  const params = {
    ...factParams(project.id, dateRange, filters, snapshot),
    ...collectedParams(collected),
  }
  return {
    scope,
    dateRange,
    async ways() {
      const [counts] = await run<{ answers: number; surface: number; api: number }>(warehouse, {
        id: 'agreement.ways',
        settled: true,
        sql: answersByWay(facts),
        params,
      })
      return waysOf(counts ?? { answers: 0, surface: 0, api: 0 })
    },
    async pairs() {
      const rows = await run<Row>(warehouse, {
        id: 'agreement.pairs',
        settled: true,
        sql: answersInSeveralWays(facts, analysed(true)),
        params: {
          ...params,
          analysis: project.analysis,
          surfaces: Object.keys(platformsWithApi),
          apis: Object.values(platformsWithApi),
          most: mostAnswers,
        },
      })
      return agreementsOf(
        rows.map(({ onDay, ofPlatform, isOwnMentioned, ...row }) => ({
          ...row,
          day: onDay,
          platform: ofPlatform,
          isOwnMentioned: isOwnMentioned === 1,
        })),
      )
    },
  }
}
