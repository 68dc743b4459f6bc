import { randomUUID } from 'node:crypto'
import type { Catalog } from '../../prisma/client.ts'
import {
  type Actor,
  commandLine,
  type Edit,
  recordEdits,
} from '../../resolvers/shared/audit-trail.ts'
import { command, run, type Warehouse } from '../../warehouse/run.ts'
import { InsertBatches, sendInsertBatches } from '../loads/insert-batches.ts'
import {
  beginLoad,
  type Load,
  longestRequestMs,
  replacedLoads,
  showLoad,
  takeNumbers,
} from '../loads/loads.ts'
import { type LockOptions, type Project, withProject } from '../loads/lock.ts'
import { evaluateSoon, type ImportStores, judgeSoon } from '../loads/runner.ts'
import { type Analysis as CountBrands, openAnalysis } from './analysis.ts'
import { readBrands } from './catalog.ts'
import { paced } from './paced.ts'
import { addPages, copyFacts, loadsToReplace, pagesOf } from './pages.ts'
import { mentionRows, timestamp } from './rows.ts'
import { answerPages, countAnswers, type StoredAnswer } from './stored.ts'

export interface ReanalyzeOptions extends LockOptions {
  /** The command line by default. */
  readonly actor?: Actor | undefined
  /** Called after each page of answers. */
  readonly onProgress?: (progress: ReanalyzeProgress) => void
}

export interface ReanalyzeProgress {
  /** Answers recounted so far. */
  readonly answers: number
  /** All answers of the project. */
  readonly total: number
}

export interface ReanalyzeResult {
  /** Number of the analysis that readers see now. */
  readonly analysis: number
  readonly answers: number
  /** Pairs of an answer and a brand that it names. */
  readonly mentions: number
}

/** One attempt to recount mentions: a load without answers. */
interface Analysis {
  readonly load: Load
  /** The analysis number of its rows. No other attempt uses it. */
  readonly number: number
}

/**
 * Recounts the mentions in all answers, with the brands as they are now. Older rules may have named
 * cited pages: then a new load gets all rows of the answers, with pages by the rules of today.
 * Readers see all new counts at once, at the end. When it throws, readers keep the old counts. Prompts keep their
 * `isBranded`.
 * @throws {Fault} `not_found`; `rate_limited` after `waitMs` behind another import or analysis; 502 when
 * another one took over the project, or the warehouse is away
 * @throws the reason of the signal when it fires
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export async function reanalyze(
  stores: ImportStores,
  options: ReanalyzeOptions,
): Promise<ReanalyzeResult> {
  const { signal } = options
  const result = await withProject(stores, options, async (project, lockLost) => {
    const { db, warehouse } = stores
    const analyse = openAnalysis(await readBrands(db, project.id))
    const begun = await beginAnalysis(db, warehouse, project)
    const stop = signal ? AbortSignal.any([signal, lockLost]) : lockLost
    const replaced = await loadsToReplace(warehouse, begun.load)
    // Each load keeps a number of its own, so that its import can still be undone.
    const renumbered = new Map(replaced.map((load, at) => [load, begun.load.seq + at]))
    const analysis = { ...begun, load: await takeNumbers(db, begun.load, replaced.length) }
    const counts = await recount(warehouse, options, { analysis, analyse, stop, renumbered })
    const { answers } = counts
    await recountReplaced(stores, { analysis, analyse, stop })
    if (replaced.length > 0)
      await copyFacts(warehouse, analysis.load, renumbered, { answers, stop })
    stop.throwIfAborted()
    await showLoad(db, analysis.load, null, { analysis: analysis.number, renumbered })
    await recordReanalysis(db, options.actor ?? commandLine, project, counts)
    await evaluateSoon(db, project.id)
    await judgeSoon(db, project.id)
    return { analysis: analysis.number, ...counts }
  })
  if (result) return result
  throw signal?.reason
}

/**
 * Takes a number and removes the rows of other analyses. Rows that no reader saw go at once; others go when no
 * request can still read them.
 */
