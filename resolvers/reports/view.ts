import type { HistoryInterval } from '../../core/buckets.ts'
import { isOfFew, type Ratio, rounded, share } from '../../core/metrics.ts'
import type { ReportType } from '../../core/reports/input.ts'
import type {
  ReportPart,
  ReportView,
  ViewBrand,
  ViewNumber,
  ViewPoint,
  ViewPrompt,
} from '../../core/reports/view.ts'
import { ratedBy } from '../../core/text/rated-by.ts'
import { methodOf, ratedAnswers, sentimentScore } from '../../core/text/sentiment.ts'
import { type DateRange, lengthOf } from '../../core/window.ts'
import {
  averageRank,
  type BrandNumbers,
  brandsOfMany,
  mentionRate,
  shareOfVoice,
} from '../brands/brands.ts'
import { brandHistories } from '../brands/trend.ts'
import { brandDomains } from '../projects/projects.ts'
import { type PromptResult, promptResultsOfMany } from '../prompts/results.ts'
import { sentimentHistories } from '../sentiment/sentiment.ts'
import { platformNamesIn } from '../shared/platform-names.ts'
import { type Measured, measured } from '../shared/samples/cell.ts'
import { suresOf } from '../shared/samples/sure.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { sourceDomains } from '../sources/sources.ts'
import { sourcesToWinOfMany } from '../sources/to-win.ts'
import { type TopicPrompts, visibilityByTopic } from '../visibility/breakdowns.ts'
import { score } from '../visibility/counts.ts'
import { position, visibility } from '../visibility/visibility.ts'
import { viewChanges } from './changes.ts'
import { onlyOf } from './one.ts'

const mostBrands = 50
const mostPlatforms = 8
const mostTopics = 20
const mostPrompts = 10
const mostDomains = 10
const mostToWin = 5
/** Days that are drawn one by one; of more, their weeks are. */
const mostDays = 45

export interface ViewRequest {
  readonly reportType: ReportType
  readonly range: DateRange
  readonly parts: readonly ReportPart[]
  readonly topics: readonly TopicPrompts[]
}

const compare = 'previous_period' as const

/** The value that people see: none of too few. */
const value = (ratio: Ratio) => (isOfFew(ratio) ? null : rounded(ratio))
const pointOf = (ratio: Ratio): ViewPoint => ({ value: rounded(ratio), n: ratio.denominator })

const isOwn = ({ brand }: Pick<BrandNumbers, 'brand'>) => brand.id === brand.projectId

const rateOf = (row: BrandNumbers) => measured(mentionRate(row), 'named', row.cell)
const shareOf = (row: BrandNumbers) => measured(shareOfVoice(row), 'shareOfVoice', row.cell)
const rankOf = (row: BrandNumbers) => measured(averageRank(row), 'position', row.cell)
const toneOf = (row: BrandNumbers) => measured(sentimentScore(row), 'tone', row.cell)

/** Numbers with their intervals, in order. */
async function withIntervals(scope: ProjectScope, ratios: readonly Measured[]) {
  const sures = await suresOf(scope, ratios)
  return ratios.map((ratio, i) => {
    const { low = null, high = null } = sures[i]?.questions ?? {}
    return { value: value(ratio), low, high, n: ratio.denominator }
  })
}

/** Numbers with their intervals and changes, in order. */
async function numbersOf(
  scope: ProjectScope,
  pairs: readonly { readonly now: Measured; readonly before: Measured | null }[],
): Promise<ViewNumber[]> {
  const [numbers, changes] = await Promise.all([
    withIntervals(
      scope,
      pairs.map(({ now }) => now),
    ),
    viewChanges(scope, pairs),
  ])
  return numbers.map((number, i) => ({ ...number, change: changes[i] ?? null }))
}

/** The trends of the own brand that the trends of all brands lack. */
async function ownTrends(scope: ProjectScope, range: DateRange, interval: HistoryInterval) {
  const [found, tones] = await Promise.all([
    visibility(scope, range).then(({ trend }) => trend(interval)),
    sentimentHistories([scope], { ...range, interval }).then(onlyOf),
  ])
  const places = new Map(found.map(({ date, counts }) => [date, position(counts)]))
  const scores = new Map(tones.history.map((row) => [row.date, sentimentScore(row)]))
  return { places, scores }
}

