import { notFound } from '../../core/errors.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Import } from '../../prisma/generated/client.ts'
import { followsRow } from '../shared/lists/keyset.ts'

/** @throws {Fault} `not_found` */
export async function requireImport(db: Db, projectId: string, importId: string): Promise<Import> {
  const isId = isUuid(projectId) && isUuid(importId)
  const found = isId ? await db.import.findFirst({ where: { id: importId, projectId } }) : null
  if (!found) throw notFound()
  return found
}

export interface ImportList {
  readonly rows: readonly Import[]
  readonly total: () => Promise<number>
}

/** A page of the imports of a project, the newest first. */
export async function listImports(
  db: Db,
  projectId: string,
  { limit, offset, afterKey }: PageArgs,
): Promise<ImportList> {
  const order = [
    ['startedAt', 'desc'],
    ['id', 'desc'],
  ] as const
  const rows = await db.import.findMany({
    where: { projectId, ...followsRow(order, afterKey) },
    orderBy: order.map(([column, direction]) => ({ [column]: direction })),
    take: limit,
    skip: offset,
  })
  return { rows, total: () => db.import.count({ where: { projectId } }) }
}
