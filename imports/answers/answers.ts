import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { type BrandMatcher, compileBrands } from '../../core/text/mentions.ts'
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
  type RejectedLine,
  runImport,
} from '../loads/runner.ts'
import { type Analysis, openAnalysis } from './analysis.ts'
import { type CatalogIds, openCatalog, readBrands } from './catalog.ts'
import { findPresent } from './facts.ts'
import { openAnswers } from './formats/file.ts'
import { type AnswerLine, parseAnswerLine } from './line.ts'
import { type Answer, identify } from './rows.ts'
import { AnswersWrite } from './write.ts'

export interface AnswersImport extends ImportOptions {
  /** One JSON object a line. `linesOf` makes lines from a stream of bytes. */
  readonly lines: AsyncIterable<Line> | Iterable<Line>
  /** Hears the id of the answer of each line, also of one that an earlier import loaded. */
  readonly onIdentified?: (line: number, answerId: string) => void
}

const untracked = '`prompt` was archived at `collectedAt`. Such an answer does not count.'

/** Lines that are looked up together. Their objects end with them: only the bytes of their rows wait for the write. */
const readAtOnce = { firstEntries: 1000, maxEntries: 2000, maxSize: 4 * 1024 * 1024 }

/**
 * Loads answers of AI assistants, with their citations, mentions, sub-queries, products and ads. Invalid lines are
 * rejected; answers that an earlier import loaded are skipped. Readers see all new answers at once, at the end. When
 * the import throws, readers see none of them, and a second import of the same lines loads all.
 * @throws {Fault} `not_found`; `rate_limited` after `waitMs` behind another import; 502 when another import
 * took over the project, or the warehouse is away
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export async function importAnswers(
  stores: ImportStores,
  options: AnswersImport,
): Promise<AnswersResult> {
  const { db, warehouse } = stores
  const counts = { loaded: 0, skipped: 0 }
  const leftOut: RejectedLine[] = []
  const result = await runImport(
    stores,
    { ...options, kind: 'answers' },
    counts,
    async (run, { id }) => {
      const entries = entriesOf(options.lines, leftOut)
      if (run.preview) return run.preview.take(entries)
      const brands = await readBrands(db, id)
      const load = await beginLoad(db, warehouse, id)
      await run.record?.setLoad(load.seq)
      const matcher = compileBrands(brands, await foreignWords())
      const { onIdentified } = options
      const work = { run, load, matcher, analyse: openAnalysis(brands), onIdentified }
      const firstDay = await loadLines(stores, entries, work)
      await showLoad(db, load, firstDay)
      await judgeSoon(db, id)
    },
  )
  return withLeftOut(result, leftOut)
}

function withLeftOut(result: AnswersResult, leftOut: readonly RejectedLine[]): AnswersResult {
  const all = [...leftOut, ...(result.leftOut ?? [])].toSorted((a, b) => a.line - b.line)
  return all.length === 0 ? result : { ...result, leftOut: all.slice(0, mostLeftOut) }
}

export interface AnswersFile extends ImportOptions {
  readonly bytes: AsyncIterable<Uint8Array>
}

export type AnswersResult = ImportResult & {
  /** Fields and citations that cannot be read, whose answers were loaded without them; the first 10,000. Absent without such fields. */
  readonly leftOut?: readonly RejectedLine[]
}

const mostLeftOut = 10_000

/**
 * Loads the answers of a file as `importAnswers` does: JSON lines, or what `openAnswers` reads. A file of something else
 * changes nothing.
 * @throws {Fault} `invalid_argument` for a file of something else; the faults of `importAnswers`
 */
export async function importAnswersFile(
  stores: ImportStores,
  { bytes, ...options }: AnswersFile,
): Promise<AnswersResult> {
  const { lines, leftOut } = await openAnswers(bytes, options.signal)
  return withLeftOut(await importAnswers(stores, { ...options, lines }), leftOut)
}

interface Work {
  readonly run: ImportRun<RecordCounts>
  readonly load: Load
  readonly matcher: BrandMatcher
  readonly analyse: Analysis
  readonly onIdentified: AnswersImport['onIdentified']
}

