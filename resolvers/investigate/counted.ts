import {
  type InvestigatedMetric,
  type Measure,
  type Part,
  type Parts,
  pooled,
} from '../../core/investigate/drivers.ts'
import { type Rater, toneThreshold } from '../../core/text/sentiment.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import type { FactParams } from '../shared/facts.sql.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { isSettled, type JudgeVersions, judgeVersions, ratedFactsOf } from '../shared/judged.ts'
import { rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { tallies } from './investigate.sql.ts'

interface TallyRow {
  readonly projectId: string
  readonly dimension: keyof Parts
  readonly key: string
  readonly n: number
  readonly d: number
  readonly nBefore: number
  readonly dBefore: number
}

export interface InvestigatedBy {
  readonly metric: InvestigatedMetric
  readonly method?: Rater | null | undefined
}

/** Who rates the answers of a project; null of metrics that are no ratings. */
export const raterOf = (
  { metric, method }: InvestigatedBy,
  { project }: ProjectScope,
): Rater | null =>
  metric === 'sentiment'
    ? (method ?? (project.sentimentVersion === null ? 'lexicon' : 'judge'))
    : null

/** The judges of a metric; null of metrics that are no ratings. */
export const judgesFor = async (
  scopes: readonly ProjectScope[],
  { metric, method }: InvestigatedBy,
): Promise<JudgeVersions | null> => (metric === 'sentiment' ? judgeVersions(scopes, method) : null)

/** The values of the statements that only some metrics read. */
export function metricParams(
  metric: InvestigatedMetric,
  scopes: readonly ProjectScope[],
): FactParams {
  const pairs = scopes.flatMap(({ project }) =>
    brandDomains(project).map((domain) => ({ id: project.id, domain })),
  )
  const params: Record<InvestigatedMetric, FactParams> = {
    visibility: {},
    shareOfVoice: {
      brands: scopes.flatMap(({ project }) =>
        [project, ...project.competitors].map(({ id }) => id),
      ),
    },
    sentiment: { tone: toneThreshold },
    citations: {
      ownProjects: pairs.map(({ id }) => id),
      ownDomains: pairs.map(({ domain }) => domain),
    },
  }
  return params[metric]
}

/** What was counted of one project: the parts of the metric, and the whole. */
export interface Counted {
  readonly scope: ProjectScope
  readonly measure: Measure
  readonly parts: Parts
}

function countedOf(
  scope: ProjectScope,
  metric: InvestigatedMetric,
  rows: readonly TallyRow[],
): Counted {
  const partsOf = (dimension: keyof Parts): Part[] =>
    rows
      .filter((row) => row.dimension === dimension)
      .map(({ key, n, d, nBefore, dBefore }) => ({
        key,
        now: { n: BigInt(n), d: BigInt(d) },
        before: { n: BigInt(nBefore), d: BigInt(dBefore) },
      }))
  const parts = {
    platform: partsOf('platform'),
    prompt: partsOf('prompt'),
    location: partsOf('location'),
    competitor: partsOf('competitor').filter(({ key }) => key !== scope.project.id),
  }
  const unit = metric === 'sentiment' ? 2n : 1n
  return { scope, measure: { metric, whole: pooled('', parts.platform), unit }, parts }
}

/** The metric in the window and in the window before, by each of its parts, in one statement. */
export async function countMany(
  scopes: readonly ProjectScope[],
  args: FilterArgs & InvestigatedBy,
  windows: { readonly range: DateRange; readonly previous: DateRange },
): Promise<(Counted | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const { metric } = args
  const { range, previous } = windows
  const versions = await judgesFor(scopes, args)
  const found = await rowsOfMany(scopes, args, (many) => {
    const both = { from: previous.from, to: range.to }
    const { facts, where, params } = ratedFactsOf(many, both, versions)
    return run<TallyRow>(first.warehouse, {
      id: `investigate.${metric}`,
      settled: isSettled(args.method),
      sql: tallies(metric, where, facts.from('mentions')),
      params: { ...params, ...metricParams(metric, scopes), currentFrom: range.from },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    return rows instanceof Error ? rows : countedOf(scope, metric, rows)
  })
}
