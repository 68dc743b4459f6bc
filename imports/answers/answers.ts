import type { BrandMatcher } from '../../core/text/mentions.ts'
import type { Line } from '../files/lines.ts'
import { beginLoad, type Load, showLoad } from '../loads/loads.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportResult,
  type ImportRun,
  type ImportStores,
  judgeSoon,
  type RecordCounts,
  runImport,
} from '../loads/runner.ts'
import { openCatalog, readBrands } from './catalog.ts'
import { findPresent, writeRows } from './facts.ts'
import { type AnswerLine, parseAnswerLine } from './line.ts'
import { type Answer, identify, rowsByMonth } from './rows.ts'

export interface AnswersImport extends ImportOptions {
  /** One JSON object a line. `linesOf` makes lines from a stream of bytes. */
  readonly lines: AsyncIterable<Line> | Iterable<Line>
}

const untracked = '`prompt` was archived at `collectedAt`. Such an answer does not count.'

const limits = { maxEntries: 2000, maxSize: 16 * 1024 * 1024 }

/**
 * Loads answers of AI assistants, with their citations, mentions, sub-queries, products and ads. Invalid lines are
 * rejected; answers that an earlier import loaded are skipped. Readers see all new answers at once, at the end. When
 * the import throws, readers see none of them, and a second import of the same lines loads all.
 * @throws {Fault} `not_found`; `rate_limited` after `waitMs` behind another import; 502 when another import
 * took over the project, or the warehouse is away
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export function importAnswers(stores: ImportStores, options: AnswersImport): Promise<ImportResult> {
  const { db, warehouse } = stores
  return runImport(stores, options, { loaded: 0, skipped: 0 }, async (run, { id }) => {
    const brands = await readBrands(db, id)
    const load = await beginLoad(db, warehouse, id)
    const firstDay = await loadLines(stores, options.lines, { run, load, brands })
    await showLoad(db, load, firstDay)
    await judgeSoon(db, id)
  })
}

interface Work {
  readonly run: ImportRun<RecordCounts>
  readonly load: Load
  readonly brands: BrandMatcher
}

/** A line with its number in the import. */
interface NumberedLine {
  readonly number: number
  readonly line: AnswerLine
}

async function* entriesOf(
  lines: AnswersImport['lines'],
): AsyncGenerator<Entry<NumberedLine>, void> {
  let number = 0
  for await (const line of lines) {
    const found = parseAnswerLine(line, ++number)
    if (found === null) continue
    if ('reason' in found) yield { number, reason: found.reason }
    else {
      const size = typeof line === 'string' ? line.length : 0
      yield { number, row: { number, line: found }, size }
    }
  }
}

/** @returns the earliest day of a new answer, `YYYY-MM-DD`; null without new answers */
async function loadLines(
  stores: ImportStores,
  lines: AnswersImport['lines'],
  work: Work,
): Promise<string | null> {
  const { run, load, brands } = work
  const newAnswersOf = openNewAnswers(stores, work)
  let writing: Promise<void> = Promise.resolve()
  let beingWritten: ReadonlySet<string> = new Set()
  let firstDay: string | null = null
  let number = 0
  const write = async (answers: readonly Answer[], batch: number) => {
    await writeRows(stores.warehouse, load, batch, await rowsByMonth(answers, load, brands))
    run.counts.loaded += answers.length
    run.reportProgress()
  }
  try {
    for await (const batch of run.batches(entriesOf(lines), limits)) {
      // The previous batch is still being written while this one is read and looked up.
      const answers = await newAnswersOf(batch, beingWritten)
      for (const { day } of answers) if (firstDay === null || day < firstDay) firstDay = day
      await writing
      writing = write(answers, ++number)
      // The next `await writing` gets the error; until then it must not count as unhandled.
      writing.catch(() => undefined)
      beingWritten = new Set(answers.map(({ id }) => id))
    }
  } finally {
    await writing
  }
  return firstDay
}

/**
 * Makes a function that finds the catalog's ids for a batch of lines. It leaves out answers that exist, and rejects
 * answers whose prompt was archived when they were collected: the contract counts no such answer.
 */
function openNewAnswers({ db, warehouse }: ImportStores, { run, load, brands }: Work) {
  const namesOwnBrand = (text: string) => brands.find(text).some(({ isOwn }) => isOwn)
  const catalogIdsOf = openCatalog(db, load.projectId, namesOwnBrand)
  return async (lines: readonly NumberedLine[], beingWritten: ReadonlySet<string>) => {
    const catalogIds = await catalogIdsOf(lines.map(({ line }) => line))
    const byId = new Map<string, Answer>()
    let rejected = 0
    for (const [index, { number: lineNumber, line }] of lines.entries()) {
      const ids = catalogIds[index]
      if (!ids) continue
      if (!ids.wasTracked) {
        run.reject({ line: lineNumber, reason: untracked })
        rejected++
        continue
      }
      const answer = identify(load.projectId, line, ids)
      if (!byId.has(answer.id) && !beingWritten.has(answer.id)) byId.set(answer.id, answer)
    }
    for (const id of await findPresent(warehouse, load, [...byId.values()])) byId.delete(id)
    run.counts.skipped += lines.length - rejected - byId.size
    return [...byId.values()]
  }
}
