import type { NamedQuery, SureFragment } from '../../documents.ts'

type Found = NonNullable<NamedQuery['project']>
type Standing = NonNullable<Found['brands']>['nodes'][number]
type Voice = NonNullable<Found['shareOfVoice']>['nodes'][number]

/** A tracked brand with its share of voice. */
export interface Row extends Omit<Standing, 'brand'> {
  readonly brand: NonNullable<Standing['brand']>
  readonly sov: SureFragment
  readonly change: Voice['change']
}

/** The brands by their share of voice, the largest first. */
export function rowsOf({ brands, shareOfVoice }: Found): Row[] {
  const voices = new Map(shareOfVoice?.nodes.map((voice) => [voice.competitorId, voice]))
  const rows = (brands?.nodes ?? []).flatMap(({ brand, ...standing }) => {
    const voice = brand?.isOwn ? shareOfVoice?.brand : voices.get(brand?.id ?? '')
    return brand && voice
      ? [{ ...standing, brand, sov: voice.metrics.sov, change: voice.change }]
      : []
  })
  return rows.toSorted((a, b) => (b.sov.value ?? 0) - (a.sov.value ?? 0))
}
