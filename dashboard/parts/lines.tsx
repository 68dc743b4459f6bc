import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ReportUnit } from '../../core/reports/content.ts'
import { shown } from '../../web/share/numbers.ts'
import { otherColors, ownColor } from '../theme.ts'

export interface Line {
  readonly name: string
  readonly isOwn?: boolean
  /** Of the previous period: a dotted line. */
  readonly isBefore?: boolean
  /** By the labels of the chart; null is a gap. */
  readonly values: readonly (number | null)[]
}

export interface LinesProps {
  readonly title: string
  readonly unit: ReportUnit
  /** Of the points of time. */
  readonly labels: readonly string[]
  readonly series: readonly Line[]
  readonly end?: number
  /** Points of time that something happened at, such as a new model. */
  readonly marks?: readonly { readonly at: string; readonly label: string }[]
  /** The chart in words. */
  readonly spoken: string
  readonly height?: number
}

/** A round end of the axis above all values. */
function endOf(unit: ReportUnit, series: readonly Line[]): number | undefined {
  if (unit === 'score') return 100
  if (unit !== 'percent') return undefined
  const most = Math.max(10, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const step = most > 50 ? 20 : 10
  return Math.min(100, Math.ceil(most / step) * step)
}

/** Lines over time with a tooltip. Steps without answers are bridged, so that few answers are not a row of dots. */
export function Lines({
  title,
  unit,
  labels,
  series,
  end,
  marks = [],
  spoken,
  height = 260,
}: LinesProps) {
  const data = labels.map((label, at) => ({
    label,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[at] ?? null])),
  }))
  let other = 0
  const drawn = series.map(({ name, isOwn, isBefore }) => {
    const color = isBefore
      ? 'gray.5'
      : isOwn
        ? ownColor
        : (otherColors[other++ % otherColors.length] ?? 'gray.6')
    return { name, color, ...(isBefore && { strokeDasharray: '4 4' }) }
  })
  const top = end ?? endOf(unit, series)
  return (
    <div role="img" aria-label={`${title}. ${spoken}`}>
      <LineChart
        h={height}
        data={data}
        dataKey="label"
        series={drawn}
        curveType="monotone"
        connectNulls
        withDots={labels.length <= 16}
        strokeWidth={2}
        gridAxis="y"
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'bottom' }}
        valueFormatter={(value) => shown(value, unit)}
        yAxisProps={{
          ...(top !== undefined && { domain: [0, top] }),
          width: 52,
          tickFormatter: (value: number) =>
            unit === 'percent' ? `${value}%` : shown(value, unit === 'count' ? 'count' : unit),
          ...(unit === 'position' && { reversed: true, domain: [1, 'auto'] }),
          ...(unit === 'count' && { allowDecimals: false }),
        }}
        xAxisProps={{ minTickGap: 24 }}
        referenceLines={marks.map(({ at, label }) => ({ x: at, label, color: 'gray.5' }))}
        tooltipAnimationDuration={0}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  )
}
