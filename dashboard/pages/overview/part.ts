import type { OverviewDetailsQuery, OverviewDetailsQueryVariables } from '../../documents.ts'
import type { Asked } from '../../parts/panel.tsx'

export type Found = NonNullable<OverviewDetailsQuery['project']>

/** What each card of the overview gets, from its second row on. */
export interface PartProps {
  readonly project: string
  readonly found: Found
  readonly asked: Asked<OverviewDetailsQuery, OverviewDetailsQueryVariables>
}

const mostPlatforms = 6

/** The AI platforms of most answers: as many columns as fit. */
export const platformsOf = ({ visibilityByPlatform }: Found) =>
  (visibilityByPlatform?.platforms ?? [])
    .toSorted((a, b) => b.answerCount - a.answerCount)
    .slice(0, mostPlatforms)