async function headlineOf(
  scope: ProjectScope,
  { reportType }: ViewRequest,
  brands: readonly BrandNumbers[],
  trends: Readonly<Record<'visibility' | 'share' | 'sentiment' | 'position', ViewPoint[]>>,
): Promise<ReportView['headline']> {
  const own = brands.find(isOwn)
  if (!own) return {}
  const pairOf = (of: (row: BrandNumbers) => Measured) => ({
    now: of(own),
    before: own.previous && of(own.previous),
  })
  const [rate, voice, tone, rank] = await numbersOf(scope, [
    pairOf(rateOf),
    pairOf(shareOf),
    pairOf(toneOf),
    pairOf(rankOf),
  ])
  const other = brands.find((row) => row !== own)
  const hasTones = reportType !== 'visibility' && ratedAnswers(own) > 0
  return {
    ...(reportType !== 'sentiment' &&
      rate &&
      voice && {
        visibility: { ...rate, answers: own.named, trend: trends.visibility },
        share: {
          ...voice,
          rank: own.rank,
          brands: brands.length,
          other: other
            ? { name: other.brand.name, share: rounded(shareOfVoice(other)) ?? 0 }
            : null,
          trend: trends.share,
        },
      }),
    ...(hasTones &&
      tone && {
        sentiment: {
          ...tone,
          positive: own.positive,
          neutral: own.neutral,
          negative: own.negative,
          ratedBy: ratedBy({ method: methodOf(own), methodVersion: own.version || null }),
          trend: trends.sentiment,
        },
      }),
    ...(reportType !== 'sentiment' && rank && { position: { ...rank, trend: trends.position } }),
  }
}

async function brandsOf(
  scope: ProjectScope,
  { reportType }: ViewRequest,
  brands: readonly BrandNumbers[],
): Promise<readonly ViewBrand[]> {
  const shown = brands.slice(0, mostBrands)
  const changes = await viewChanges(
    scope,
    shown.map((row) => ({ now: shareOf(row), before: row.previous && shareOf(row.previous) })),
  )
  return shown.map((row, i) => ({
    name: row.brand.name,
    isOwn: isOwn(row),
    rank: row.rank,
    answers: row.named,
    mentions: row.mentions,
    visibility: value(mentionRate(row)),
    share: value(shareOfVoice(row)),
    shareChange: changes[i] ?? null,
    position: value(averageRank(row)),
    sentiment: reportType === 'visibility' ? null : value(sentimentScore(row)),
  }))
}

async function platformsOf(
  scope: ProjectScope,
  { range }: ViewRequest,
  brands: readonly BrandNumbers[],
): Promise<ReportView['platforms']> {
  const rows = (await (await visibility(scope, range)).platforms())
    .toSorted((a, b) => b.counts.responses - a.counts.responses)
    .slice(0, mostPlatforms)
  if (rows.length === 0) return undefined
  const nameOf = await platformNamesIn(
    scope.db,
    scope.project.id,
    rows.map(({ platform }) => platform),
  )
  const found = await brandsOfMany(
    rows.map(({ platform }) => ({ ...scope, slice: { by: 'platform', id: platform } as const })),
    range,
  )
  const byBrand = found.map((all) => new Map(onlyOf([all]).map((row) => [row.brand.id, row])))
  return {
    names: rows.map(({ platform }) => nameOf(platform)),
    answers: rows.map(({ counts }) => counts.responses),
    brands: brands.slice(0, mostBrands).map((overall) => ({
      name: overall.brand.name,
      isOwn: isOwn(overall),
      values: byBrand.map((of) => {
        const row = of.get(overall.brand.id)
        return row ? value(mentionRate(row)) : null
      }),
    })),
  }
}

async function topicsOf(
  scope: ProjectScope,
  { range, topics }: ViewRequest,
): Promise<ReportView['topics']> {
  const found = await visibilityByTopic(scope, range, async () => topics)
  const rows = found.topics
    .toSorted((a, b) => b.counts.responses - a.counts.responses)
    .slice(0, mostTopics)
    .map(({ topicName, counts }) => ({
      name: topicName,
      rate: measured(score(counts), 'named', counts.cell),
    }))
    .toSorted((a, b) => (rounded(b.rate) ?? 0) - (rounded(a.rate) ?? 0))
  if (rows.length === 0) return undefined
  const numbers = await withIntervals(
    scope,
    rows.map(({ rate }) => rate),
  )
  return numbers.map((number, i) => ({ name: rows[i]?.name ?? '', ...number }))
}

