import { Fault } from '../../core/errors.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { copyRenumbered } from '../loads/copy.ts'
import { type InsertBatches, withRetries } from '../loads/insert-batches.ts'
import type { Load } from '../loads/loads.ts'
import { type Citation, countCitations, onlyRetrieved, type Retrieved } from './citations.ts'
import { citationRows, retrievedRow } from './rows.ts'
import { boundTo, countAnswers, type StoredAnswer, type VisibleAnswers, visible } from './stored.ts'

/** The pages of an answer by the rules of today. */
interface AnswerPages {
  readonly citations: readonly Citation[]
  readonly retrieved: readonly Retrieved[]
}

const isOlder = `pages_version < ${rulesVersion.pages}`

/** The visible loads whose pages older rules named; every load of the project when there is one. */
export async function loadsToReplace(
  warehouse: Warehouse,
  load: VisibleAnswers,
): Promise<number[]> {
  const rows = await withRetries(() =>
    run<{ load: number; older: number }>(warehouse, {
      id: 'analyses.page-rules',
      sql: `SELECT load_seq AS load, toUInt32(max(older)) AS older FROM (
          SELECT load_seq, 0 AS older FROM answers WHERE ${visible} GROUP BY load_seq
          UNION ALL SELECT load_seq, max(${isOlder}) FROM citations WHERE ${visible} GROUP BY load_seq
          UNION ALL SELECT load_seq, max(${isOlder}) FROM retrieved_urls WHERE ${visible} GROUP BY load_seq
        ) GROUP BY load_seq ORDER BY load_seq`,
      params: boundTo(load),
      timeoutMs: 60_000,
    }),
  )
  return rows.some(({ older }) => older === 1) ? rows.map(({ load: each }) => each) : []
}

const pageColumns = `toString(answer_id) AS answer, position,
  if(given_url = '', url, given_url) AS address, title`

/** The pages of answers by the rules of today, by the answer's id. */
export async function pagesOf(
  warehouse: Warehouse,
  load: VisibleAnswers,
  answers: readonly StoredAnswer[],
): Promise<Map<string, AnswerPages>> {
  const days = [...new Set(answers.map(({ shared }) => shared.day))]
  const ids = answers.map(({ shared }) => shared.answer_id)
  const where = `${visible} AND day IN {days:Array(Date)} AND answer_id IN {ids:Array(UUID)}`
  const rows = await withRetries(() =>
    run<{ answer: string; position: number; address: string; title: string; cited: number }>(
      warehouse,
      {
        id: 'analyses.pages',
        sql: `SELECT ${pageColumns}, 1 AS cited FROM citations WHERE ${where}
          UNION ALL SELECT ${pageColumns}, 0 AS cited FROM retrieved_urls WHERE ${where}
          ORDER BY answer, position, address`,
        params: { ...boundTo(load), days, ids },
        timeoutMs: 60_000,
      },
    ),
  )
  const found = new Map<string, AnswerPages>()
  for (const [answer, given] of Map.groupBy(rows, (row) => row.answer)) {
    const named = given.map(({ address, ...rest }) => ({ ...rest, url: address }))
    const citations = countCitations(named.filter(({ cited }) => cited === 1))
    const read = named.filter(({ cited }) => cited === 0)
    found.set(answer, { citations, retrieved: onlyRetrieved(read, citations) })
  }
  return found
}

/**
 * Adds the rows of both tables for stored answers.
 * @param numberOf the new number of a load
 */
export function addPages(
  rows: InsertBatches,
  answers: readonly StoredAnswer[],
  pages: ReadonlyMap<string, AnswerPages>,
  numberOf: (load: unknown) => number,
  loadedAt: string,
): void {
  for (const { shared: stored } of answers) {
    const own = pages.get(stored.answer_id)
    if (!own) continue
    const shared = { ...stored, load_seq: numberOf(stored.load_seq) }
    rows.add('citations', shared, citationRows(own.citations, loadedAt))
    rows.add('retrieved_urls', shared, own.retrieved.map(retrievedRow))
  }
}

/** The tables whose rows a new load copies unchanged. Answers come last. */
const copied = ['fanout_queries', 'product_mentions', 'ad_impressions', 'answers'] as const

/**
 * Copies the other facts of the visible answers under the new numbers of their loads, month by month.
 * @param answers how many answers readers see
 * @throws {Fault} 502 when the load has fewer afterwards
 */
export async function copyFacts(
  warehouse: Warehouse,
  load: Load,
  renumbered: ReadonlyMap<number, number>,
  { answers, stop }: { readonly answers: number; readonly stop: AbortSignal },
): Promise<void> {
  const params = boundTo(load)
  for (const table of copied) {
    await copyRenumbered(warehouse, table, { where: visible, params, numbers: renumbered, stop })
  }
  const copies = await countAnswers(warehouse, {
    ...load,
    visibleLoad: load.seq,
    deadLoads: load.deadAfter,
  })
  if (copies !== 2 * answers) {
    const message = `The warehouse copied ${copies - answers} of ${answers} answers. Run the reanalysis again.`
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  }
}
