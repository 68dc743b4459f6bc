import { endingOf } from '../../core/collecting/providers/ending.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { utcDayOf } from '../../core/window.ts'
import { patiently } from '../../prisma/client.ts'
import { endAsksAgain, type NewEnd } from '../../resolvers/collecting/reread.ts'
import { openAnalysis } from '../answers/analysis.ts'
import { openCatalog, readBrands } from '../answers/catalog.ts'
import type { VisibleAnswers } from '../answers/stored.ts'
import { beginLoad, showIn } from '../loads/loads.ts'
import { requireProject } from '../loads/lock.ts'
import { firstDayOf } from '../loads/replaced.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportRun,
  type ImportStores,
  judgeSoon,
  type RecordCounts,
  runImport,
} from '../loads/runner.ts'
import { type Reread, type Rereading, rereadBodies } from './differences.ts'
import { Replacement } from './replacement.ts'
import { type ReplayResult, Tally } from './tally.ts'

export interface ReplayOptions extends Rereading, Omit<ImportOptions<RecordCounts>, 'file'> {}

const limits = { maxEntries: 2000, maxSize: 16 * 1024 * 1024 }
/** Of the transaction: it may change a hundred thousand questions. */
const showMs = 60_000

/**
 * What a replay would change. Changes nothing.
 * @throws {Fault} `not_found`; 502 when the warehouse is away
 */
export async function previewReplay(
  stores: ImportStores,
  { projectId, ...rereading }: Rereading & { readonly projectId: string },
): Promise<ReplayResult> {
  const { visibleLoad, deadLoads } = await requireProject(stores.db, projectId)
  const tally = new Tally()
  const load = { projectId, visibleLoad, deadLoads }
  for await (const found of rereadBodies(stores, load, rereading)) tally.add(found)
  return tally.result(null)
}

/**
 * Reads the kept bodies of a project again, and imports what reads differently. Each load with a changed answer is
 * written again, and readers see all changes at once. The undo of the import brings the former loads back. A changed
 * answer keeps its id. When it throws, readers see no change.
 * @throws {Fault} `not_found`; `rate_limited` after `waitMs` behind another import; 502 when another import took over
 *   the project, or the warehouse is away
 * @throws the reason of the signal when it fires
 */
export async function replay(stores: ImportStores, options: ReplayOptions): Promise<ReplayResult> {
  const { provider, from, to, read, ...given } = options
  const { db, warehouse } = stores
  const { signal } = options
  const tally = new Tally()
  let importId: string | null = null
  const counts = { loaded: 0, skipped: 0 }
  const file = 'bodies read again'
  const source = { ...given, kind: 'answers', file, isCollected: true } as const
  await runImport(stores, source, counts, async (run, { id: projectId }) => {
    const brands = await readBrands(db, projectId)
    const matcher = compileBrands(brands, await foreignWords())
    const load = await beginLoad(db, warehouse, projectId)
    await run.record?.setLoad(load.seq)
    const replacement = new Replacement(stores, load, {
      analyse: openAnalysis(brands),
      catalogIdsOf: openCatalog(db, projectId, (text) =>
        matcher.find(text).some(({ isOwn }) => isOwn),
      ),
    })
    const work = { run, tally, replacement, rereading: { provider, from, to, read } }
    const ends = await writeChanged(stores, load, work)
    signal?.throwIfAborted()
    if (ends.length === 0 || !run.record) return
    const stop = AbortSignal.any([signal, run.lockLost].filter((each) => each !== undefined))
    await replacement.copyRest(stop)
    stop.throwIfAborted()
    await show(stores, replacement, run.record.id, ends)
    importId = run.record.id
    await judgeSoon(db, projectId)
  })
  if (importId === null) signal?.throwIfAborted()
  return tally.result(importId)
}

interface Work {
  readonly run: ImportRun<RecordCounts>
  readonly tally: Tally
  readonly replacement: Replacement
  readonly rereading: Rereading
}

/** Writes the changed answers. @returns how their questions end now */
async function writeChanged(
  stores: ImportStores,
  load: VisibleAnswers,
  { run, tally, replacement, rereading }: Work,
): Promise<NewEnd[]> {
  async function* entries(): AsyncGenerator<Entry<Reread>, void> {
    let number = 0
    for await (const found of rereadBodies(stores, load, rereading)) {
      number += 1
      tally.add(found)
      if ('reason' in found) yield { number, reason: found.reason }
      else yield { number, row: found, size: found.kinds.length > 0 ? found.raw.body.length : 0 }
    }
  }
  const ends: NewEnd[] = []
  for await (const batch of run.batches(entries(), limits)) {
    const changed = batch.filter(({ kinds }) => kinds.length > 0)
    const fresh = await replacement.write(changed)
    for (const { raw, ask, reply, line } of changed) {
      const { reason = null, ...end } = endingOf(reply)
      const answerId = line ? (ask.answerId ?? fresh.get(ask.id) ?? null) : null
      ends.push({ id: ask.id, ...end, reason: reason?.slice(0, 300) || null, answerId })
      run.loadedDays.add(utcDayOf(raw.askedAt))
    }
    run.counts.loaded += changed.length
    run.counts.skipped += batch.length - changed.length
    run.reportProgress()
  }
  return ends
}

/** Readers see the new loads in place of the former ones, and the new ends of questions with them. */
async function show(
  { db, warehouse }: ImportStores,
  { load, numbers }: Replacement,
  importId: string,
  ends: readonly NewEnd[],
): Promise<void> {
  const { projectId } = load
  const deadLoads = [...load.deadAfter, ...numbers.keys()]
  const dataAvailableFrom = await firstDayOf(warehouse, {
    projectId,
    visibleLoad: load.seq,
    deadLoads,
  })
  await patiently(() =>
    db.$transaction(
      async (tx) => {
        await showIn(tx, load, null, { renumbered: numbers, replacedBy: importId })
        await endAsksAgain(tx, importId, ends)
        await tx.project.update({ where: { id: projectId }, data: { dataAvailableFrom } })
      },
      { timeout: showMs },
    ),
  )
}
