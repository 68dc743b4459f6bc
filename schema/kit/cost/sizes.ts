import { type ListSizes, readListSizes } from '../../../resolvers/projects/sizes.ts'
import type { Context } from '../context.ts'

/** The sizes of lists that are known before a document runs. One statement reads them. */
export const listSizes = (
  context: unknown,
  projectIds: readonly string[] | undefined,
): Promise<ListSizes | undefined> => {
  const { services, principal } = context as Context
  return readListSizes(services.db, principal, projectIds)
}