async function promptsOf(
  scope: ProjectScope,
  { range }: ViewRequest,
): Promise<ReportView['prompts']> {
  const page = { ...range, limit: mostPrompts, offset: 0 }
  const [lost, won] = await Promise.all([
    promptResultsOfMany([scope], { ...page, results: ['lost'], sort: 'gap_asc' }).then(onlyOf),
    promptResultsOfMany([scope], { ...page, results: ['won'], sort: 'gap_desc' }).then(onlyOf),
  ])
  const { counts } = lost
  if (counts.won + counts.lost + counts.even === 0) return undefined
  const ids = [...lost.rows, ...won.rows].map(({ promptId }) => promptId)
  const texts = await scope.db.prompt.findMany({
    where: { projectId: scope.project.id, id: { in: ids } },
    select: { id: true, text: true },
  })
  const textOf = new Map(texts.map(({ id, text }) => [id, text]))
  const names = new Map(scope.project.competitors.map(({ id, name }) => [id, name]))
  const shown = (rows: readonly PromptResult[]) =>
    rows.flatMap(
      ({ promptId, answers, visibility: own, rivalId, rivalVisibility }): ViewPrompt[] => {
        const text = textOf.get(promptId)
        // Deleted meanwhile.
        if (text === undefined) return []
        const rival = (rivalId && names.get(rivalId)) || null
        return [
          {
            text,
            answers,
            visibility: rounded(own),
            rival,
            rivalVisibility: rounded(rivalVisibility),
          },
        ]
      },
    )
  return {
    won: counts.won,
    lost: counts.lost,
    even: counts.even,
    mostLost: shown(lost.rows),
    mostWon: shown(won.rows),
  }
}

async function sourcesOf(
  scope: ProjectScope,
  { range }: ViewRequest,
): Promise<ReportView['sources']> {
  const [{ sources }, toWin] = await Promise.all([
    sourceDomains(scope, { ...range, limit: mostDomains, sort: '-citations' }),
    sourcesToWinOfMany([scope], {
      ...range,
      by: 'domain',
      sort: 'answers_desc',
      limit: mostToWin,
      offset: 0,
    }).then(onlyOf),
  ])
  if (sources.length === 0) return undefined
  const own = new Set(brandDomains(scope.project))
  return {
    cited: sources.map(({ domain, type, totalCitations, usage }) => ({
      domain,
      type,
      isOwn: own.has(domain),
      citations: totalCitations,
      usage: rounded(usage),
    })),
    toWin: toWin.map(({ domain, type, lost }) => ({ domain, type, answers: lost })),
  }
}

/**
 * What the page of a report shows, by the resolvers behind the dashboard.
 * @param scope the project as it was when the report was requested
 */
export async function reportView(scope: ProjectScope, request: ViewRequest): Promise<ReportView> {
  const { range, reportType, parts } = request
  const interval = lengthOf(range) <= mostDays ? 'day' : 'week'
  const [brands, historyOf, { places, scores }] = await Promise.all([
    brandsOfMany([scope], { ...range, compare }).then(onlyOf),
    brandHistories([scope], { ...range, interval }).then(onlyOf),
    ownTrends(scope, range, interval),
  ])
  const steps = historyOf(scope.project.id)
  const trends = {
    visibility: steps.map(({ named, responses }) => pointOf(share(named, responses))),
    share: steps.map(({ named, namedOfAll }) => pointOf(share(named, namedOfAll))),
    sentiment: steps.map(({ date }) => pointOf(scores.get(date) ?? share(0, 0))),
    position: steps.map(({ date }) => pointOf(places.get(date) ?? share(0, 0))),
  }
  const wants = (part: ReportPart) => parts.includes(part)
  const ofVisibility = (part: ReportPart) => wants(part) && reportType !== 'sentiment'
  const trend: ReportView['trend'] =
    reportType === 'sentiment'
      ? {
          metric: 'sentiment',
          brands: [{ name: scope.project.name, isOwn: true, points: trends.sentiment }],
        }
      : {
          metric: 'visibility',
          brands: brands.slice(0, mostBrands).map((row) => ({
            name: row.brand.name,
            isOwn: isOwn(row),
            points: historyOf(row.brand.id).map(({ named, responses }) =>
              pointOf(share(named, responses)),
            ),
          })),
        }
  const [headline, table, platforms, topics, prompts, sources] = [
    await headlineOf(scope, request, brands, trends),
    wants('brands') ? await brandsOf(scope, request, brands) : undefined,
    ofVisibility('platforms') ? await platformsOf(scope, request, brands) : undefined,
    ofVisibility('topics') ? await topicsOf(scope, request) : undefined,
    ofVisibility('prompts') ? await promptsOf(scope, request) : undefined,
    ofVisibility('sources') ? await sourcesOf(scope, request) : undefined,
  ]
  return {
    answers: brands[0]?.responses ?? 0,
    interval,
    steps: steps.map(({ from, to }) => ({ from, to })),
    headline,
    ...(wants('trend') && steps.length > 1 && { trend }),
    ...(table && { brands: table }),
    ...(platforms && { platforms }),
    ...(topics && { topics }),
    ...(prompts && { prompts }),
    ...(sources && { sources }),
  }
}
