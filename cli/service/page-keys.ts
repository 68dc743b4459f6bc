import type { Db } from '../../prisma/client.ts'
import { signInLocalOwner } from '../../resolvers/members/local-owner.ts'

/** Keys that pages sign in with; undefined where there is neither a local owner nor a demonstration. */
export interface PageKeys {
  /** Of the owner's own pages. */
  readonly page: string | undefined
  /** Of pages to try things on: the key of the demonstration, which changes little. */
  readonly trial: string | undefined
}

export async function pageKeys(db: Db, demoKey: string | undefined): Promise<PageKeys> {
  const ownKey = (await signInLocalOwner(db)) ?? undefined
  return { page: ownKey ?? demoKey, trial: demoKey ?? ownKey }
}
