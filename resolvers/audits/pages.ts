import type { Evidence } from '../../core/checks/check.ts'
import { describeFinding, findCheck } from '../../core/checks/checks.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import type { Db } from '../../prisma/client.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { findingsOf, newestOfPages, pagesOfEach } from './audits.sql.ts'
import { type AuditScores, audit } from './audits.ts'

type Row = NonNullable<Awaited<ReturnType<Db['auditPage']['findFirst']>>>

/** A page of an audit. */
export interface AuditPage extends Omit<Row, 'reading' | 'findings' | 'scores'> {
  readonly scores: AuditScores | null
}

/** A page of the pages of each audit, by URL, in the order of `auditIds`. */
export async function pagesOfAudits(
  db: Db,
  auditIds: readonly string[],
  { limit, offset, afterKey }: PageArgs,
) {
  const [rows, counts] = await Promise.all([
    db.$queryRawUnsafe<AuditPage[]>(pagesOfEach, auditIds, limit, offset, keyParam(afterKey)),
    db.auditPage.groupBy({
      by: ['auditId'],
      where: { auditId: { in: [...auditIds] } },
      _count: true,
    }),
  ])
  const byAudit = Map.groupBy(rows, ({ auditId }) => auditId)
  const totals = new Map(counts.map(({ auditId, _count }) => [auditId, _count]))
  return auditIds.map((id) => {
    const pages = byAudit.get(id) ?? []
    const total = totals.get(id) ?? 0
    return { pages, pagination: pagination({ limit, offset }, pages.length, total) }
  })
}

export type AuditPageList = Awaited<ReturnType<typeof pagesOfAudits>>[number]

/**
 * A page of the pages of one audit of the project.
 * @throws {Fault} `pitch_not_supported`, `not_found`
 */
export async function auditPages(
  scope: ProjectScope,
  { auditId, ...page }: PageArgs & { readonly auditId: string },
): Promise<AuditPageList> {
  const { id } = await audit(scope, auditId)
  const [found] = await pagesOfAudits(scope.db, [id], page)
  return found ?? { pages: [], pagination: pagination(page, 0, 0) }
}

/** The result of a page in one audit, with the number of the audit, newest highest. */
export interface PageResult extends AuditPage {
  readonly auditSeq: number
}

/** The newest results of each page in completed audits, in the order of `pageIds`. */
export async function newestResults(
  db: Db,
  pageIds: readonly string[],
  { limit, offset, afterKey }: PageArgs,
): Promise<PageResult[][]> {
  const ids = [...new Set(pageIds)]
  const rows = await db.$queryRawUnsafe<PageResult[]>(
    newestOfPages,
    ids,
    limit,
    offset,
    keyParam(afterKey),
  )
  const byPage = Map.groupBy(rows, ({ pageId }) => pageId)
  return pageIds.map((id) => byPage.get(id) ?? [])
}

interface KeptFindings {
  readonly auditId: string
  readonly pageId: string
  readonly projectId: string
  readonly findings: readonly {
    readonly check: string
    readonly affectedCount: number
    readonly evidence: Evidence
  }[]
  readonly counted: readonly string[] | null
}

/** A fault that an audit found at a page. */
export interface AuditFinding {
  readonly projectId: string
  /** Id of the check. */
  readonly type: string
  readonly description: string
  readonly affectedCount: number
  readonly evidence: Evidence
  /** Whether nobody ignored its issue at the end of the audit. */
  readonly isCounted: boolean
}

const keyOf = ({ auditId, pageId }: Pick<AuditPage, 'auditId' | 'pageId'>) => `${auditId} ${pageId}`

/** What audits found at pages, in the order of `pages`. */
export async function findingsOfPages(
  db: Db,
  pages: readonly AuditPage[],
): Promise<AuditFinding[][]> {
  const rows = await db.$queryRawUnsafe<KeptFindings[]>(
    findingsOf,
    pages.map(({ auditId }) => auditId),
    pages.map(({ pageId }) => pageId),
  )
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  return pages.map((page) => {
    const { projectId = '', findings = [], counted } = found.get(keyOf(page)) ?? {}
    return findings.map(({ check: type, affectedCount, evidence }): AuditFinding => {
      const check = findCheck(type)
      const description = check ? describeFinding(check, affectedCount, evidence) : type
      const isCounted = counted?.includes(type) ?? false
      return { projectId, type, description, affectedCount, evidence, isCounted }
    })
  })
}
