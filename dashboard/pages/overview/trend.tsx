import { SegmentedControl, Skeleton } from '@mantine/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import type { HistoryInterval, OverviewQuery } from '../../documents.ts'
import type { Line } from '../../parts/lines.tsx'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { rolling } from '../../parts/rolling.ts'
import { t } from '../../texts/texts.ts'
import { rankedOf } from './brands.tsx'

const Lines = lazy(async () => ({ default: (await import('../../parts/lines.tsx')).Lines }))

type Found = Pick<NonNullable<OverviewQuery['project']>, 'brands' | 'shareOfVoice'>
type Metric = 'visibility' | 'share'

/** More lines than this cannot be told apart. */
const mostBrands = 6

/** The own brand and the largest others. */
function drawnOf(found: Found) {
  const ranked = rankedOf(found)
  const own = ranked.filter(({ brand }) => brand.isOwn)
  return [...own, ...ranked.filter(({ brand }) => !brand.isOwn)].slice(0, mostBrands)
}

function linesOf(found: Found, metric: Metric, interval: HistoryInterval) {
  const rows = drawnOf(found)
  const dates = [
    ...new Set(rows.flatMap(({ visibility }) => visibility.trend.map(({ date }) => date))),
  ].toSorted()
  const series = rows.map(({ brand, visibility }): Line => {
    const byDate = new Map(visibility.trend.map((point) => [point.date, point.metrics]))
    const points = dates.map((date) => {
      const { visibilityScore, shareOfVoice } = byDate.get(date) ?? {}
      const found = metric === 'visibility' ? visibilityScore : shareOfVoice
      return found ?? { value: null, denominator: 0 }
    })
    return {
      name: brand.name,
      isOwn: brand.isOwn,
      values: interval === 'day' ? rolling(points) : points.map(({ value }) => value),
    }
  })
  return { dates, series }
}

function spokenOf(series: readonly Line[]): string {
  return series
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null)
      return t.overview.spoken(
        name,
        shown(known[0] ?? null, 'percent'),
        shown(known.at(-1) ?? null, 'percent'),
      )
    })
    .join(', ')
}

interface TrendProps<R> {
  readonly found: Found
  readonly asked: Asked<R, { project: string; interval: HistoryInterval }>
}

/** All brands over time. */
export function Trend<R>({ found, asked }: TrendProps<R>) {
  const [metric, setMetric] = useState<Metric>('visibility')
  const { interval } = asked.variables
  const { dates, series } = useMemo(
    () => linesOf(found, metric, interval),
    [found, metric, interval],
  )
  return (
    <Panel
      title={t.overview.trend}
      sub={`${t.overview.trendHints[metric]}, ${t.overview.intervals[interval]}`}
      asked={asked}
      hasChart
      right={
        <SegmentedControl
          size="xs"
          aria-label={t.overview.trend}
          value={metric}
          onChange={(value) => setMetric(value as Metric)}
          data={(['visibility', 'share'] as const).map((value) => ({
            value,
            label: t.overview.trendOf[value],
          }))}
        />
      }
    >
      <Suspense fallback={<Skeleton h={280} />}>
        <Lines
          title={t.overview.trendOf[metric]}
          unit="percent"
          labels={dates.map(t.dayOfYear)}
          series={series}
          spoken={spokenOf(series)}
          height={280}
        />
      </Suspense>
    </Panel>
  )
}
