import type { SureFragment } from '../../documents.ts'

interface Standing {
  readonly brand: { readonly name: string; readonly isOwn: boolean } | null
  readonly visibility: { readonly metrics: { readonly visibilityScore: SureFragment } }
}

/** Brands as bars: their shares of a set of answers, and which of them is the own one. */
export function brandBars(nodes: readonly Standing[]) {
  const rows = nodes.flatMap(({ brand, visibility }) =>
    brand
      ? [{ name: brand.name, isOwn: brand.isOwn, metric: visibility.metrics.visibilityScore }]
      : [],
  )
  return { rows, own: new Set(rows.flatMap(({ name, isOwn }) => (isOwn ? [name] : []))) }
}
