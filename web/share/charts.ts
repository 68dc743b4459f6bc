import type {
  ReportContent,
  ReportMetric,
  ReportSection,
  ReportTrend,
  ReportUnit,
} from '../../core/reports/content.ts'
import { counted } from '../../core/text/counted.ts'
import { shown, stepText } from './numbers.ts'

export interface ChartPoint {
  readonly label: string
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  readonly n: number | null
}

/** A chart of a report, as data. */
export interface ReportChart {
  readonly title: string
  /** Title of the section that the chart belongs to. */
  readonly section: string
  readonly kind: 'line' | 'bars'
  readonly unit: ReportUnit
  readonly points: readonly ChartPoint[]
  /** End of the axis, for charts side by side. Unless given, a round number above all values. */
  readonly end?: number
}

/** Fewer answers than these make a number that says little. */
export const fewAnswers = 10

const mostBars = 12

const barTitles: Readonly<Record<string, string>> = {
  'Share of voice': 'Share of voice by brand',
  'AI platforms': 'Visibility by AI platform',
  Topics: 'Visibility by topic',
  Sources: 'Most cited domains',
  Sentiment: 'Rated answers by sentiment',
  'Sentiment by brand': 'Sentiment score by brand',
}

/** The numbers that a section's bars show: of the tone only the counts, which add up to a whole. */
function barsOf({ title, metrics }: ReportSection): readonly ReportMetric[] {
  if (title === 'Sentiment') return metrics.filter(({ unit }) => unit === 'count')
  return metrics.filter(({ value }) => value !== null).slice(0, mostBars)
}

function barChart(section: ReportSection): ReportChart | null {
  const title = barTitles[section.title]
  const bars = barsOf(section)
  const [first] = bars
  if (!title || !first || bars.every(({ value }) => !value)) return null
  const points = bars.map(({ label, value, low, high, n }) => ({ label, value, low, high, n }))
  return { title, section: section.title, kind: 'bars', unit: first.unit, points }
}

function lineChart({ title, section, unit, step, points }: ReportTrend): ReportChart | null {
  if (points.filter(({ value }) => value !== null).length < 2) return null
  return {
    title,
    section,
    kind: 'line',
    unit,
    points: points.map((point) => ({
      label: stepText(point, step),
      value: point.value,
      low: null,
      high: null,
      n: point.n,
    })),
  }
}

/** The charts of a report, in the order of its sections. */
export function chartsOf({ sections, trends }: ReportContent): ReportChart[] {
  return sections.flatMap((section) => {
    const own = trends.filter((trend) => trend.section === section.title)
    return [...own.map(lineChart), barChart(section)].filter((chart) => chart !== null)
  })
}

/** What a chart shows, in words, for readers who do not see it. */
export function spoken({ kind, unit, points }: ReportChart): string {
  const known = points.filter(({ value }) => value !== null)
  const text = ({ label, value }: ChartPoint) => `${label} ${shown(value, unit)}`
  if (kind === 'bars') return `${counted(known.length, 'bar')}: ${known.map(text).join(', ')}.`
  const byValue = known.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0))
  const [first, last] = [known[0], known.at(-1)]
  const [lowest, highest] = [byValue[0], byValue.at(-1)]
  if (!first || !last || !lowest || !highest) return 'No answers.'
  return `A line from ${text(first)} to ${text(last)}; lowest ${text(lowest)}, highest ${text(highest)}.`
}
