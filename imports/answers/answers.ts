import { setImmediate as letOthersRun } from 'node:timers/promises'
import { z } from 'zod'
import type { BrandMatcher } from '../../core/text/mentions.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { batchesOf, type Lines, type NumberedLine } from '../files/batches.ts'
import { beginLoad, type Load, noProject, showLoad } from '../loads/loads.ts'
import { underLock } from '../loads/lock.ts'
import { readBrands } from './brands.ts'
import { openPlaces } from './catalog.ts'
import { findPresent, writeRows } from './facts.ts'
import { type AnswerLine, parseAnswerLine } from './line.ts'
import { type Answer, identify, RowsByMonth } from './rows.ts'

export { type Line, linesOf } from '../files/lines.ts'

export interface ImportStores {
  readonly db: Catalog
  /** For the lock, which needs a session of its own. */
  readonly databaseUrl: string
  readonly warehouse: Warehouse
}

export interface ImportOptions {
  readonly projectId: string
  /** One JSON object a line. `linesOf` makes them of a stream of bytes. */
  readonly lines: Lines
  /** Called after each batch with the counts so far. */
  readonly onProgress?: (progress: ImportProgress) => void
  /** Ends the reading: what was read until then is loaded, and counts. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for another import into the project. 10 minutes by default. */
  readonly waitMs?: number
}

export interface ImportProgress {
  /** Lines but empty ones: the sum of the three others, but for the batch that is under way. */
  readonly read: number
  readonly loaded: number
  /** Answers that were there before, or earlier in these lines. */
  readonly skipped: number
  readonly rejected: number
}

export interface RejectedLine {
  /** From 1; empty lines have a number too. */
  readonly line: number
  /** Begins with the field. */
  readonly reason: string
}

export interface ImportResult extends Omit<ImportProgress, 'rejected'> {
  /** The first `maxRejectedKept`. */
  readonly rejected: readonly RejectedLine[]
  /** How many lines were rejected; present only where `rejected` is cut. */
  readonly rejectedTotal?: number
}

const maxRejectedKept = 10_000
const linesBetweenTurns = 50

interface Tally {
  read: number
  loaded: number
  skipped: number
  rejected: number
  readonly kept: RejectedLine[]
  firstDay: string | null
}

/**
 * Loads answers of AI assistants, with their citations, mentions, sub-queries, products and ads. A bad line is
 * told and the rest is loaded; an answer that is there is skipped. Readers see all of it at once, at the
 * end, or nothing when this throws: the same lines sent again then give what one run gives.
 * @throws {Fault} `not_found`; `rate_limited` when another import does not end within `waitMs`; 502 when
 *   another took over the project, or the warehouse does not come back within some seconds
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export async function importAnswers(
  stores: ImportStores,
  options: ImportOptions,
): Promise<ImportResult> {
  const tally: Tally = { read: 0, loaded: 0, skipped: 0, rejected: 0, kept: [], firstDay: null }
  if (!z.guid().safeParse(options.projectId).success) throw noProject(options.projectId)
  await underLock(stores.databaseUrl, options, async (lockLost) => {
    const { db, warehouse } = stores
    const brands = await readBrands(db, options.projectId)
    if (!brands) throw noProject(options.projectId)
    const load = await beginLoad(db, warehouse, options.projectId)
    await loadLines(stores, options, { load, brands, tally, lockLost })
    await showLoad(db, load, tally.firstDay)
  })
  const { read, loaded, skipped, rejected, kept } = tally
  const cut = rejected > kept.length ? { rejectedTotal: rejected } : {}
  return { read, loaded, skipped, rejected: kept, ...cut }
}

interface Work {
  readonly load: Load
  readonly brands: BrandMatcher
  readonly tally: Tally
  readonly lockLost: AbortSignal
}

async function loadLines(stores: ImportStores, options: ImportOptions, work: Work): Promise<void> {
  const { load, tally, brands, lockLost } = work
  const prepare = openPreparation(stores, work)
  let writing: Promise<void> = Promise.resolve()
  let beingWritten: ReadonlySet<string> = new Set()
  let number = 0
  const write = async (answers: readonly Answer[], batch: number) => {
    const rows = await rowsOf(answers, load, brands)
    await writeRows(stores.warehouse, load, batch, rows)
    tally.loaded += answers.length
    const { read, loaded, skipped, rejected } = tally
    options.onProgress?.({ read, loaded, skipped, rejected })
  }
  try {
    for await (const batch of batchesOf(options.lines, options.signal)) {
      lockLost.throwIfAborted()
      // A batch is read and placed while the one before it is on its way.
      const answers = await prepare(batch, beingWritten)
      await writing
      writing = write(answers, ++number)
      // Whoever awaits it gets the error; until then it must not count as unhandled.
      writing.catch(() => undefined)
      beingWritten = new Set(answers.map(({ id }) => id))
    }
  } finally {
    await writing
  }
}

/** What makes new answers of lines: it reads them, finds their place, and leaves out what is there. */
function openPreparation({ db, warehouse }: ImportStores, { load, brands, tally }: Work) {
  const namesOwn = (text: string) => brands.find(text).some(({ isOwn }) => isOwn)
  const placesOf = openPlaces(db, load.projectId, namesOwn)
  return async (batch: readonly NumberedLine[], beingWritten: ReadonlySet<string>) => {
    const lines = await readLines(batch, tally)
    const places = await placesOf(lines)
    const byId = new Map<string, Answer>()
    for (const [index, line] of lines.entries()) {
      const place = places[index]
      if (!place) continue
      const answer = identify(load.projectId, line, place)
      if (!byId.has(answer.id) && !beingWritten.has(answer.id)) byId.set(answer.id, answer)
    }
    for (const id of await findPresent(warehouse, load, [...byId.values()])) byId.delete(id)
    tally.skipped += lines.length - byId.size
    for (const { day } of byId.values()) {
      if (tally.firstDay === null || day < tally.firstDay) tally.firstDay = day
    }
    return [...byId.values()]
  }
}

async function readLines(batch: readonly NumberedLine[], tally: Tally): Promise<AnswerLine[]> {
  const lines: AnswerLine[] = []
  for (const [index, { line, number }] of batch.entries()) {
    if (index % linesBetweenTurns === 0) await letOthersRun()
    const parsed = parseAnswerLine(line, number)
    if (parsed === null) continue
    tally.read++
    if (!('reason' in parsed)) lines.push(parsed)
    else if (++tally.rejected <= maxRejectedKept) {
      tally.kept.push({ line: number, reason: parsed.reason })
    }
  }
  return lines
}

async function rowsOf(
  answers: readonly Answer[],
  load: Load,
  brands: BrandMatcher,
): Promise<RowsByMonth> {
  const rows = new RowsByMonth(load, brands)
  for (const [index, answer] of answers.entries()) {
    if (index % linesBetweenTurns === 0) await letOthersRun()
    rows.add(answer)
  }
  return rows
}
