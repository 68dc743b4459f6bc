import type { Db } from '../../prisma/client.ts'
import type { PageSubject } from '../../resolvers/keys/page-codes.ts'
import { findLocalOwner } from '../../resolvers/members/local-owner.ts'

/** Whom pages sign in; undefined where there is neither a local owner nor a demonstration. */
export interface PageSubjects {
  /** The owner's own pages. */
  readonly page: PageSubject | undefined
  /** Pages to try things on: the key of the demonstration, which changes little. */
  readonly trial: PageSubject | undefined
}

export async function pageSubjects(db: Db, demoKey: string | undefined): Promise<PageSubjects> {
  const userId = await findLocalOwner(db)
  const owner = userId === null ? undefined : { userId }
  const demo = demoKey === undefined ? undefined : { key: demoKey }
  return { page: owner ?? demo, trial: demo ?? owner }
}
