import DataLoader from 'dataloader'
import { latestAudits } from '../../resolvers/audits/audits.ts'
import { pagesById } from '../../resolvers/pages/pages.ts'
import { oncePerRequest } from '../kit/context.ts'

/** Loaders by page id, for pages that another object names. Without a cache: a request may change a page. */
export const pageLoaders = oncePerRequest(({ services: { db } }) => ({
  page: new DataLoader((ids: readonly string[]) => pagesById(db, ids), { cache: false }),
  latestAudit: new DataLoader((ids: readonly string[]) => latestAudits(db, ids), { cache: false }),
}))
