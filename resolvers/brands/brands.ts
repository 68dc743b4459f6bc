import { average, share } from '../../core/metrics.ts'
import { noTones, type Rater, type ToneCounts } from '../../core/text/sentiment.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains, type ProjectRecord } from '../projects/projects.ts'
import { askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { isSettled, judgeOf, judgeVersions, ratedFactsOf } from '../shared/judged.ts'
import { type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type Cell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { brandNumbers } from './brands.sql.ts'

/** A tracked brand: the own one, whose id is that of the project, or a competitor. */
export interface BrandReference {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly domain: string
}

/** What answers say of one brand. */
export interface BrandNumbers extends ToneCounts {
  /** The project or slice whose answers are counted, and its window and filters. */
  readonly scope: ProjectScope
  readonly args: BrandsArgs
  /** The answers that are counted. */
  readonly cell: Cell
  readonly brand: BrandReference
  /** The sum over tracked brands of the answers that name each. */
  readonly namedOfAll: number
  /** Place by answers that name the brand, from 1; brands with as many share it. Null when answers name no brand. */
  readonly rank: number | null
  /** The same brand in the compared window; null without a comparison. */
  readonly previous: BrandNumbers | null
  /** Answers in scope. */
  readonly responses: number
  /** Answers that name the brand. */
  readonly named: number
  readonly mentions: number
  /** The sum of the brand's ranks in the answers that name it. */
  readonly ranks: number
  /** Citations of the brand's domains. */
  readonly citations: number
}

type Of = Pick<BrandNumbers, 'scope' | 'args' | 'cell'>
type Counts = Omit<BrandNumbers, keyof Of | 'brand' | 'namedOfAll' | 'rank' | 'previous'>
type Row = Counts & ManyRow & { readonly key: string }

const none: Counts = {
  responses: 0,
  named: 0,
  mentions: 0,
  ranks: 0,
  ...noTones,
  citations: 0,
}

export const mentionRate = ({ named, responses }: BrandNumbers) => share(named, responses)
export const shareOfVoice = ({ named, namedOfAll }: BrandNumbers) => share(named, namedOfAll)
export const averageRank = ({ ranks, named }: BrandNumbers) => average(ranks, named)

/** The own brand of a project. */
export const ownBrandOf = ({ id, name, domain }: ProjectRecord): BrandReference => ({
  id,
  name,
  domain,
  projectId: id,
})

/** The tracked brands of a project, its own first. */
function brandsOfProject(project: ProjectRecord): BrandReference[] {
  const competitors = project.competitors.map(({ id, name, domain }) => {
    return { id, name, domain, projectId: project.id }
  })
  return [ownBrandOf(project), ...competitors]
}

export type BrandsArgs = WindowArgs & FilterArgs & { method?: Rater | null | undefined }

export type ComparedBrandsArgs = BrandsArgs & { compare?: Comparison | null | undefined }

/**
 * What answers say of each tracked brand, for several projects or slices of projects in one statement. The brand that
 * most answers name comes first; brands that no answer names are included.
 */
export async function brandsOfMany(
  scopes: readonly ProjectScope[],
  { compare, ...args }: ComparedBrandsArgs,
): Promise<(readonly BrandNumbers[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const [now, before] = await Promise.all([
    brandsIn(range, scopes, args),
    compare ? brandsIn(comparedWindow(range, compare), scopes, args) : null,
  ])
  if (before === null) return now
  return now.map((rows, i) => {
    const earlier = before[i] ?? []
    if (rows instanceof Error || earlier instanceof Error) return rows
    const byId = new Map(earlier.map((row) => [row.brand.id, row]))
    return rows.map((row) => ({ ...row, previous: byId.get(row.brand.id) ?? null }))
  })
}

async function brandsIn(
  range: DateRange,
  scopes: readonly ProjectScope[],
  args: BrandsArgs,
): Promise<(readonly BrandNumbers[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const projects = [...new Set(scopes.map(({ project }) => project))]
  const domains = projects.flatMap((it) => [...brandDomains(it), ...competitorDomains(it)])
  const { method } = args
  const versions = await judgeVersions(scopes, method)
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = ratedFactsOf(many, range, versions)
    return run<Row>(first.warehouse, {
      id: 'brands',
      settled: isSettled(method),
      sql: brandNumbers(facts),
      params: { ...params, brandDomains: [...new Set(domains)] },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const asked = askedOf(scope, range, args)
    const cell = wholeCell(scope.project.id, { ...asked, ...(method ? { rater: method } : {}) })
    const judge = judgeOf(versions, scope)
    return numbersOf(rows, { scope, args, cell }).map((row) => ({ ...row, ...judge }))
  })
}

function numbersOf(rows: readonly Row[], of: Of): BrandNumbers[] {
  const { project } = of.scope
  const byKey = new Map<string, Counts>(rows.map((row) => [row.key, row]))
  const responses = byKey.get('')?.responses ?? 0
  const brands = brandsOfProject(project)
  const namings = brands.map(({ id }) => byKey.get(id)?.named ?? 0)
  const namedOfAll = namings.reduce((sum, named) => sum + named, 0)
  return brands
    .map((brand): BrandNumbers => {
      const own = brand.id === project.id
      const cited = (own ? brandDomains(project) : [brand.domain]).map(
        (domain) => byKey.get(domain)?.citations ?? 0,
      )
      const citations = cited.reduce((sum, count) => sum + count, 0)
      const cell = { ...of.cell, object: brand.id }
      const counts = { ...none, ...byKey.get(brand.id), responses, citations }
      const ahead = namings.filter((named) => named > counts.named).length
      const rank = namedOfAll === 0 ? null : ahead + 1
      return { ...counts, ...of, brand, namedOfAll, rank, previous: null, cell }
    })
    .toSorted(mostNamedFirst)
}

function mostNamedFirst(a: BrandNumbers, b: BrandNumbers): number {
  return (
    b.named - a.named || b.mentions - a.mentions || (a.brand.name < b.brand.name ? -1 : 1) // names are unique within a project
  )
}

/** Who leads among tracked brands, and where the own brand is. */
export interface BrandRanking {
  /** The brand that most answers name; null when they name no tracked brand. */
  readonly leader: BrandNumbers | null
  /** The second brand; null when answers name one brand or none. */
  readonly runnerUp: BrandNumbers | null
  /** Whether as many answers name the second brand as the first. */
  readonly isTied: boolean
  readonly own: BrandNumbers
  /** The competitor that most answers name; null without competitors. */
  readonly rival: BrandNumbers | null
  readonly brandCount: number
}

/** The ranking of brands, most named first. */
export function rankingOf(brands: readonly BrandNumbers[]): BrandRanking {
  const own = brands.find(({ brand }) => brand.id === brand.projectId)
  if (own === undefined) throw new Error('The own brand is not among the brands.')
  const [leader = null, runnerUp = null] = brands.filter(({ named }) => named > 0)
  const isTied = leader !== null && leader.named === runnerUp?.named
  const rival = brands.find((row) => row !== own) ?? null
  return { leader, runnerUp, isTied, own, rival, brandCount: brands.length }
}

/** The id of the brand that more answers name than any other brand; null when two share the lead. */
export function leaderOf([first, second]: readonly BrandNumbers[]): string | null {
  if (first === undefined || first.named === 0) return null
  return second?.named === first.named ? null : first.brand.id
}
