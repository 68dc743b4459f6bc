import { bucketOf, type HistoryInterval } from '../../core/buckets.ts'
import { average, difference, type Ratio, rounded, share } from '../../core/metrics.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  previousWindow,
} from '../../core/window.ts'
import { type PlatformNameOf, platformNamesIn } from '../shared/platform-names.ts'
import type { Cell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  type BrandCounts,
  beginReport,
  bestFirst,
  type CellCounts,
  type CompareArgs,
  type CountBy,
  noCounts,
  type PreviousOf,
  score,
  sum,
  type VisibilityArgs,
} from './counts.ts'

/** The most entities of an industry ranking. */
const mostRanked = 25

/** The difference of two shares, itself not rounded. */
function change(current: Ratio, previous: Ratio): Ratio {
  return {
    numerator: current.numerator * previous.denominator - previous.numerator * current.denominator,
    denominator: current.denominator * previous.denominator,
    scale: 100,
    subset: false,
  }
}

/** The totals of one window. Each part is counted when a field reads it. */
function countsIn(countBy: CountBy, range: DateRange) {
  const presence = async (at = range): Promise<CellCounts> =>
    (await countBy('presence', 'window', at)).get('') ?? noCounts
  return {
    presence: () => presence(),
    citations: async () => (await countBy('citations', 'window', range)).get('') ?? noCounts,
    /** Null when this window or the previous one has no responses. */
    async scoreChange(): Promise<Ratio> {
      const [now, before] = await Promise.all([presence(), presence(previousWindow(range))])
      return change(score(now), score(before))
    },
  }
}

export interface Summary extends ReturnType<typeof countsIn> {
  /** The same in the compared window; absent without a comparison. */
  readonly compared?: Summary | null
}

/** Differences of unrounded ratios and of counts; null when a ratio has no denominator. */
function deltasOf(current: Summary, previous: Summary) {
  const both = <Value>(read: (summary: Summary) => Promise<Value>) =>
    Promise.all([read(current), read(previous)])
  const ofRatio = async (read: (counts: BrandCounts) => Ratio) => {
    const [now, before] = await both((summary) => summary.presence())
    return difference(read(now), read(before))
  }
  return {
    score: () => ofRatio(score),
    averagePosition: () => ofRatio(position),
    async scoreChange() {
      const [now, before] = await both((summary) => summary.scoreChange())
      return difference(now, before)
    },
    async count(name: keyof BrandCounts) {
      const cited = name === 'citations' || name === 'sources'
      const [now, before] = await both((it) => (cited ? it.citations() : it.presence()))
      return now[name] - before[name]
    },
  }
}

export type SummaryDeltas = ReturnType<typeof deltasOf>

export function position({ ranks, named }: BrandCounts): Ratio {
  return average(ranks, named)
}

/** The comparison window of a report. */
export function comparisonOf(mode: Comparison, range: DateRange) {
  return { mode, dateRange: comparedWindow(range, mode) }
}

async function platformRows(
  { db, project }: ProjectScope,
  countBy: CountBy,
  previousOf: PreviousOf,
) {
  const [present, cited] = await Promise.all([
    countBy('presence', 'platform'),
    countBy('citations', 'platform'),
  ])
  let names: Promise<PlatformNameOf> | undefined
  const nameOf = async (platform: string) => {
    names ??= platformNamesIn(db, project.id, present.keys())
    return (await names)(platform)
  }
  return [...present]
    .map(([platform, found]) => ({
      platform,
      displayName: () => nameOf(platform),
      counts: { ...sum([found, cited.get(platform) ?? noCounts]), cell: found.cell },
      previous: previousOf(platform),
    }))
    .sort(bestFirst((row) => row.platform))
}

export type PlatformRow = Awaited<ReturnType<typeof platformRows>>[number]

/** Days, weeks or months with responses, oldest first. */
export async function historyRows(
  countBy: CountBy,
  range: DateRange,
  interval?: HistoryInterval | null,
) {
  const by = interval ?? 'day'
  const found = await countBy('presence', by)
  return [...found]
    .map(([date, counts]) => ({ ...bucketOf(range, by, date), counts }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

export type HistoryRow = Awaited<ReturnType<typeof historyRows>>[number]

/** Own brand and competitors, most responses first, ties by name, then id. */
async function rankingOf({ project }: ProjectScope, countBy: CountBy, whole: Cell) {
  const [all, named] = await Promise.all([
    countBy('presence', 'window'),
    countBy('brands', 'window'),
  ])
  const responses = all.get('')?.responses ?? 0
  const brands = [
    { id: project.id, name: project.name, domain: project.domain, isBrand: true },
    ...project.competitors.map(({ id, name, domain }) => ({ id, name, domain, isBrand: false })),
  ]
  const ranked = brands
    .map((brand) => ({ ...brand, counts: named.get(brand.id) ?? noCounts }))
    .sort(
      (a, b) =>
        b.counts.named - a.counts.named ||
        (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1),
    )
    .map(({ counts, ...brand }, i) => ({
      ...brand,
      rank: i + 1,
      mentions: counts.mentions,
      responseMentionRate: share(counts.named, responses),
      cell: { ...whole, object: brand.id },
    }))
  const shown = ranked.slice(0, mostRanked)
  const own = ranked.find(({ isBrand }) => isBrand)
  // The own brand is why the list is read: behind the others it has the last place, with its own rank.
  if (own && own.rank > mostRanked) shown[mostRanked - 1] = own
  return { entities: shown, hasMore: ranked.length > mostRanked }
}

export type Ranking = Awaited<ReturnType<typeof rankingOf>>

/** Visibility of the brand in a window. Each part is counted when a field reads it. */
export async function visibility(scope: ProjectScope, args: VisibilityArgs & CompareArgs) {
  const { range, countBy, cellsOf, previousBy } = beginReport(scope, args)
  const compared = args.compare ? comparisonOf(args.compare, range) : null
  const previous = compared && countsIn(countBy, compared.dateRange)
  const summary: Summary = { ...countsIn(countBy, range), compared: previous }
  return {
    scope,
    dateRange: range,
    summary,
    platforms: () => platformRows(scope, countBy, previousBy('platform')),
    trend: (interval?: HistoryInterval | null) => historyRows(countBy, range, interval),
    ranking: () => rankingOf(scope, countBy, cellsOf(range, 'window')('')),
    comparison:
      compared && previous
        ? { ...compared, current: summary, previous, deltas: deltasOf(summary, previous) }
        : null,
  }
}

/** Visibility by AI platform, for platforms with responses, best score first. */
export async function visibilityByPlatform(
  scope: ProjectScope,
  args: VisibilityArgs & CompareArgs,
) {
  const { range, countBy, previousBy } = beginReport(scope, args)
  const platforms = await platformRows(scope, countBy, previousBy('platform'))
  return { scope, dateRange: range, platforms }
}

/** The score rounded like every flat number. */
export const flatScore = (counts: BrandCounts): number | null => rounded(score(counts))
