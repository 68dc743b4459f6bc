import { randomUUID } from 'node:crypto'
import type { Db } from '../../prisma/client.ts'
import { insert } from '../../warehouse/run.ts'
import type { WorkSources } from '../job.ts'
import { waitingTexts } from './slice.sql.ts'

interface WaitingText {
  readonly pageId: string
  readonly projectId: string
  readonly url: string
  readonly title: string
  readonly content: string
  readonly readAt: Date
}

/**
 * Writes the waiting texts of an audit into the warehouse, many in one insert: one text costs as much as hundreds. A
 * text that was written twice replaces itself.
 */
export async function writeTexts(
  { db, warehouse }: Pick<WorkSources, 'db' | 'warehouse'>,
  auditId: string,
): Promise<void> {
  for (;;) {
    const texts = await db.$queryRawUnsafe<WaitingText[]>(waitingTexts, auditId)
    if (texts.length === 0) return
    const rows = texts.map(({ projectId, url, title, content, readAt }) => ({
      project_id: projectId,
      url,
      title,
      content,
      fetched_at: readAt.toISOString(),
      origin: 'audit',
    }))
    await insert(warehouse, { table: 'page_contents', rows, token: randomUUID() })
    const pageIds = texts.map(({ pageId }) => pageId)
    await db.auditText.deleteMany({ where: { auditId, pageId: { in: pageIds } } })
  }
}

/** Drops the texts of an audit that has ended without them. */
export async function dropTexts(db: Db, auditId: string): Promise<void> {
  await db.auditText.deleteMany({ where: { auditId } })
}
