import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ReportUnit } from '../../core/reports/content.ts'
import { shown } from '../../web/share/numbers.ts'
import { otherColors, ownColor } from '../theme.ts'

export interface Line {
  readonly name: string
  readonly isOwn?: boolean
  /** By the labels of the chart; null is a gap. */
  readonly values: readonly (number | null)[]
}

export interface LinesProps {
  readonly title: string
  readonly unit: ReportUnit
  /** Of the points of time. */
  readonly labels: readonly string[]
  readonly series: readonly Line[]
  readonly end?: number | undefined
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
export function Lines({ title, unit, labels, series, end, spoken, height = 260 }: LinesProps) {
  const data = labels.map((label, at) => ({
    label,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[at] ?? null])),
  }))
  let other = 0
  const drawn = series.map(({ name, isOwn }) => ({
    name,
    color: isOwn ? ownColor : (otherColors[other++ % otherColors.length] ?? 'gray.6'),
  }))
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
          tickFormatter: (value: number) => (unit === 'percent' ? `${value}%` : shown(value, unit)),
          ...(unit === 'position' && { reversed: true, domain: [1, 'auto'] }),
          ...(unit === 'count' && { allowDecimals: false }),
        }}
        xAxisProps={{ minTickGap: 24 }}
        tooltipAnimationDuration={0}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  )
}
