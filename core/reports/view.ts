import type { HistoryInterval } from '../buckets.ts'
import type { SourceType } from '../sites/source-types.ts'
import type { DateRange } from '../window.ts'

/** What the page of a report may show below its headline numbers, in the order of the page. */
export const reportParts = ['trend', 'brands', 'platforms', 'topics', 'prompts', 'sources'] as const
export type ReportPart = (typeof reportParts)[number]

/** The change of a number since the previous period. */
export interface ViewChange {
  readonly value: number
  /** Null where the answers are too few to say. */
  readonly isSignificant: boolean | null
}

/** A number with its interval, its base and its change. Null values are of ratios without answers. */
export interface ViewNumber {
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** Answers, or mentions, that the number is of. */
  readonly n: number
  readonly change: ViewChange | null
}

/** A number of some days. */
export interface ViewPoint {
  readonly value: number | null
  readonly n: number
}

interface Trending extends ViewNumber {
  /** By the steps of the report. */
  readonly trend: readonly ViewPoint[]
}

export interface ViewBrand {
  readonly name: string
  readonly isOwn: boolean
  /** Place by the answers that mention each brand, from 1; null when answers mention none. */
  readonly rank: number | null
  /** Answers that mention the brand. */
  readonly answers: number
  /** Mentions in them: one answer may have several. */
  readonly mentions: number
  readonly visibility: number | null
  readonly share: number | null
  readonly shareChange: ViewChange | null
  readonly position: number | null
  /** Null where too few answers are rated. */
  readonly sentiment: number | null
}

export interface ViewPrompt {
  readonly text: string
  readonly answers: number
  /** Percent of the answers that mention the own brand. */
  readonly visibility: number | null
  /** The competitor that most answers mention; null when they mention none. */
  readonly rival: string | null
  readonly rivalVisibility: number | null
}

/** All that the page of a report shows. A part that was not asked for, or has nothing to show, is absent. */
export interface ReportView {
  /** Answers of the range. */
  readonly answers: number
  /** How finely trends are drawn, and their steps that have answers. */
  readonly interval: HistoryInterval
  readonly steps: readonly DateRange[]
  readonly headline: {
    readonly visibility?: Trending & { readonly answers: number }
    readonly share?: Trending & {
      readonly rank: number | null
      readonly brands: number
      /** The brand with the largest share, or the next one where the own brand leads. */
      readonly other: { readonly name: string; readonly share: number } | null
    }
    readonly sentiment?: Trending & {
      readonly positive: number
      readonly neutral: number
      readonly negative: number
      /** Who rated the answers, as `ratedBy` says it; absent in reports of earlier versions. */
      readonly ratedBy?: string
    }
    readonly position?: Trending
  }
  readonly trend?: {
    readonly metric: 'visibility' | 'sentiment'
    readonly brands: readonly {
      readonly name: string
      readonly isOwn: boolean
      readonly points: readonly ViewPoint[]
    }[]
  }
  /** Largest share of voice first. */
  readonly brands?: readonly ViewBrand[]
  readonly platforms?: {
    /** Most answers first. */
    readonly names: readonly string[]
    readonly answers: readonly number[]
    readonly brands: readonly {
      readonly name: string
      readonly isOwn: boolean
      readonly values: readonly (number | null)[]
    }[]
  }
  readonly topics?: readonly (Omit<ViewNumber, 'change'> & { readonly name: string })[]
  readonly prompts?: {
    readonly won: number
    readonly lost: number
    readonly even: number
    /** Those where a competitor is furthest ahead. */
    readonly mostLost: readonly ViewPrompt[]
    /** Those where the own brand is furthest ahead. */
    readonly mostWon: readonly ViewPrompt[]
  }
  readonly sources?: {
    readonly cited: readonly {
      readonly domain: string
      readonly isOwn: boolean
      /** Null in a report of before it was stored. */
      readonly type: SourceType | null
      readonly citations: number
      /** Percent of all answers that cite the domain. */
      readonly usage: number | null
    }[]
    /** Cited in answers that mention competitors and not the own brand, most answers first. */
    readonly toWin: readonly {
      readonly domain: string
      readonly type: SourceType
      readonly answers: number
    }[]
  }
}
