import type { Method } from '../method/method.ts'
import type { DateRange } from '../window.ts'
import type { ReportView } from './view.ts'

/** What the numbers of a metric are. */
export const reportUnits = ['percent', 'points', 'count', 'position', 'score'] as const
export type ReportUnit = (typeof reportUnits)[number]

/** One number of a report, as it is shown. */
export interface ReportMetric {
  readonly label: string
  /** Null for a ratio without answers. */
  readonly value: number | null
  readonly unit: ReportUnit
  /** The 95 % interval; null where the number has none. */
  readonly low: number | null
  readonly high: number | null
  /** The number of answers behind a ratio; null for a count. */
  readonly n: number | null
}

export interface ReportSection {
  readonly title: string
  readonly metrics: readonly ReportMetric[]
}

/** One number over time, by days, weeks or months. */
export interface ReportTrend {
  readonly title: string
  /** Title of the section that the trend belongs to. */
  readonly section: string
  readonly unit: ReportUnit
  readonly step: 'day' | 'week' | 'month'
  readonly points: readonly TrendPoint[]
}

export interface TrendPoint extends DateRange {
  readonly value: number | null
  readonly n: number
}

/** All that a report shows, computed once. */
export interface ReportContent {
  readonly brand: { readonly name: string; readonly domain: string }
  readonly sections: readonly ReportSection[]
  readonly trends: readonly ReportTrend[]
  /** What a reader must know about the numbers; null for nothing. */
  readonly note: string | null
  /** How the answers were collected; absent in reports of before it was counted. */
  readonly method?: Method
  /** What the page shows; absent in reports of before it was counted. */
  readonly view?: ReportView
}
