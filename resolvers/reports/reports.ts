import { notFound } from '../../core/errors.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import type { ReportContent } from '../../core/reports/content.ts'
import type { ReportType } from '../../core/reports/input.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import type { ProjectScope } from '../shared/scope.ts'

type Row = NonNullable<Awaited<ReturnType<Db['report']['findFirst']>>>

/** A report, with what it shows once it is completed. */
export interface Report extends Omit<Row, 'asOf' | 'content'> {
  readonly content: ReportContent | null
}

export function reportOf(row: Omit<Row, 'asOf'>): Report {
  return { ...row, content: row.content as ReportContent | null }
}

/** The window of a report. */
export function windowOf({ from, to }: Pick<Report, 'from' | 'to'>) {
  return { from: from.toISOString().slice(0, 10), to: to.toISOString().slice(0, 10) }
}

export interface ReportArgs extends PageArgs {
  reportType?: Choice<ReportType>
}

const order = [
  ['createdAt', 'desc'],
  ['id', 'asc'],
] as const

/** A page of the project's reports, newest first, ties by id. */
export async function reports({ db, project }: ProjectScope, args: ReportArgs) {
  const { limit, offset, reportType, afterKey } = args
  const types = chosen(reportType)
  const where = { projectId: project.id, ...(types && { reportType: { in: [...types] } }) }
  const [rows, total] = await Promise.all([
    db.report.findMany({
      where: { ...where, ...followsRow(order, afterKey) },
      omit: { asOf: true },
      orderBy: order.map(([name, direction]) => ({ [name]: direction })),
      take: limit,
      skip: offset,
    }),
    db.report.count({ where }),
  ])
  return {
    reports: rows.map(reportOf),
    pagination: pagination({ limit, offset }, rows.length, total),
  }
}

/**
 * One report.
 * @throws {Fault} `not_found`
 */
export async function report({ db, project }: ProjectScope, reportId: string): Promise<Report> {
  const id = isUuid(reportId) ? reportId : null
  const found =
    id &&
    (await db.report.findUnique({ where: { id, projectId: project.id }, omit: { asOf: true } }))
  if (!found) throw notFound()
  return reportOf(found)
}
