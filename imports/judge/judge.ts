import { randomUUID } from 'node:crypto'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import type { Verdict } from '../../core/text/judge/prompt.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import type { Catalog, Db } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { longestRequestMs } from '../loads/loads.ts'
import { type Project, requireProject, withProject } from '../loads/lock.ts'
import type { ImportStores } from '../loads/runner.ts'
import { type Judge, JudgeFault, type Used } from './client.ts'
import {
  dropJudgements,
  type Judged,
  type LoadsSince,
  writeJudgements,
  writeRun,
} from './judgements.ts'
import { type Ask, type JudgedBrands, questionPages, ratedAs } from './questions.ts'

export interface JudgeOptions {
  readonly projectId: string
  readonly judge: Judge
  /** Ends the run at once. Verdicts so far are kept. */
  readonly signal?: AbortSignal | undefined
  /** Only mentions of these loads are rated. Default: all. */
  readonly since?: LoadsSince | undefined
  /** Asked before each call with the characters that it sends; true ends the run early. */
  readonly isOver?: (characters: number) => boolean
  /** Hears what each call took, with its passages. */
  readonly onCall?: (used: Used | null, call: SentCall) => void
  readonly onProgress?: (counts: JudgeCounts) => void
  /** How long to wait for another run on the project. */
  readonly waitMs?: number
}

/** What a call sent. */
export interface SentCall {
  readonly passages: number
  readonly characters: number
}

export interface JudgeCounts {
  /** Requests to the provider. A request that the provider refused and answered later counts once. */
  readonly calls: number
  /** Mentions with a verdict of this run. */
  readonly judged: number
  /** Mentions that needed no call: the brand is only named, or the passage was rated before. */
  readonly settled: number
  /** Mentions without a valid verdict. They stay unrated, and the next run asks again. */
  readonly failed: number
}

export interface JudgeResult extends JudgeCounts {
  /** Whether all mentions were asked about. */
  readonly isComplete: boolean
}

/** What a run would ask. */
export interface JudgePlan {
  readonly calls: number
  /** Passages that the judge would read. */
  readonly passages: number
  /** Mentions that their verdicts would rate. */
  readonly mentions: number
  readonly settled: number
  /** Characters of all passages. */
  readonly characters: number
}

/** Calls side by side. */
const lanes = 4
/** Calls in a row that may get no reply. */
const mostLost = 3

/** Loads count from 1. */
const allLoads: LoadsSince = { afterLoad: 0, except: [] }

/** The mentions of a project that a version has to rate, and the brands that they are of. */
export async function readJudged(db: Db, project: Project, version: string, since = allLoads) {
  const { id, visibleLoad, deadLoads, analysis } = project
  const stored = await db.project.findUniqueOrThrow({ where: { id }, select: brandFields })
  const judged: Judged = { projectId: id, visibleLoad, deadLoads, analysis, version, since }
  const brands: JudgedBrands = {
    matcher: compileBrands(brandsOf(stored), await foreignWords()),
    names: new Map([stored, ...stored.competitors].map((brand) => [brand.id, brand.name])),
  }
  return { judged, brands }
}

/**
 * Counts what a run would ask, and asks nothing.
 * @throws {Fault} `not_found`
 */
export async function planJudging(
  { db, warehouse }: Pick<ImportStores, 'db' | 'warehouse'>,
  projectId: string,
  version: string,
): Promise<JudgePlan> {
  const { judged, brands } = await readJudged(db, await requireProject(db, projectId), version)
  let [calls, passages, mentions, settled, characters] = [0, 0, 0, 0, 0]
  for await (const page of questionPages(warehouse, judged, brands)) {
    settled += page.settled.length
    calls += page.calls.length
    for (const { passage, targets } of page.calls.flat()) {
      passages += 1
      mentions += targets.length
      characters += passage.length
    }
  }
  return { calls, passages, mentions, settled, characters }
}

const charactersOf = (asks: readonly Ask[]) =>
  asks.reduce((sum, { passage }) => sum + passage.length, 0)

/** One run of a judge over the mentions of a project. */
class JudgeRun {
  readonly #warehouse: Warehouse
  readonly #judged: Judged
  readonly #options: JudgeOptions
  readonly #attempt = randomUUID()
  #inserts = 0
  readonly #counts = { calls: 0, judged: 0, settled: 0, failed: 0 }
  /** Whether the provider has replied: a refused request is then about its own questions. */
  #hasReply = false
  /** Calls in a row without a reply. */
  #lost = 0

  constructor(warehouse: Warehouse, judged: Judged, options: JudgeOptions) {
    this.#warehouse = warehouse
    this.#judged = judged
    this.#options = options
  }