/** A line with its number in the import. */
interface NumberedLine {
  readonly number: number
  readonly line: AnswerLine
}

async function* entriesOf(
  lines: AnswersImport['lines'],
  leftOut: RejectedLine[],
): AsyncGenerator<Entry<NumberedLine>, void> {
  let number = 0
  for await (const line of lines) {
    const found = parseAnswerLine(line, ++number)
    if (found === null) continue
    if ('reason' in found) yield { number, reason: found.reason }
    else {
      for (const reason of found.leftOut.slice(0, mostLeftOut - leftOut.length)) {
        leftOut.push({ line: number, reason })
      }
      const size = typeof line === 'string' ? line.length : 0
      yield { number, row: { number, line: found }, size }
    }
  }
}

/** @returns the earliest day of a new answer, `YYYY-MM-DD`; null without new answers */
async function loadLines(
  stores: ImportStores,
  entries: AsyncIterable<Entry<NumberedLine>>,
  work: Work,
): Promise<string | null> {
  const { run } = work
  const newAnswersOf = openNewAnswers(stores, work)
  let write = new AnswersWrite(stores, work, 1)
  /** The write before, which is under way while this one is filled. */
  let underway: AnswersWrite | undefined
  try {
    for await (const batch of run.batches(entries, readAtOnce)) {
      const isKnown = (id: string) => write.has(id) || underway?.has(id) === true
      const answers = await newAnswersOf(batch, isKnown)
      for (const { day } of answers) run.loadedDays.add(day)
      await write.add(answers)
      if (!write.isFull) continue
      await underway?.end()
      underway = write
      write.begin()
      write = new AnswersWrite(stores, work, write.number + 1)
    }
    await underway?.end()
    underway = write
    write.begin()
  } finally {
    // Nothing is sent after the end.
    await underway?.end()
  }
  return run.loadedDays.days?.from ?? null
}

/**
 * The ids of answers that came with a prompt before it was merged into another one, by the place of their line. The merge
 * left these answers their ids.
 */
async function presentFormers(
  warehouse: ImportStores['warehouse'],
  load: Load,
  lines: readonly NumberedLine[],
  catalogIds: readonly CatalogIds[],
): Promise<ReadonlyMap<number, string>> {
  const byId = new Map<string, { readonly index: number; readonly answer: Answer }>()
  for (const [index, { line }] of lines.entries()) {
    const ids = catalogIds[index]
    for (const promptId of ids?.formerPromptIds ?? []) {
      if (!ids) continue
      const { id, day } = identify(load.projectId, line, { ...ids, promptId })
      byId.set(id, { index, answer: { id, day, line, catalogIds: ids } })
    }
  }
  const found = await findPresent(
    warehouse,
    load,
    [...byId.values()].map(({ answer }) => answer),
  )
  return new Map(
    found.flatMap((id) => {
      const index = byId.get(id)?.index
      return index === undefined ? [] : [[index, id]]
    }),
  )
}

/**
 * Makes a function that finds the catalog's ids for a batch of lines. It leaves out answers that exist, and rejects
 * answers whose prompt was archived when they were collected: the contract counts no such answer.
 */
function openNewAnswers(
  { db, warehouse }: ImportStores,
  { run, load, matcher, onIdentified }: Work,
) {
  const namesOwnBrand = (text: string) => matcher.find(text).some(({ isOwn }) => isOwn)
  const catalogIdsOf = openCatalog(db, load.projectId, namesOwnBrand)
  return async (lines: readonly NumberedLine[], isKnown: (id: string) => boolean) => {
    const catalogIds = await catalogIdsOf(lines.map(({ line }) => line))
    const formerIds = await presentFormers(warehouse, load, lines, catalogIds)
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
      const named = identify(load.projectId, line, ids)
      const answer = { ...named, id: formerIds.get(index) ?? named.id }
      onIdentified?.(lineNumber, answer.id)
      if (!byId.has(answer.id) && !isKnown(answer.id)) byId.set(answer.id, answer)
    }
    for (const id of await findPresent(warehouse, load, [...byId.values()])) byId.delete(id)
    run.counts.skipped += lines.length - rejected - byId.size
    return [...byId.values()]
  }
}
