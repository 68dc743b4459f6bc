import type { PageArgs } from '../../core/pagination.ts'
import type { ExternalLinkState } from '../../core/sites/external-links.ts'
import type { Db } from '../../prisma/client.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import { externalLinksOfEach } from './audits.sql.ts'

type Row = NonNullable<Awaited<ReturnType<Db['externalLink']['findFirst']>>>

/** An address of another site that audited pages link to, and what it answered. */
export interface ExternalLink extends Row {
  /** Links of the list, whatever its page. */
  readonly total: number
}

export interface ExternalLinkArgs extends PageArgs {
  readonly states?: Choice<ExternalLinkState>
}

/** A page of the links to other sites of each audit: the broken first, then those on most pages. */
export async function externalLinksOf(
  db: Db,
  auditIds: readonly string[],
  { states, limit, offset, afterKey }: ExternalLinkArgs,
): Promise<{ rows: ExternalLink[] }[]> {
  const rows = await db.$queryRawUnsafe<ExternalLink[]>(
    externalLinksOfEach,
    auditIds,
    limit,
    offset,
    keyParam(afterKey),
    chosen(states) ?? null,
  )
  const byAudit = Map.groupBy(rows, ({ auditId }) => auditId)
  return auditIds.map((id) => ({ rows: byAudit.get(id) ?? [] }))
}

/** Links to other sites by state, of each audit. */
export async function externalLinkCountsOf(db: Db, auditIds: readonly string[]) {
  const rows = await db.externalLink.groupBy({
    by: ['auditId', 'state'],
    where: { auditId: { in: [...auditIds] } },
    _count: true,
    orderBy: { state: 'asc' },
  })
  const byAudit = Map.groupBy(rows, ({ auditId }) => auditId)
  return auditIds.map((id) =>
    (byAudit.get(id) ?? []).map(({ state, _count }) => ({ key: state as string, count: _count })),
  )
}