async function beginAnalysis(
  db: Catalog,
  warehouse: Warehouse,
  { id: projectId, updatedAt }: Project,
): Promise<Analysis> {
  const load = await beginLoad(db, warehouse, projectId)
  const found = await run(warehouse, {
    id: 'analyses.found',
    sql: 'SELECT DISTINCT analysis FROM mentions WHERE project_id = {projectId:UUID}',
    params: { projectId },
    timeoutMs: 60_000,
    row: ({ analysis }) => Number(analysis),
  })
  // A write of the project made the current analysis visible, so that analysis is at least as old as the write.
  const isSettled = Date.now() - updatedAt.getTime() > longestRequestMs
  const over = found.filter((it) => it > load.analysis || (isSettled && it < load.analysis))
  if (over.length > 0) {
    await command(warehouse, {
      id: 'analyses.sweep',
      sql: `DELETE FROM mentions WHERE project_id = {projectId:UUID} AND analysis IN {over:Array(UInt32)}
        SETTINGS lightweight_deletes_sync = 0`,
      params: { projectId, over },
    })
  }
  // A load uses its number once, but a restored catalog repeats some numbers.
  return { load, number: 1 + Math.max(load.seq, load.analysis, ...found) }
}

function recordReanalysis(
  db: Catalog,
  actor: Actor,
  { id: projectId, workspaceId }: Project,
  { answers, mentions }: { answers: number; mentions: number },
): Promise<void> {
  const subject = ['project', projectId] as const
  const edit: Edit = { action: 'project.reanalyze', subject, after: { answers, mentions } }
  return recordEdits(db, actor, { workspaceId, projectId }, [edit])
}

interface Work {
  readonly analysis: Analysis
  readonly analyse: CountBrands
  readonly stop: AbortSignal
  /** New numbers of the loads whose rows get pages by the rules of today; empty without such loads. */
  readonly renumbered: ReadonlyMap<number, number>
}

async function recount(
  warehouse: Warehouse,
  { onProgress }: Pick<ReanalyzeOptions, 'onProgress'>,
  { analysis, analyse, stop, renumbered }: Work,
): Promise<{ answers: number; mentions: number }> {
  const { load } = analysis
  const numberOf = (seq: unknown) => renumbered.get(Number(seq)) ?? Number(seq)
  const total = onProgress ? await countAnswers(warehouse, load) : 0
  const loadedAt = timestamp(new Date()).slice(0, 'YYYY-MM-DD hh:mm:ss'.length)
  let [answers, mentions, batch] = [0, 0, 0]
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const page of answerPages(warehouse, load)) {
      stop.throwIfAborted()
      const rows = new InsertBatches()
      await addMentions(rows, page, analysis, analyse, numberOf)
      if (renumbered.size > 0) {
        addPages(rows, page, await pagesOf(warehouse, load, page), numberOf, loadedAt)
      }
      // The previous page is still being written while this one is read and counted.
      await writing
      writing = sendInsertBatches(warehouse, load, ++batch, rows.all())
      // The next `await writing` gets the error; until then it must not count as unhandled.
      writing.catch(() => undefined)
      answers += page.length
      mentions += rows.count('mentions')
      onProgress?.({ answers, total })
    }
  } finally {
    await writing
  }
  return { answers, mentions }
}

/** Recounts answers that an undo would bring back, so that readers then find their mentions. */
async function recountReplaced({ db, warehouse }: ImportStores, work: Omit<Work, 'renumbered'>) {
  const { load } = work.analysis
  for (const replaced of await replacedLoads(db, load.projectId)) {
    // Alone, under tokens of its own: the batches of each recount are numbered from 1.
    const deadLoads = Array.from({ length: replaced }, (_, at) => at)
    const alone = { ...load, attempt: randomUUID(), visibleLoad: replaced, deadLoads }
    const analysis = { ...work.analysis, load: alone }
    await recount(warehouse, {}, { ...work, analysis, renumbered: new Map() })
  }
}

async function addMentions(
  rows: InsertBatches,
  page: readonly StoredAnswer[],
  { number }: Analysis,
  analyse: CountBrands,
  numberOf: (load: unknown) => number,
): Promise<void> {
  const found = await analyse(page)
  let index = 0
  for await (const answer of paced(page, ({ text }) => text)) {
    const load_seq = numberOf(answer.shared.load_seq)
    const shared = { ...answer.shared, load_seq, analysis: number }
    rows.add('mentions', shared, mentionRows(found[index++] ?? [], answer.sentiment))
  }
}
