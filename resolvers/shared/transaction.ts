import type { Catalog, Db } from '../../prisma/client.ts'

/**
 * Runs `work` as one: in a transaction of its own, or, where `db` is one already, in a part of it.
 * @param options `timeout` in milliseconds, for work that may take longer than a request
 */
export function inTransaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  options: { readonly timeout?: number } = {},
): Promise<T> {
  // Prisma's types hide it, but a transaction opens a savepoint so.
  return (db as Catalog).$transaction(work, options)
}

/** Whether a write failed because another made the same row first. */
export function isUniqueClash(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2002'
}
