import type { Principal } from '../../core/access.ts'
import { platforms } from '../../core/platforms.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { listSizes } from './sizes.sql.ts'

/** Lists whose rows the catalog counts before anything is read of the warehouse. */
export const countedLists = [
  'projects',
  'topics',
  'prompts',
  'locations',
  'platforms',
  'competitors',
  'brands',
] as const
export type CountedList = (typeof countedLists)[number]

/** The most rows that a list has in one project; of `projects`, those of the key. */
export type ListSizes = Readonly<Record<CountedList, number>>

const knownPlatforms = platforms.map(({ id }) => id)

/**
 * The sizes of the lists of a key.
 * @param projectIds the projects whose lists are asked for; undefined for all that the key reaches
 */
export async function readListSizes(
  db: Pick<Db, '$queryRawUnsafe'>,
  { userId, projectId, keyId }: Principal,
  projectIds: readonly string[] | undefined,
): Promise<ListSizes | undefined> {
  const ids = projectIds?.filter(isUuid) ?? null
  const who = [userId, projectId, keyId] as const
  type Row = Omit<ListSizes, 'brands'>
  const [row] = await db.$queryRawUnsafe<Row[]>(listSizes, ...who, ids, knownPlatforms)
  // The own brand is none of its competitors.
  return row && { ...row, brands: row.competitors + 1 }
}
