import { bucketOf, type HistoryInterval } from '../../core/buckets.ts'
import { difference } from '../../core/metrics.ts'
import { agreementOf, type RatedTwice } from '../../core/text/judge/agreement.ts'
import {
  netSentiment,
  noTones,
  type Rater,
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
import { type Asked, askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { isSettled, judgeOf, judgeVersions, ratedFactsOf } from '../shared/judged.ts'
import { type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'
import { ownTones, tonesBy, tonesByBrand, tonesTwice } from './sentiment.sql.ts'

export type SentimentArgs = WindowArgs &
  FilterArgs & {
    method?: Rater | null | undefined
    /** False where nobody asks who rated the answers, and how many nobody did: then the rows say none. */
    origins?: boolean | undefined
  }
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
  asked: (days: DateRange) => Asked
  /** What a row without answers says of the judge. */
  judge?: Pick<ToneCounts, 'rater' | 'version'> | null
}

const askedBy = (scope: ProjectScope, days: DateRange, args: SentimentArgs): Asked => ({
  ...askedOf(scope, days, args),
  ...(args.method ? { rater: args.method } : {}),
})

const shapeOf = ({ origins = true }: SentimentArgs) => ({ origins })

/** Reads all scopes in one statement; `answer` makes each scope's report from its rows. */
async function reportMany<Row extends ManyRow, Answer>(
  scopes: readonly ProjectScope[],
  { id, args, sql }: Statement,
  answer: (scope: ProjectScope, rows: readonly Row[], windows: Windows) => Answer,
): Promise<(Answer | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const compared = args.compare ? comparedWindow(range, args.compare) : null
  const span = { from: compared?.from ?? range.from, to: range.to }
  const versions = await judgeVersions(scopes, args.method)
  const found = await rowsOfMany(scopes, args, (many) => {
    const { facts, params } = ratedFactsOf(many, span, versions)
    return run<Row>(first.warehouse, {
      id,
      settled: isSettled(args.method),
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
    const read = found[i] ?? []
    if (read instanceof Error) return read
    const rows = args.origins === false ? read.map((row) => ({ ...noTones, ...row })) : read
    const windows = { range, compared, asked: (days: DateRange) => askedBy(scope, days, args) }
    const judge = judgeOf(versions, scope)
    if (judge === null) return answer(scope, rows, windows)
    const judged = rows.map((row) => ({ ...row, ...judge }))
    return answer(scope, judged, { ...windows, judge })
  })
}

type WindowRow = ToneRow & { isCurrent: 0 | 1 }

/** Sentiment of the own brand, with an optional comparison window. */
export function sentiments(scopes: readonly ProjectScope[], args: ComparedSentimentArgs) {
  const isCompared = Boolean(args.compare)
  const sql = (facts: ManyFacts) => ownTones(facts, { isCompared, ...shapeOf(args) })
  const statement = { id: 'sentiment', args, sql }
  return reportMany(
    scopes,
    statement,
    (scope, rows: readonly WindowRow[], { range, compared, asked, judge }) => {
      const tonesOf = (isCurrent: 0 | 1): ToneCounts =>
        rows.find((row) => row.isCurrent === isCurrent) ?? { ...noTones, ...judge }
      const cellOf = (days: DateRange) => wholeCell(scope.project.id, asked(days))
      const previous: ToneCounts & InCell = {
        ...tonesOf(0),
        cell: compared ? cellOf(compared) : undefined,
      }
      const summary = {
        ...tonesOf(1),
        cell: cellOf(range),
        previous: compared ? previous : null,
      }
      const deltas = deltasOf(summary, previous)
      const comparison =
        args.compare && compared
          ? { mode: args.compare, dateRange: compared, current: summary, previous, deltas }
          : null
      return { scope, args, summary, comparison, dateRange: range }
    },
  )
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

type DatedRow = ToneRow & { date: string; isNamed: 0 | 1 }

export type SentimentHistoryArgs = SentimentArgs & {
  interval?: HistoryInterval | null | undefined
}

/** Sentiment of the own brand by day, week or month; those without answers are left out. */
export function sentimentHistories(scopes: readonly ProjectScope[], args: SentimentHistoryArgs) {
  const by = args.interval ?? 'day'
  const sql = (facts: ManyFacts) => tonesBy(by, facts, shapeOf(args))
  const statement = { id: 'sentiment.history', args, sql }
  return reportMany(scopes, statement, (scope, rows: readonly DatedRow[], { range, asked }) => {
    const whole = wholeCell(scope.project.id, asked(range))
    // Of two rows of a date, the one of its mentions comes last and stays.
    const byDate = new Map(
      rows.toSorted((a, b) => a.isNamed - b.isNamed).map((row) => [row.date, row]),
    )
    const history = [...byDate.values()]
      .sort((a, b) => (a.date < b.date ? -1 : 1))
      .map((row) => ({
        ...row,
        ...bucketOf(range, by, row.date),
        cell: { ...whole, by, value: row.date },
      }))
    return { scope, history, dateRange: range }
  })
}

type BrandRow = ToneRow & { brandId: string }

/** Sentiment of each tracked brand. Brands no longer tracked are left out. */
export function sentimentsByCompetitor(scopes: readonly ProjectScope[], args: SentimentArgs) {
  const sql = (facts: ManyFacts) => tonesByBrand(facts, shapeOf(args))
  const statement = { id: 'sentiment.competitors', args, sql }
  return reportMany(
    scopes,
    statement,
    (scope, rows: readonly BrandRow[], { range, asked, judge }) => {
      const whole = wholeCell(scope.project.id, asked(range))
      const byBrand = new Map<string, ToneCounts>(rows.map((row) => [row.brandId, row]))
      const brandRow = ({ id, name }: { id: string; name: string }) => {
        const tones = byBrand.get(id) ?? { ...noTones, ...judge }
        return { ...tones, id, name, cell: { ...whole, object: id } }
      }
      return {
        scope,
        brand: brandRow(scope.project),
        competitors: scope.project.competitors.map(brandRow).sort(byRatedAnswers),
        dateRange: range,
      }
    },
  )
}

type TwiceRow = RatedTwice & ManyRow

/** How far the lexicon and the judge agree on the own brand. Tones of imports are left out. */
export function agreements(scopes: readonly ProjectScope[], args: SentimentArgs) {
  const both = { ...args, method: 'judge' as const, compare: null }
  const statement = { id: 'sentiment.agreement', args: both, sql: tonesTwice }
  return reportMany(scopes, statement, (_scope, rows: readonly TwiceRow[]) => agreementOf(rows))
}

export interface BrandTones extends ToneCounts, InCell {
  readonly id: string
  readonly name: string
}

function byRatedAnswers(a: BrandTones, b: BrandTones): number {
  return ratedAnswers(b) - ratedAnswers(a) || (a.name < b.name ? -1 : 1) // names are unique within a project
}