  get counts(): JudgeCounts {
    return { ...this.#counts }
  }

  /** @returns whether all mentions were asked about */
  async ask(brands: JudgedBrands, signal: AbortSignal): Promise<boolean> {
    const { isOver = () => false } = this.#options
    let isEnded = false
    for await (const { settled, calls } of questionPages(this.#warehouse, this.#judged, brands)) {
      await writeJudgements(this.#warehouse, this.#judged, settled, this.#token())
      this.#counts.settled += settled.length
      const queue = calls.values()
      const lane = async () => {
        for (const asks of queue) {
          isEnded ||= isOver(charactersOf(asks))
          if (isEnded) return
          signal.throwIfAborted()
          await this.#call(asks, signal)
        }
      }
      // A failed lane fails the run, but the verdicts of the others are stored first.
      const ends = await Promise.allSettled(Array.from({ length: lanes }, lane))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      if (isEnded) return false
      this.#options.onProgress?.(this.counts)
    }
    return true
  }

  async finish(): Promise<void> {
    const { judged, settled, failed } = this.#counts
    const counts = { judged: judged + settled, failed }
    await writeRun(this.#warehouse, this.#judged, counts, this.#token())
  }

  #token(): string {
    return `${this.#attempt}:${++this.#inserts}`
  }

  /** Asks about some passages, and once more about those without a valid verdict. */
  async #call(asks: readonly Ask[], signal: AbortSignal): Promise<void> {
    const left = await this.#rate(asks, signal)
    // A reply that is cut off, or filtered, leaves out all: halves are shorter.
    const isLost = left.length === asks.length && asks.length > 1
    const middle = Math.ceil(left.length / 2)
    const again = isLost ? [left.slice(0, middle), left.slice(middle)] : [left]
    for (const some of again) {
      const unrated = some.length === 0 ? [] : await this.#rate(some, signal)
      this.#counts.failed += unrated.reduce((sum, { targets }) => sum + targets.length, 0)
    }
    this.#options.onProgress?.(this.counts)
  }

  /** @returns the passages without a valid verdict */
  async #rate(asks: readonly Ask[], signal: AbortSignal): Promise<readonly Ask[]> {
    this.#counts.calls += 1
    const verdicts = await this.#verdicts(asks, signal)
    const rows = asks.flatMap(({ targets }, at) => {
      const verdict = verdicts[at]
      return verdict ? ratedAs(targets, verdict) : []
    })
    await writeJudgements(this.#warehouse, this.#judged, rows, this.#token())
    this.#counts.judged += rows.length
    return asks.filter((_, at) => !verdicts[at])
  }

  async #verdicts(asks: readonly Ask[], signal: AbortSignal): Promise<readonly (Verdict | null)[]> {
    const questions = asks.map(({ brand, passage }) => ({ brand, passage }))
    const { judge, onCall } = this.#options
    try {
      const { verdicts, used } = await judge.rate(questions, signal)
      this.#hasReply = true
      this.#lost = 0
      onCall?.(used, { passages: asks.length, characters: charactersOf(asks) })
      return verdicts
    } catch (error) {
      if (!(error instanceof JudgeFault && this.#hasReply) || error.endsRun) throw error
      // A few calls may get lost; the rest is rated. Many in a row are a provider that is away.
      if (!error.isAboutQuestions && ++this.#lost > mostLost) throw error
      return []
    }
  }
}

/** Removes the rows of analyses that no request reads, and all rows of a project that was deleted meanwhile. */
async function cleanUp(db: Catalog, warehouse: Warehouse, projectId: string): Promise<void> {
  const project = await db.project.findUnique({ where: { id: projectId } })
  if (project === null) return dropJudgements(warehouse, projectId, { but: null })
  if (Date.now() - project.updatedAt.getTime() < longestRequestMs) return
  await dropJudgements(warehouse, projectId, { but: project.analysis })
}

/**
 * Asks a judge about all mentions of a project that it has not rated. Verdicts are stored as they come, so a run that
 * ends early loses none. One run at a time asks about a project.
 * @throws {Fault} `not_found`; `rate_limited` after `waitMs` behind another run
 * @throws {JudgeFault} when the provider does not reply
 * @throws the reason of the signal when it fires
 */
export async function judgeProject(
  stores: ImportStores,
  options: JudgeOptions,
): Promise<JudgeResult> {
  const { db, warehouse } = stores
  const { projectId, judge, signal, waitMs } = options
  const lock = {
    projectId,
    lockKey: `judge:${projectId}`,
    signal,
    ...(waitMs === undefined ? {} : { waitMs }),
  }
  const result = await withProject(stores, lock, async (project, lockLost) => {
    const { judged, brands } = await readJudged(db, project, judge.version, options.since)
    const run = new JudgeRun(warehouse, judged, options)
    const stop = signal ? AbortSignal.any([signal, lockLost]) : lockLost
    try {
      const isComplete = await run.ask(brands, stop)
      if (isComplete) await run.finish()
      return { ...run.counts, isComplete }
    } finally {
      await cleanUp(db, warehouse, project.id)
    }
  })
  if (result) return result
  throw signal?.reason
}
