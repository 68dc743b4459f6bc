import DataLoader from 'dataloader'
import { issuesById } from '../../resolvers/issues/issues.ts'
import { oncePerRequest } from '../kit/context.ts'

/** By issue id. Without a cache: one request may change an issue and read it. */
export const issueLoader = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => issuesById(db, ids), { cache: false }),
)
