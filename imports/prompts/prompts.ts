import type { ImportedPrompt } from '../../core/prompt-input.ts'
import type { Catalog } from '../../prisma/client.ts'
import {
  importPrompts,
  type PromptsPreview,
  type PromptsWritten,
  previewPrompts,
} from '../../resolvers/prompts/import.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { openCsv } from '../files/csv-records.ts'
import { rowOrReason } from '../files/flaw.ts'
import { type Expected, requireLook } from '../files/looks.ts'
import { peek } from '../files/peek.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportResult,
  ImportRun,
  type ImportStores,
  runImport,
} from '../loads/runner.ts'
import {
  type Column,
  type ColumnPlan,
  columnsOf,
  isKnownColumn,
  planColumns,
  readPrompt,
} from './cells.ts'

export interface PromptsCsv extends ImportOptions<PromptsWritten> {
  /** A CSV file whose first line names the columns. */
  readonly csv: AsyncIterable<Uint8Array>
  /** Positions of columns, from 0. By default, the names of the header decide. */
  readonly columns?: ReadonlyMap<Column, number> | undefined
}

export type PromptsCsvResult = ImportResult<PromptsWritten> & {
  /** Columns that the import does not read. */
  readonly ignoredColumns: readonly string[]
}

const expected: Expected = {
  command: 'import prompts',
  field: 'csv',
  takes: 'CSV with a column `text`, `prompt` or `query`',
  also: ({ form }) => form === 'csv' || form === 'text',
}
const limits = { maxEntries: 1000 }

/** The lines of a file as they are read, and its columns. */
class PromptsReader {
  header: readonly string[] = []
  plan: ColumnPlan | undefined
  readonly #options: Pick<PromptsCsv, 'csv' | 'columns' | 'signal'>

  constructor(options: Pick<PromptsCsv, 'csv' | 'columns' | 'signal'>) {
    this.#options = options
  }

  /** @throws {Fault} `invalid_argument` for an unreadable file or no column of texts */
  async *entries(): AsyncGenerator<Entry<ImportedPrompt>, void> {
    const { csv, columns, signal } = this.#options
    const { head, all } = await peek(csv, 1, signal)
    requireLook(head, expected)
    const file = await openCsv(all, isKnownColumn, signal)
    if (!file) return
    this.header = file.header
    const plan = planColumns(file.header, columns)
    this.plan = plan
    for await (const record of file.records) {
      const { line: number } = record
      if ('reason' in record) yield { number, reason: record.reason }
      else yield rowOrReason(number, () => readPrompt(record, plan))
    }
  }
}

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
  const reader = new PromptsReader(options)
  const result = await runImport(
    stores,
    { ...options, actor, kind: 'prompts' },
    zero,
    async (run, project, importId) => {
      async function* batches() {
        for await (const batch of run.batches(reader.entries(), limits)) {
          yield batch
          run.reportProgress()
        }
      }
      const of = { projectId: project.id, importId }
      Object.assign(run.counts, await importPrompts(stores.db, actor, of, batches()))
    },
  )
  return { ...result, ignoredColumns: reader.plan?.ignored ?? [] }
}

export type PromptsCsvPreview = ImportResult<PromptsPreview> & {
  /** The columns of the file in their order, with what each is read as. */
  readonly columns: readonly { readonly header: string; readonly column: Column | null }[]
}

/**
 * What an import of a CSV file would do. Changes nothing. A file without a column of texts has no lines: its columns wait
 * to be chosen.
 * @param most lines that are described
 * @throws {Fault} `invalid_argument` for an unreadable file; `not_found`; faults of `previewPrompts`
 */
export async function previewPromptsCsv(
  db: Catalog,
  { projectId, ...options }: Pick<PromptsCsv, 'projectId' | 'csv' | 'columns'>,
  most: number,
): Promise<PromptsCsvPreview> {
  const zero: PromptsPreview = { created: 0, updated: 0, unchanged: 0, repeated: 0, lines: [] }
  const reader = new PromptsReader(options)
  const run = new ImportRun<PromptsPreview>({ projectId }, zero)
  try {
    const batches = run.batches(reader.entries(), limits)
    Object.assign(run.counts, await previewPrompts(db, projectId, batches, most))
  } catch (error) {
    if (reader.plan || reader.header.length === 0 || options.columns) throw error
  }
  const columnAt = new Map(
    [...(reader.plan?.positions ?? columnsOf(reader.header))].map(([column, at]) => [at, column]),
  )
  const columns = reader.header.map((header, at) => ({ header, column: columnAt.get(at) ?? null }))
  return { ...run.result(), columns }
}
