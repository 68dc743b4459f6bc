import type { OpportunityStatus } from '../../core/opportunities/rules.ts'
import { type Impact, impacts } from '../../core/opportunities/score.ts'
import { type PageArgs, pagination, type SortKey } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import { refusePitch } from '../shared/runnable.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  type OpportunityOrder,
  opportunityCounts,
  opportunityPage,
  sortValues,
} from './opportunities.sql.ts'
import { type Opportunity, opportunityOf } from './transitions.ts'

export type { Evidence } from './basis.ts'
export type { OpportunityOrder } from './opportunities.sql.ts'
export type { Opportunity } from './transitions.ts'

/** An opportunity with its place in a list. */
export type ListedOpportunity = Opportunity & { readonly sortedBy: SortKey }

export interface OpportunityArgs extends PageArgs {
  status?: Choice<OpportunityStatus>
  includeResolved?: boolean | null | undefined
  source?: Choice<string>
  impact?: Choice<Impact>
}

interface Counted {
  readonly source: string
  readonly impact: Impact
  readonly count: number
}

/** The counts of each value of a column, with 0 for the given keys. */
function sumBy(counts: readonly Counted[], column: 'source' | 'impact', keys: readonly string[]) {
  const sums = new Map(keys.map((key) => [key, 0]))
  for (const row of counts) sums.set(row[column], (sums.get(row[column]) ?? 0) + row.count)
  return [...sums].map(([key, count]) => ({ key, count }))
}

/**
 * A page of opportunities in the given order: REST has them by impact, then newest first. Without `status` it lists active
 * ones, with `includeResolved` all.
 * @throws {Fault} `pitch_not_supported`
 */
export async function listOpportunities(
  db: Db,
  project: { readonly id: string; readonly kind: string },
  args: OpportunityArgs,
  order: OpportunityOrder = 'effect',
) {
  const { limit, offset, source, impact, afterKey } = args
  refusePitch(project)
  const statuses = chosen(args.status) ?? (args.includeResolved ? null : ['active'])
  const asked = [project.id, statuses, chosen(source), chosen(impact)] as const
  const [rows, counts] = await Promise.all([
    db.$queryRawUnsafe<Opportunity[]>(
      opportunityPage(order),
      ...asked,
      limit,
      offset,
      keyParam(afterKey),
    ),
    db.$queryRawUnsafe<Counted[]>(opportunityCounts, ...asked),
  ])
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const bySource = sumBy(counts, 'source', [])
  bySource.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
  return {
    summary: { total, bySource, byImpact: sumBy(counts, 'impact', impacts) },
    opportunities: rows.map((row): ListedOpportunity => {
      return { ...row, sortedBy: sortValues(order, { ...row }) }
    }),
    pagination: pagination({ limit, offset }, rows.length, total),
  }
}

/**
 * The same for a report.
 * @throws as {@link listOpportunities} does
 */
export async function opportunities(
  scope: ProjectScope,
  args: OpportunityArgs,
  order: OpportunityOrder,
) {
  return { scope, ...(await listOpportunities(scope.db, scope.project, args, order)) }
}

/** Opportunities by id, in the order of `ids`; null where unknown. */
export async function opportunitiesById(
  db: Db,
  ids: readonly string[],
): Promise<(Opportunity | null)[]> {
  const rows = await db.opportunity.findMany({ where: { id: { in: ids.filter(isUuid) } } })
  const byId = new Map(rows.map((row) => [row.id, opportunityOf(row)]))
  return ids.map((id) => byId.get(id) ?? null)
}
