import type { Entry, ImportRun, RecordCounts } from '../loads/runner.ts'

interface Records<Row> {
  readonly entries: AsyncIterable<Entry<Row>>
  /** The key of a row. Of several rows with the same key in one batch the last one counts. */
  readonly keyOf: (row: Row) => string
  /** Writes a batch, and returns the number of new or changed rows. */
  readonly write: (rows: readonly Row[]) => Promise<number>
}

const limits = { maxEntries: 1000, maxSize: 8 * 1024 * 1024 }

/** Writes records batch by batch, so that memory holds one batch. */
export async function loadRecords<Row>(
  run: ImportRun<RecordCounts>,
  { entries, keyOf, write }: Records<Row>,
): Promise<void> {
  if (run.preview) return run.preview.take(entries)
  for await (const batch of run.batches(entries, limits)) {
    if (batch.length === 0) continue
    const written = await write([...new Map(batch.map((row) => [keyOf(row), row])).values()])
    run.counts.loaded += written
    run.counts.skipped += batch.length - written
    run.reportProgress()
  }
}
