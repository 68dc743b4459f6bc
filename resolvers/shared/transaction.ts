import type { Catalog, Db } from '../../prisma/client.ts'

/** Runs `work` as one: in a transaction of its own, or, where `db` is one already, in a part of it. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  // Prisma's types hide it, but a transaction opens a savepoint so.
  return (db as Catalog).$transaction(work)
}

/** Whether a write failed because another made the same row first. */
export function isUniqueClash(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2002'
}
