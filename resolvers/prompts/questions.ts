import type { Db } from '../../prisma/client.ts'
import { inTransaction } from '../shared/transaction.ts'
import { oneWriter, promptsByQuestion } from './prompts.sql.ts'

/** A prompt by the key of a question. */
interface AskedBy {
  readonly key: string
  readonly id: string
}

/**
 * The prompts of a project that ask these questions now, or asked them first.
 * @param isImported only those that came with answers and ask it now
 */
export function findByQuestion(
  db: Db,
  projectId: string,
  keys: readonly string[],
  isImported = false,
): Promise<AskedBy[]> {
  return db.$queryRawUnsafe<AskedBy[]>(promptsByQuestion, projectId, keys, isImported)
}

/** Runs `work` in a transaction in which nobody else adds or rewords a prompt of the project. */
export function asOnlyWriter<T>(
  db: Db,
  projectId: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await tx.$executeRawUnsafe(oneWriter, projectId)
    return work(tx)
  })
}
