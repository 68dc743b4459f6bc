import type { Catalog, Db } from '../../prisma/client.ts'

/**
 * Runs `work` in a transaction, or in a savepoint when `db` is a transaction already.
 * @param options `timeout` in milliseconds, for work longer than a request
 */
export function inTransaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  options: { readonly timeout?: number } = {},
): Promise<T> {
  // Prisma's types hide `$transaction` of a transaction, which opens a savepoint.
  return (db as Catalog).$transaction(work, options)
}

/** Whether a write failed on a unique constraint: another writer created the same row first. */
export function isUniqueClash(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2002'
}
