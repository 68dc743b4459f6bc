import type { OneBrandFragment, OverviewQuery, SureFragment } from '../../documents.ts'

type Found = Pick<NonNullable<OverviewQuery['project']>, 'brands' | 'shareOfVoice'>
type Voice = NonNullable<Found['shareOfVoice']>['nodes'][number]

/** A tracked brand with its share of voice. */
export interface Ranked extends Omit<OneBrandFragment, 'brand'> {
  readonly brand: NonNullable<OneBrandFragment['brand']>
  readonly sov: SureFragment
  readonly change: Voice['change']
}

/** The brands by their share of voice, the largest first: the place in this list is the rank. */
export function rankedOf({ brands, shareOfVoice }: Found): Ranked[] {
  const voices = new Map(shareOfVoice?.nodes.map((voice) => [voice.brand.id, voice]))
  const rows = (brands?.nodes ?? []).flatMap(({ brand, ...standing }) => {
    const voice = voices.get(brand?.id ?? '')
    return brand && voice
      ? [{ ...standing, brand, sov: voice.metrics.shareOfVoice, change: voice.change }]
      : []
  })
  return rows.toSorted((a, b) => (b.sov.value ?? 0) - (a.sov.value ?? 0))
}
