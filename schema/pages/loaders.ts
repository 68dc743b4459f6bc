import DataLoader from 'dataloader'
import { latestAudits } from '../../resolvers/audits/audits.ts'
import { pagesById, pagesByUrl } from '../../resolvers/pages/pages.ts'
import { oncePerRequest } from '../kit/context.ts'

/** Loaders by page id or URL, for pages that another object names. Without a cache: a request may change a page. */
export const pageLoaders = oncePerRequest(({ services: { db } }) => ({
  page: new DataLoader((ids: readonly string[]) => pagesById(db, ids), { cache: false }),
  byUrl: new DataLoader(
    (wanted: readonly { projectId: string; url: string }[]) => pagesByUrl(db, wanted),
    { cache: false },
  ),
  latestAudit: new DataLoader((ids: readonly string[]) => latestAudits(db, ids), { cache: false }),
}))
