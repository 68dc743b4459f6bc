import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { ReferenceArea } from 'recharts'
import type { ReportUnit } from '../../core/reports/content.ts'
import { axisEnd } from '../../web/share/axis.ts'
import { otherColours, ownColour } from '../../web/share/look.ts'
import { shown } from '../../web/share/numbers.ts'
import { t } from '../texts/texts.ts'
import { sentimentColors } from './sentiments.ts'

export interface Line {
  readonly name: string
  readonly isOwn?: boolean
  /** Of an earlier period: dotted, and in the colour of the own brand. */
  readonly isPrevious?: boolean
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
  /** Numbered events, each at a point of time. */
  readonly marks?: readonly { readonly at: number; readonly label: string }[]
  /** A range of values behind the lines, such as what is usual. */
  readonly band?: {
    readonly low: number
    readonly high: number
    readonly label: string
    /** The point of time from which it holds. */
    readonly from: number
  }
  /** Opens what a point of time counts. */
  onOpen?(at: number): void
}

/** Opens the point of time that was clicked: of `count`, the one whose tooltip is shown. */
const opener =
  (count: number, onOpen: (at: number) => void) =>
  ({ activeTooltipIndex }: { activeTooltipIndex?: number | string | null | undefined }) => {
    const at = Number(activeTooltipIndex ?? -1)
    if (at >= 0 && at < count) onOpen(at)
  }

/** Lines over time with a tooltip. Steps without answers are bridged, so that few answers are not a row of dots. */
export function Lines(props: LinesProps) {
  const { title, unit, labels, series, end, spoken, height = 260, marks = [], band, onOpen } = props
  const data = labels.map((label, at) => ({
    label,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[at] ?? null])),
  }))
  let other = 0
  const drawn = series.map(({ name, isOwn, isPrevious }) => ({
    name,
    color:
      isOwn || isPrevious ? ownColour : (otherColours[other++ % otherColours.length] ?? ownColour),
    ...(isPrevious && { strokeDasharray: '2 4' }),
  }))
  const top =
    end ??
    axisEnd(
      unit,
      series.flatMap(({ values }) => values),
    )
  return (
    <div role="img" aria-label={`${title}. ${spoken}`} className={onOpen && 'opens'}>
      <LineChart
        h={height}
        data={data}
        dataKey="label"
        series={drawn}
        curveType="monotone"
        connectNulls
        withDots={labels.length <= 16}
        strokeWidth={2}
        gridAxis="x"
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
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
        referenceLines={marks.flatMap(({ at, label }) => {
          const x = labels[at]
          return x === undefined
            ? []
            : [{ x, label, color: 'gray.6', labelPosition: 'insideTopLeft' as const }]
        })}
        {...(onOpen && { lineChartProps: { onClick: opener(labels.length, onOpen) } })}
      >
        {band && (
          <ReferenceArea
            {...(labels[band.from] !== undefined && { x1: labels[band.from] })}
            y1={band.low}
            y2={band.high}
            fill="var(--mantine-color-gray-5)"
            fillOpacity={0.2}
            ifOverflow="hidden"
            label={{ value: band.label, position: 'insideTopRight', fontSize: 11 }}
          />
        )}
      </LineChart>
    </div>
  )
}

export interface SentimentStep {
  readonly label: string
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

interface SentimentBarsProps {
  readonly title: string
  readonly steps: readonly SentimentStep[]
  readonly spoken: string
  onOpen(at: number): void
}

const { positive, neutral, negative } = t.answers.sentiments

/** Positive, neutral and negative answers over time, as shares of a whole. */
export function SentimentBars({ title, steps, spoken, onOpen }: SentimentBarsProps) {
  return (
    <div role="img" aria-label={`${title}. ${spoken}`} className="opens">
      <BarChart
        h={240}
        type="percent"
        dataKey="label"
        data={steps.map((step) => ({
          label: step.label,
          [positive]: step.positive,
          [neutral]: step.neutral,
          [negative]: step.negative,
        }))}
        series={[
          { name: negative, color: sentimentColors.negative },
          { name: neutral, color: sentimentColors.neutral },
          { name: positive, color: sentimentColors.positive },
        ]}
        gridAxis="x"
        withLegend
        legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
        valueFormatter={(value) => shown(value, 'count')}
        xAxisProps={{ minTickGap: 16 }}
        tooltipAnimationDuration={0}
        maxBarWidth={48}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ onClick: opener(steps.length, onOpen) }}
      />
    </div>
  )
}
