import { difference, type Ratio, share } from '../../core/metrics.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { CompetitorReference } from '../projects/projects.ts'
import { askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type Cell, type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { brandCounts } from './share-of-voice.sql.ts'

export type ShareOfVoiceArgs = WindowArgs & FilterArgs & { compare?: Comparison | null | undefined }

interface BrandFacts extends ManyRow {
  brandId: string
  mentions: number
  responses: number
  previousMentions?: number
  previousResponses?: number
}

interface Counts {
  mentions: number
  responses: number
}

type Brand = CompetitorReference
type CountsByBrand = ReadonlyMap<string, Counts>

/** The window of the report, and its comparison window. */
interface Windows {
  range: DateRange
  compared: { mode: Comparison; range: DateRange } | null
}

function windowsOf({ compare, ...args }: ShareOfVoiceArgs, now: Date): Windows {
  const range = resolveWindow(args, yearWindow, now)
  const compared = compare ? { mode: compare, range: comparedWindow(range, compare) } : null
  return { range, compared }
}

/**
 * Each brand's share of the answers that name a tracked brand, for several projects or slices in one statement.
 * @returns a report per scope, in order; the error of a scope whose filters fail
 */
export async function sharesOfVoice(scopes: readonly ProjectScope[], args: ShareOfVoiceArgs) {
  const [first] = scopes
  if (first === undefined) return []
  const windows = windowsOf(args, first.now)
  const { range, compared } = windows
  const span = { from: compared?.range.from ?? range.from, to: range.to }
  const answers = await rowsOfMany(scopes, args, (many) => {
    const { facts, params } = factsOf(many, span)
    return run<BrandFacts>(first.warehouse, {
      id: 'share-of-voice',
      settled: true,
      sql: brandCounts(facts, compared !== null),
      params: {
        ...params,
        ...(compared ? { currentFrom: range.from, previousTo: compared.range.to } : {}),
      },
    })
  })
  return scopes.map((scope, i) => {
    const rows = answers[i] ?? []
    return rows instanceof Error ? rows : shareOfVoice(scope, windows, rows, args)
  })
}

function shareOfVoice(
  scope: ProjectScope,
  { range, compared }: Windows,
  rows: readonly BrandFacts[],
  args: ShareOfVoiceArgs,
) {
  const { project } = scope
  const whole = wholeCell(project.id, askedOf(scope, range, args))
  const before = compared && wholeCell(project.id, askedOf(scope, compared.range, args))
  const brands: Brand[] = [project, ...project.competitors]
  const counts = new Map<string, Counts>(rows.map((row) => [row.brandId, row]))
  const earlier = new Map<string, Counts>(
    rows.map(({ brandId, previousMentions = 0, previousResponses = 0 }) => [
      brandId,
      { mentions: previousMentions, responses: previousResponses },
    ]),
  )
  const current = summaryOf(brands, counts, whole)
  const previous = before && summaryOf(brands, earlier, before)
  const rowOf = (brand: Brand) => ({
    ...brandRow(brand, counts, current, previous && { earlier, previous }),
    cell: { ...whole, object: brand.id },
    previousCell: before ? { ...before, object: brand.id } : undefined,
  })
  const own = rowOf(project)
  const competitors = project.competitors.map(rowOf).sort(byResponses)
  return {
    scope,
    brand: own,
    competitors,
    /** All of them, the largest share first. */
    brands: [own, ...competitors].sort(byResponses),
    totalMentions: current.totalMentions,
    totalResponsesWithMention: current.totalResponsesWithMention,
    comparison: compared &&
      previous && {
        mode: compared.mode,
        dateRange: compared.range,
        current,
        previous,
        deltas: deltasOf(current, previous),
      },
    dateRange: range,
  }
}

export type ShareOfVoice = ReturnType<typeof shareOfVoice>

const none: Counts = { mentions: 0, responses: 0 }

export interface ShareOfVoiceSummary extends InCell {
  sov: Ratio
  mentions: number
  responsesWithMention: number
  totalMentions: number
  totalResponsesWithMention: number
}

/** Totals of the first brand, the own one, among all. Brands no longer tracked are left out. */
function summaryOf(
  brands: readonly Brand[],
  counts: CountsByBrand,
  whole: Cell,
): ShareOfVoiceSummary {
  const tracked = brands.map(({ id }) => counts.get(id) ?? none)
  const own = tracked[0] ?? none
  const total = tracked.reduce((sum, { responses }) => sum + responses, 0)
  return {
    sov: share(own.responses, total),
    mentions: own.mentions,
    responsesWithMention: own.responses,
    totalMentions: tracked.reduce((sum, { mentions }) => sum + mentions, 0),
    totalResponsesWithMention: total,
    cell: { ...whole, object: brands[0]?.id ?? '' },
  }
}

function deltasOf(current: ShareOfVoiceSummary, previous: ShareOfVoiceSummary) {
  return {
    sov: difference(current.sov, previous.sov),
    mentions: current.mentions - previous.mentions,
    responsesWithMention: current.responsesWithMention - previous.responsesWithMention,
    totalMentions: current.totalMentions - previous.totalMentions,
    totalResponsesWithMention:
      current.totalResponsesWithMention - previous.totalResponsesWithMention,
  }
}

export type ShareOfVoiceDeltas = ReturnType<typeof deltasOf>

function brandRow(
  { id, name, domain }: Brand,
  counts: CountsByBrand,
  current: ShareOfVoiceSummary,
  before: { earlier: CountsByBrand; previous: ShareOfVoiceSummary } | null,
) {
  const { mentions, responses } = counts.get(id) ?? none
  const sov = share(responses, current.totalResponsesWithMention)
  const previousSov =
    before &&
    share(before.earlier.get(id)?.responses ?? 0, before.previous.totalResponsesWithMention)
  return {
    id,
    name,
    domain,
    mentions,
    responsesWithMention: responses,
    sov,
    previousSov,
    sovDelta: previousSov && difference(sov, previousSov),
  }
}

export type ShareOfVoiceRow = ReturnType<typeof brandRow> & {
  readonly cell: Cell
  readonly previousCell?: Cell | undefined
}

function byResponses(a: ShareOfVoiceRow, b: ShareOfVoiceRow): number {
  return (
    b.responsesWithMention - a.responsesWithMention ||
    b.mentions - a.mentions ||
    (a.name < b.name ? -1 : 1) // names are unique within a project
  )
}
