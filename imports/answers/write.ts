import { InsertBatches } from '../loads/insert-batches.ts'
import type { Load } from '../loads/loads.ts'
import type { ImportRun, ImportStores, RecordCounts } from '../loads/runner.ts'
import type { Analysis } from './analysis.ts'
import { writeRows } from './facts.ts'
import { type Answer, addAnswers } from './rows.ts'

interface Work {
  readonly run: ImportRun<RecordCounts>
  readonly load: Load
  readonly analyse: Analysis
}

/**
 * Batches of lines in a write. Large writes make few parts, which the engine joins later. The first has one batch, so
 * that progress is seen at once; each further one may have `growth` times as many as the one before.
 */
const [growth, mostBatches] = [4, 16]
/** Of rows. Two writes are in memory: one is sent while the next is filled. */
const mostBytes = 64 * 1024 * 1024

/** One write of an import: it gathers the rows of answers, and sends them. */
export class AnswersWrite {
  /** From 1. */
  readonly number: number
  readonly #stores: ImportStores
  readonly #work: Work
  readonly #rows = new InsertBatches()
  readonly #ids = new Set<string>()
  #batches = 0
  #encoded: Promise<void> = Promise.resolve()
  #written: Promise<void> = Promise.resolve()

  constructor(stores: ImportStores, work: Work, number: number) {
    this.#stores = stores
    this.#work = work
    this.number = number
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  get isFull(): boolean {
    const most = Math.min(growth ** (this.number - 1), mostBatches)
    return this.#batches >= most || this.#rows.size >= mostBytes
  }

  /**
   * Adds the new answers of a batch of lines. Resolves when the answers that were added before are bytes: these are analysed
   * while more lines are read.
   */
  async add(answers: readonly Answer[]): Promise<void> {
    this.#batches++
    for (const { id } of answers) this.#ids.add(id)
    const before = this.#encoded
    const { load, analyse } = this.#work
    this.#encoded = before.then(() => addAnswers(this.#rows, answers, load, analyse))
    // Whoever awaits it gets its error; until then it must not count as unhandled.
    this.#encoded.catch(() => undefined)
    await before
  }

  begin(): void {
    this.#written = this.#write()
    this.#written.catch(() => undefined)
  }

  /** Resolves when the warehouse has all rows. */
  end(): Promise<void> {
    return this.#written
  }

  async #write(): Promise<void> {
    await this.#encoded
    const { run, load } = this.#work
    await writeRows(this.#stores.warehouse, load, this.number, this.#rows)
    run.counts.loaded += this.#ids.size
    run.reportProgress()
  }
}
