import type {
  OverviewBelowQuery,
  OverviewBelowQueryVariables,
  OverviewDetailsQuery,
  OverviewDetailsQueryVariables,
} from '../../documents.ts'
import type { Asked } from '../../parts/panel.tsx'

/** What each card of the overview gets, from its second row on. */
export interface PartProps {
  readonly project: string
  readonly found: NonNullable<OverviewDetailsQuery['project']>
  readonly asked: Asked<OverviewDetailsQuery, OverviewDetailsQueryVariables>
}

/** What each card gets that is below the first screen. */
export interface BelowProps {
  readonly project: string
  readonly found: NonNullable<OverviewBelowQuery['project']>
  readonly asked: Asked<OverviewBelowQuery, OverviewBelowQueryVariables>
}

const mostPlatforms = 6

interface ByPlatform<Row> {
  readonly visibilityByPlatform?: { readonly platforms: readonly Row[] } | null
}

/** The AI platforms of most answers: as many columns as fit. */
export const platformsOf = <Row extends { readonly answerCount: number }>({
  visibilityByPlatform,
}: ByPlatform<Row>): readonly Row[] =>
  (visibilityByPlatform?.platforms ?? [])
    .toSorted((a, b) => b.answerCount - a.answerCount)
    .slice(0, mostPlatforms)
