import {
  type OneBrandFragment,
  type OverviewQuery,
  SureSharesDocument,
  type SureSharesQuery,
} from '../../documents.ts'
import type { Metric } from '../../parts/figures.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'

type Found = Pick<NonNullable<OverviewQuery['project']>, 'brands' | 'shareOfVoice'>
type Sure = NonNullable<NonNullable<SureSharesQuery['project']>['shareOfVoice']>['nodes'][number]
/** By the id of the brand. */
export type SureShares = ReadonlyMap<string, Sure>

/** A tracked brand with its share of voice. */
export interface Ranked extends Omit<OneBrandFragment, 'brand'> {
  readonly brand: NonNullable<OneBrandFragment['brand']>
  readonly sov: Metric
  /** Undefined until it is there. */
  readonly change: Sure['change'] | undefined
}

/**
 * Intervals and changes of the shares of voice, which come after the shares. Undefined until they are there; a page can
 * do without them when they fail.
 */
export function useSureShares(project: string, enabled = true): SureShares | undefined {
  const { window, filter, compare } = useAddress()
  const variables = { project, window, filter, compare }
  const query = useQuestion(SureSharesDocument, variables, { enabled })
  if (query.isError) return new Map()
  if (!query.data || query.isPlaceholderData) return undefined
  const nodes = query.data.project?.shareOfVoice?.nodes ?? []
  return new Map(nodes.map((voice) => [voice.brand.id, voice]))
}

/** The brands by their share of voice, the largest first: the place in this list is the rank. */
export function rankedOf({ brands, shareOfVoice }: Found, sure?: SureShares): Ranked[] {
  const voices = new Map(shareOfVoice?.nodes.map((voice) => [voice.brand.id, voice]))
  const rows = (brands?.nodes ?? []).flatMap(({ brand, ...standing }) => {
    const share = voices.get(brand?.id ?? '')?.metrics.shareOfVoice
    if (!brand || !share) return []
    const certain = sure?.get(brand.id)
    const sov = certain?.metrics.shareOfVoice ?? share
    return [{ ...standing, brand, sov, change: certain?.change }]
  })
  return rows.toSorted((a, b) => (b.sov.value ?? 0) - (a.sov.value ?? 0))
}
