import type { ImportedPrompt } from '../../core/prompt-input.ts'
import { openCsv } from '../files/csv-records.ts'
import { type LockOptions, underLock } from '../loads/lock.ts'
import { isKnownColumn, planColumns, readPrompt } from './cells.ts'

export interface PromptsCsv extends LockOptions {
  /** A CSV file whose first line names the columns. */
  readonly csv: AsyncIterable<Uint8Array>
  /** Called after each batch with the counts so far. */
  readonly onProgress?: (counts: LineCounts) => void
}

export interface LineCounts {
  /** Lines with anything in them, but the header. */
  readonly read: number
  readonly rejected: number
}

export interface RejectedRecord {
  /** The line of the file on which it begins, from 1. */
  readonly line: number
  /** Begins with the column. */
  readonly reason: string
}

/** What became of the lines that were not rejected is known to those who write them. */
export type PromptsCsvResult<Written> = Written & {
  readonly read: number
  /** The first `maxRejectedKept`. */
  readonly rejected: readonly RejectedRecord[]
  /** How many were rejected; present only where `rejected` is cut. */
  readonly rejectedTotal?: number
  /** Columns that nothing was read from. */
  readonly ignoredColumns: readonly string[]
}

const maxRejectedKept = 10_000
const batchLines = 1000

interface Tally {
  read: number
  rejected: number
  readonly kept: RejectedRecord[]
  ignored: readonly string[]
}

/** The prompts that the file tells of, in batches that bound the memory. */
async function* promptsOf(
  { csv, signal, onProgress }: PromptsCsv,
  tally: Tally,
  lockLost: AbortSignal | undefined,
): AsyncGenerator<readonly ImportedPrompt[], void> {
  const file = await openCsv(csv, isKnownColumn, signal)
  if (!file) return
  const plan = planColumns(file.header)
  tally.ignored = plan.ignored
  let batch: ImportedPrompt[] = []
  for await (const record of file.records) {
    tally.read++
    const prompt = 'cells' in record ? readPrompt(record, plan) : record
    if (!('reason' in prompt)) batch.push(prompt)
    else if (++tally.rejected <= maxRejectedKept) tally.kept.push(prompt)
    if (tally.read % batchLines > 0) continue
    lockLost?.throwIfAborted()
    yield batch
    batch = []
    onProgress?.({ read: tally.read, rejected: tally.rejected })
  }
  lockLost?.throwIfAborted()
  yield batch
}

/**
 * Reads prompts of a CSV file, and has them written while nobody else imports into the project. A line that
 * cannot be read is told, and the others count.
 * @param write takes the lines in batches; when it throws nothing may have been written
 * @throws {Fault} `invalid_argument` where the file as a whole cannot be read, or has no column of texts;
 *   `rate_limited` when another import does not end within `waitMs`; what `write` throws
 */
export async function importPromptsCsv<Written extends object>(
  databaseUrl: string,
  options: PromptsCsv,
  write: (batches: AsyncIterable<readonly ImportedPrompt[]>) => Promise<Written>,
): Promise<PromptsCsvResult<Written>> {
  const tally: Tally = { read: 0, rejected: 0, kept: [], ignored: [] }
  const inTurn = await underLock(databaseUrl, options, (lockLost) =>
    write(promptsOf(options, tally, lockLost)),
  )
  // Stopped before its turn came, it reads nothing, and nothing is written.
  const written = inTurn ?? (await write(promptsOf(options, tally, undefined)))
  const { read, rejected, kept, ignored } = tally
  const cut = rejected > kept.length ? { rejectedTotal: rejected } : {}
  return { read, ...written, rejected: kept, ...cut, ignoredColumns: ignored }
}
