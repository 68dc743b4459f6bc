import { type PageArgs, pagination } from '../../core/pagination.ts'
import type { Db } from '../../prisma/client.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type AuditScores, audit } from './audits.ts'

type Row = NonNullable<Awaited<ReturnType<Db['auditPage']['findFirst']>>>

/** A page of an audit. */
export interface AuditPage extends Omit<Row, 'reading' | 'findings' | 'scores'> {
  readonly scores: AuditScores | null
}

/** A page of the pages of an audit, by URL. */
export async function pagesOfAudit(db: Db, auditId: string, { limit, offset }: PageArgs) {
  const where = { auditId }
  const [rows, total] = await Promise.all([
    db.auditPage.findMany({
      where,
      orderBy: [{ url: 'asc' }, { pageId: 'asc' }],
      omit: { reading: true, findings: true },
      take: limit,
      skip: offset,
    }),
    db.auditPage.count({ where }),
  ])
  const pages = rows.map((row): AuditPage => {
    return { ...row, scores: row.scores as AuditScores | null }
  })
  return { pages, pagination: pagination({ limit, offset }, pages.length, total) }
}

export type AuditPageList = Awaited<ReturnType<typeof pagesOfAudit>>

/**
 * A page of the pages of one audit of the project.
 * @throws {Fault} `pitch_not_supported`, `not_found`
 */
export async function auditPages(
  scope: ProjectScope,
  { auditId, ...page }: PageArgs & { readonly auditId: string },
): Promise<AuditPageList> {
  const { id } = await audit(scope, auditId)
  return pagesOfAudit(scope.db, id, page)
}
