import { platformsOfSurfaces } from '../../../core/collecting/obtained.ts'
import type { AskedProvider } from '../../../core/collecting/providers/request.ts'
import type { DateRange } from '../../../core/window.ts'
import type { FilterArgs } from '../filters.ts'
import { type ManyRow, rowsOfMany } from '../many.ts'
import type { ProjectScope } from '../scope.ts'
import { isCovered, questionsCovered } from './coverage.sql.ts'

/** How the questions to one provider ended. `asked` is the sum of the four counts after it. */
export interface Coverage extends ManyRow {
  readonly provider: AskedProvider
  readonly asked: number
  readonly waiting: number
  readonly answered: number
  readonly absent: number
  readonly failed: number
  /** The parts of `absent`. */
  readonly refused: number
  readonly filtered: number
  readonly empty: number
  readonly notShown: number
}

export type CoverageArgs = DateRange & FilterArgs

const none: readonly Coverage[] = []

/**
 * The questions that runs asked in the window and after the filters, by provider, of each project or slice.
 * @returns null for a set of answers, such as those that cite a page: no question belongs to it
 */
export async function coverageOf(
  scopes: readonly ProjectScope[],
  args: CoverageArgs,
): Promise<(readonly Coverage[] | Error | null)[]> {
  const found = await rowsOfMany<Coverage>(
    scopes,
    args,
    async ({ filters, scopes: of, slices }) => {
      const by = slices?.by
      if (!isCovered(by)) return none
      const ofRuns = filters.obtained?.ways.filter((way) => way !== 'imported')
      if (ofRuns?.length === 0) return none
      const [first] = scopes
      if (first === undefined) return none
      return first.db.$queryRawUnsafe<Coverage[]>(
        questionsCovered(by),
        ...[of.map(({ projectId }) => projectId), args.from, args.to],
        ...[filters.platforms, filters.models ?? [], filters.promptIds],
        ...[slices?.ids ?? null, filters.locationIds, filters.countries],
        ofRuns?.length === 1 ? ofRuns[0] === 'surface' : null,
        platformsOfSurfaces,
      )
    },
  )
  return scopes.map(({ slice }, i) => {
    if (!isCovered(slice?.by)) return null
    return found[i] ?? none
  })
}
