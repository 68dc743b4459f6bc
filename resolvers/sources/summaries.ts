import { type Ratio, share } from '../../core/metrics.ts'
import {
  daysOf,
  previousWindow,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import { mostFirst } from '../shared/counts.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, readFilters } from '../shared/filters.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { currentSnapshot } from '../shared/snapshot.ts'
import { contentTypeList, type TrendGroup, trend } from './sources.sql.ts'

interface ContentTypeFacts {
  contentType: string
  used: number
  previouslyUsed: number
  prompts: number
  citing: number
  competitors: Record<string, number>
  responses: number
}

/** Content types by use, with their place in the window before. */
export async function contentTypes(scope: ProjectScope, args: WindowArgs & FilterArgs) {
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, args)
  const snapshot = currentSnapshot(scope)
  const both = { from: previousWindow(range).from, to: range.to }
  const rows = await run<ContentTypeFacts>(scope.warehouse, {
    id: 'sources.content-types',
    frozen: true,
    sql: contentTypeList(factsWhere(filters, snapshot)),
    params: {
      ...factParams(scope.project.id, both, filters, snapshot),
      currentFrom: range.from,
      competitorDomains: competitorDomains(scope.project),
    },
  })
  return { contentTypes: rankContentTypes(scope, rows) }
}

function placesBy(rows: readonly ContentTypeFacts[], count: 'used' | 'previouslyUsed') {
  const placed = rows
    .filter((row) => row[count] > 0)
    .sort((a, b) => b[count] - a[count] || (a.contentType < b.contentType ? -1 : 1))
  return new Map(placed.map((row, i) => [row, i + 1]))
}

export interface ContentTypeRow {
  contentType: string
  rank: number
  rankChange: number
  totalUsed: number
  promptsCount: number
  citationRate: Ratio
  competitors: string[]
}

function rankContentTypes(
  scope: ProjectScope,
  rows: readonly ContentTypeFacts[],
): ContentTypeRow[] {
  const before = placesBy(rows, 'previouslyUsed')
  return [...placesBy(rows, 'used')].map(([row, rank]) => ({
    contentType: row.contentType,
    rank,
    rankChange: (before.get(row) ?? rank) - rank,
    totalUsed: row.used,
    promptsCount: row.prompts,
    citationRate: share(row.citing, row.responses),
    competitors: competitorNames(scope, row.competitors).slice(0, 5),
  }))
}

function competitorNames(scope: ProjectScope, byDomain: Record<string, number>): string[] {
  const names = Map.groupBy(scope.project.competitors, (competitor) => competitor.domain)
  return mostFirst(byDomain)
    .flatMap((domain) => names.get(domain) ?? [])
    .map(({ name }) => name)
}

/** Citations a day of the brand's own pages, of its competitors', or of the ten most-cited domains. */
export async function sourceTrend(
  scope: ProjectScope,
  args: WindowArgs & FilterArgs & { group: TrendGroup },
) {
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, args)
  const snapshot = currentSnapshot(scope)
  const rows = await run<{ date: string; citationCount: number }>(scope.warehouse, {
    id: 'sources.trend',
    frozen: true,
    sql: trend(factsWhere(filters, snapshot), args.group),
    params: {
      ...factParams(scope.project.id, range, filters, snapshot),
      ownDomains: brandDomains(scope.project),
      competitorDomains: competitorDomains(scope.project),
    },
  })
  const counts = new Map(rows.map((row) => [row.date, row.citationCount]))
  return {
    citations: daysOf(range).map((date) => ({ date, citationCount: counts.get(date) ?? 0 })),
    brandDomain: scope.project.domain,
  }
}
