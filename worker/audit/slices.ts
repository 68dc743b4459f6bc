import type { Db } from '../../prisma/client.ts'

/** A page of an audit, without what was read of it. */
export interface ListedPage {
  readonly pageId: string
  readonly url: string
}

/** The pages of an audit in the order of their URLs, those alone that were recorded with a reading if asked so. */
export function pagesOf(db: Db, auditId: string, onlyRead = false): Promise<ListedPage[]> {
  return db.auditPage.findMany({
    where: { auditId, ...(onlyRead ? { status: { in: ['completed', 'skipped'] } } : {}) },
    select: { pageId: true, url: true },
    orderBy: [{ url: 'asc' }, { pageId: 'asc' }],
  })
}

/** A page may have thousands of links: so many are in memory at once, however large the audit is. */
const slicePages = 50

/** A list in parts of 50. */
export function* slicesOf<T>(all: readonly T[]): Generator<readonly T[], void> {
  for (let at = 0; at < all.length; at += slicePages) yield all.slice(at, at + slicePages)
}
