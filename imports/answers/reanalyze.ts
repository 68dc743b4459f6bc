import { setImmediate as letOthersRun } from 'node:timers/promises'
import { z } from 'zod'
import type { BrandMatcher } from '../../core/text/mentions.ts'
import { noProject, showLoad } from '../loads/loads.ts'
import { type LockOptions, underLock } from '../loads/lock.ts'
import { type Analysis, beginAnalysis } from './analyses.ts'
import type { ImportStores } from './answers.ts'
import { readBrands } from './brands.ts'
import { writeMentions } from './facts.ts'
import { mentionRows, type Row } from './rows.ts'
import { answerPages, countAnswers, type StoredAnswer } from './stored.ts'

export interface ReanalyzeOptions extends LockOptions {
  /** Called after each page of answers. */
  readonly onProgress?: (progress: ReanalyzeProgress) => void
}

export interface ReanalyzeProgress {
  /** Answers counted so far. */
  readonly answers: number
  /** Answers that there are. */
  readonly total: number
}

export interface ReanalyzeResult {
  /** The number of the analysis that readers see now. */
  readonly analysis: number
  readonly answers: number
  /** Pairs of an answer and a brand that it names. */
  readonly mentions: number
}

const answersBetweenTurns = 50

/**
 * Counts the mentions of all answers anew, by the brands as they are now. Readers see all of it at once, at
 * the end, or the old counts when this throws. Prompts stay as branded as they are.
 * @throws {Fault} `not_found`; `rate_limited` when another import or analysis does not end within `waitMs`;
 *   502 when another took over the project, or the warehouse does not come back within some seconds
 * @throws the reason of the signal when it fires
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export async function reanalyze(
  stores: ImportStores,
  options: ReanalyzeOptions,
): Promise<ReanalyzeResult> {
  const { projectId, signal } = options
  if (!z.guid().safeParse(projectId).success) throw noProject(projectId)
  const result = await underLock(stores.databaseUrl, options, async (lockLost) => {
    const { db, warehouse } = stores
    const brands = await readBrands(db, projectId)
    if (!brands) throw noProject(projectId)
    const analysis = await beginAnalysis(db, warehouse, projectId)
    const stop = signal ? AbortSignal.any([signal, lockLost]) : lockLost
    const counts = await countAnew(stores, options, { analysis, brands, stop })
    stop.throwIfAborted()
    await showLoad(db, analysis.load, null, analysis.number)
    return { analysis: analysis.number, ...counts }
  })
  if (result) return result
  throw signal?.reason
}

interface Work {
  readonly analysis: Analysis
  readonly brands: BrandMatcher
  readonly stop: AbortSignal
}

async function countAnew(
  { warehouse }: ImportStores,
  { onProgress }: ReanalyzeOptions,
  { analysis, brands, stop }: Work,
): Promise<{ answers: number; mentions: number }> {
  const { load } = analysis
  const total = onProgress ? await countAnswers(warehouse, load) : 0
  let [answers, mentions, batch] = [0, 0, 0]
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const page of answerPages(warehouse, load)) {
      stop.throwIfAborted()
      const months = await rowsOf(page, analysis, brands)
      // A page is read and counted while the one before it is on its way.
      await writing
      writing = writeMentions(warehouse, load, ++batch, months)
      // Whoever awaits it gets the error; until then it must not count as unhandled.
      writing.catch(() => undefined)
      answers += page.length
      mentions += months.values().reduce((sum, rows) => sum + rows.length, 0)
      onProgress?.({ answers, total })
    }
  } finally {
    await writing
  }
  return { answers, mentions }
}

async function rowsOf(
  page: readonly StoredAnswer[],
  { number }: Analysis,
  brands: BrandMatcher,
): Promise<Map<string, Row[]>> {
  const months = new Map<string, Row[]>()
  for (const [index, answer] of page.entries()) {
    if (index % answersBetweenTurns === 0) await letOthersRun()
    const rows = mentionRows(answer, answer.shared, brands.find(answer.text), number)
    const month = String(answer.shared.day).slice(0, 'YYYY-MM'.length)
    const collected = months.get(month) ?? []
    months.set(month, collected)
    for (const row of rows) collected.push(row)
  }
  return months
}
