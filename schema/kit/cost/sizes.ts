import { type ListSizes, readListSizes } from '../../../resolvers/projects/sizes.ts'
import type { Context } from '../context.ts'

/** The sizes of lists that are known before a document runs. One statement reads them. */
export const listSizes = (
  { services, principal }: Pick<Context, 'services' | 'principal'>,
  projectIds: readonly string[] | undefined,
): Promise<ListSizes | undefined> => readListSizes(services.db, principal, projectIds)
