import type { BrandBarFragment } from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { pointOf } from '../../parts/days.ts'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/texts.ts'

interface BrandsProps<R, V extends object> {
  /** The domain or page that the answers cite. */
  readonly source: string
  readonly standings: readonly BrandBarFragment[] | undefined
  readonly asked: Asked<R, V>
}

/** The brands in the answers that cite a source. */
export function Brands<R, V extends object>({ source, standings = [], asked }: BrandsProps<R, V>) {
  const rows = standings.flatMap(({ brand, visibility }) =>
    brand ? [{ ...brand, metric: visibility.metrics.visibilityScore }] : [],
  )
  return (
    <Panel title={t.sources.brands} asked={asked}>
      <Chart
        own={new Set(rows.flatMap(({ name, isOwn }) => (isOwn ? [name] : [])))}
        chart={{
          title: t.sources.brands,
          section: source,
          kind: 'bars',
          unit: 'percent',
          points: rows.map(({ name, metric }) => pointOf(name, metric)),
        }}
      />
    </Panel>
  )
}
