import { idOf } from '../../core/ids.ts'
import type { TestApi } from './api.ts'

/** An audit of a project and an issue that it found. */
export interface AuditRows {
  readonly auditId: string
  readonly issueId: string
}

/** Writes a completed audit of all pages of a project, and an issue of the first page. */
export async function makeAuditRows({ db }: TestApi, projectId: string): Promise<AuditRows> {
  const pages = await db.page.findMany({ where: { projectId }, orderBy: { url: 'asc' } })
  const at = new Date('2025-05-10T12:00:00Z')
  const { id: auditId, seq } = await db.audit.create({
    data: {
      projectId,
      status: 'completed',
      pageCount: pages.length,
      isWholeSite: true,
      issueCount: 1,
      createdAt: at,
      startedAt: at,
      completedAt: at,
      pages: {
        create: pages.map(({ id: pageId, url }) => {
          return { pageId, url, address: url, status: 'completed', httpStatus: 200 }
        }),
      },
    },
  })
  const pageId = pages[0]?.id ?? null
  const issueId = idOf(projectId, 'issue', pageId ?? '', 'title-missing')
  await db.issue.create({
    data: {
      id: issueId,
      projectId,
      pageId,
      url: pages[0]?.url ?? '',
      check: 'title-missing',
      severity: 'high',
      affectedCount: 1,
      reach: 0,
      evidence: [],
      decidedBy: seq,
      firstSeenAt: at,
      lastSeenAt: at,
      openedAt: at,
    },
  })
  return { auditId, issueId }
}
