import type { ImportedPrompt } from '../../core/prompt-input.ts'
import { importPrompts, type PromptsWritten } from '../../resolvers/prompts/import.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { openCsv } from '../files/csv-records.ts'
import { rowOrReason } from '../files/flaw.ts'
import { type Expected, requireLook } from '../files/looks.ts'
import { peek } from '../files/peek.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportResult,
  type ImportStores,
  type RejectedLine,
  runImport,
} from '../loads/runner.ts'
import { isKnownColumn, planColumns, readPrompt } from './cells.ts'

export interface PromptsCsv extends ImportOptions<PromptsWritten> {
  /** A CSV file whose first line names the columns. */
  readonly csv: AsyncIterable<Uint8Array>
}

export type PromptsCsvResult = ImportResult<PromptsWritten> & {
  /** Columns that the import does not read. */
  readonly ignoredColumns: readonly string[]
  /** Cells that cannot be read, whose lines count without them; the first 10,000. Absent without such cells. */
  readonly leftOut?: readonly RejectedLine[]
}

const mostLeftOut = 10_000

const expected: Expected = {
  command: 'import prompts',
  field: 'csv',
  takes: 'CSV with a column `text`, `prompt` or `query`',
  also: ({ form }) => form === 'csv' || form === 'text',
}
const limits = { maxEntries: 1000 }

/**
 * Imports prompts from a CSV file, under the lock of the project. Invalid lines are rejected; the others are imported.
 * @throws {Fault} `invalid_argument` for an unreadable file or no column of texts; `not_found`; `rate_limited`
 * after `waitMs` behind another import; faults of `importPrompts`
 */
export async function importPromptsCsv(
  stores: Pick<ImportStores, 'db' | 'databaseUrl'>,
  actor: Actor,
  options: PromptsCsv,
): Promise<PromptsCsvResult> {
  const zero: PromptsWritten = { created: 0, updated: 0, unchanged: 0, repeated: 0 }
  let ignoredColumns: readonly string[] = []
  const leftOut: RejectedLine[] = []
  const result = await runImport(stores, { ...options, kind: null }, zero, async (run, { id }) => {
    async function* entries(): AsyncGenerator<Entry<ImportedPrompt>, void> {
      const { head, all } = await peek(options.csv, 1, options.signal)
      requireLook(head, expected)
      const file = await openCsv(all, isKnownColumn, options.signal)
      if (!file) return
      const plan = planColumns(file.header)
      ignoredColumns = plan.ignored
      for await (const record of file.records) {
        const { line: number } = record
        if ('reason' in record) yield { number, reason: record.reason }
        else {
          yield rowOrReason(number, () => {
            const { prompt, leftOut: reasons } = readPrompt(record, plan)
            if (reasons.length > 0 && leftOut.length < mostLeftOut) {
              leftOut.push({ line: number, reason: reasons.join(' ') })
            }
            return prompt
          })
        }
      }
    }
    async function* batches() {
      for await (const batch of run.batches(entries(), limits)) {
        yield batch
        run.reportProgress()
      }
    }
    Object.assign(run.counts, await importPrompts(stores.db, actor, id, batches()))
  })
  return { ...result, ignoredColumns, ...(leftOut.length > 0 ? { leftOut } : {}) }
}
