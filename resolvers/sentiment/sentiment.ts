import { difference } from '../../core/metrics.ts'
import {
  netSentiment,
  noTones,
  ratedAnswers,
  sentimentScore,
  type ToneCounts,
  toneThreshold,
} from '../../core/text/sentiment.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'
import { ownTones, tonesByBrand, tonesByDay } from './sentiment.sql.ts'

export type SentimentArgs = WindowArgs & FilterArgs
export type ComparedSentimentArgs = SentimentArgs & { compare?: Comparison | null | undefined }

type ToneRow = ToneCounts & ManyRow

interface Statement {
  id: string
  args: ComparedSentimentArgs
  sql: (facts: ManyFacts) => string
}

interface Windows {
  range: DateRange
  compared: DateRange | null
}

/** Reads all scopes in one statement; `answer` makes each scope's report from its rows. */
async function reportMany<Row extends ToneRow, Answer>(
  scopes: readonly ProjectScope[],
  { id, args, sql }: Statement,
  answer: (scope: ProjectScope, rows: readonly Row[], windows: Windows) => Answer,
): Promise<(Answer | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const compared = args.compare ? comparedWindow(range, args.compare) : null
  const span = { from: compared?.from ?? range.from, to: range.to }
  const found = await rowsOfMany(scopes, args, (many) => {
    const { facts, params } = factsOf(many, span)
    return run<Row>(first.warehouse, {
      id,
      sql: sql(facts),
      params: {
        ...params,
        tone: toneThreshold,
        currentFrom: range.from,
        comparedTo: compared?.to ?? range.from,
      },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    return rows instanceof Error ? rows : answer(scope, rows, { range, compared })
  })
}

type WindowRow = ToneRow & { isCurrent: 0 | 1 }

/** Sentiment of the own brand, with an optional comparison window. */
export function sentiments(scopes: readonly ProjectScope[], args: ComparedSentimentArgs) {
  const statement = { id: 'sentiment', args, sql: ownTones }
  return reportMany(scopes, statement, (scope, rows: readonly WindowRow[], { range, compared }) => {
    const tonesOf = (isCurrent: 0 | 1): ToneCounts =>
      rows.find((row) => row.isCurrent === isCurrent) ?? noTones
    const cellOf = (days: DateRange) => wholeCell(scope.project.id, askedOf(scope, days, args))
    const summary: ToneCounts & InCell = { ...tonesOf(1), cell: cellOf(range) }
    const previous: ToneCounts & InCell = {
      ...tonesOf(0),
      cell: compared ? cellOf(compared) : undefined,
    }
    const deltas = deltasOf(summary, previous)
    const comparison =
      args.compare && compared
        ? { mode: args.compare, dateRange: compared, current: summary, previous, deltas }
        : null
    return { scope, summary, comparison, dateRange: range }
  })
}

function deltasOf(current: ToneCounts, previous: ToneCounts) {
  return {
    score: difference(sentimentScore(current), sentimentScore(previous)),
    positive: current.positive - previous.positive,
    neutral: current.neutral - previous.neutral,
    negative: current.negative - previous.negative,
    netSentiment: difference(netSentiment(current), netSentiment(previous)),
    totalMentions: ratedAnswers(current) - ratedAnswers(previous),
  }
}

type DayRow = ToneRow & { date: string }

/** Sentiment of the own brand by day; days without answers are left out. */
export function sentimentHistories(scopes: readonly ProjectScope[], args: SentimentArgs) {
  const statement = { id: 'sentiment.history', args, sql: tonesByDay }
  return reportMany(scopes, statement, (scope, history: readonly DayRow[], { range }) => {
    const asked = askedOf(scope, range, args)
    const days = history.map((row): DayRow & InCell => ({
      ...row,
      cell: { ...wholeCell(scope.project.id, asked), by: 'day', value: row.date },
    }))
    return { scope, history: days, dateRange: range }
  })
}

type BrandRow = ToneRow & { brandId: string }

/** Sentiment of each tracked brand. Brands no longer tracked are left out. */
export function sentimentsByCompetitor(scopes: readonly ProjectScope[], args: SentimentArgs) {
  const statement = { id: 'sentiment.competitors', args, sql: tonesByBrand }
  return reportMany(scopes, statement, (scope, rows: readonly BrandRow[], { range }) => {
    const whole = wholeCell(scope.project.id, askedOf(scope, range, args))
    const byBrand = new Map<string, ToneCounts>(rows.map((row) => [row.brandId, row]))
    const brandRow = ({ id, name }: { id: string; name: string }) => {
      const { positive, neutral, negative, unrated } = byBrand.get(id) ?? noTones
      return { id, name, positive, neutral, negative, unrated, cell: { ...whole, object: id } }
    }
    return {
      scope,
      brand: brandRow(scope.project),
      competitors: scope.project.competitors.map(brandRow).sort(byRatedAnswers),
      dateRange: range,
    }
  })
}

export interface BrandTones extends ToneCounts, InCell {
  readonly id: string
  readonly name: string
}

function byRatedAnswers(a: BrandTones, b: BrandTones): number {
  return ratedAnswers(b) - ratedAnswers(a) || (a.name < b.name ? -1 : 1) // names are unique within a project
}
