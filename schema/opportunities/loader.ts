import DataLoader from 'dataloader'
import { opportunitiesById } from '../../resolvers/opportunities/opportunities.ts'
import { oncePerRequest } from '../kit/context.ts'

/** By id. Without a cache: a request may change what it reads. */
export const opportunityLoader = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => opportunitiesById(db, ids), { cache: false }),
)
