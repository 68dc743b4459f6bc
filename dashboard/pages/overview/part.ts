import type { OverviewDetailsQuery, OverviewDetailsQueryVariables } from '../../documents.ts'
import type { Asked } from '../../parts/panel.tsx'

export type Found = NonNullable<OverviewDetailsQuery['project']>

/** What each card of the overview gets, from its second row on. */
export interface PartProps {
  readonly project: string
  readonly found: Found
  readonly asked: Asked<OverviewDetailsQuery, OverviewDetailsQueryVariables>
}
