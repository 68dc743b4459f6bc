import type { Analysis } from '../answers/analysis.ts'
import { type CatalogIds, nilUuid, type openCatalog } from '../answers/catalog.ts'
import { findPresent, writeRows } from '../answers/facts.ts'
import type { AnswerLine } from '../answers/line.ts'
import { type Answer, addAnswers, identify } from '../answers/rows.ts'
import type { StoredAnswer } from '../answers/stored.ts'
import { copyLoads } from '../loads/copy.ts'
import { InsertBatches } from '../loads/insert-batches.ts'
import { type Load, takeNumbers } from '../loads/loads.ts'
import type { ImportStores } from '../loads/runner.ts'
import type { Reread } from './differences.ts'

interface Parts {
  readonly analyse: Analysis
  readonly catalogIdsOf: ReturnType<typeof openCatalog>
}

/** The answer with the id, the day and the place of the stored one, and with what its body says today. */
function rewritten({ shared }: StoredAnswer, line: AnswerLine): Answer {
  const catalogIds: CatalogIds = {
    promptId: String(shared.prompt_id),
    formerPromptIds: [],
    locationId: String(shared.location_id ?? nilUuid),
    wasTracked: true,
  }
  const given = { platform: String(shared.platform), country: String(shared.country) }
  const [id, day] = [String(shared.answer_id), String(shared.day)]
  return { id, day, line: { ...line, ...given }, catalogIds }
}

/** Answers that replace others. Each load with a changed answer is written again, under a number of its own. */
export class Replacement {
  readonly #stores: ImportStores
  readonly #parts: Parts
  /** Of answers that there were not before. */
  readonly #own: number
  readonly #numbers = new Map<number, number>()
  /** The answers that are not copied. */
  readonly #changed = new Set<string>()
  #load: Load
  #gone = 0
  #batches = 0

  constructor(stores: ImportStores, load: Load, parts: Parts) {
    this.#stores = stores
    this.#load = load
    this.#own = load.seq
    this.#parts = parts
  }

  /** The load at the last of its numbers. */
  get load(): Load {
    return this.#load
  }

  /** The numbers of replaced loads, and those that replace them. */
  get numbers(): ReadonlyMap<number, number> {
    return this.#numbers
  }

  async #numberFor(seq: number): Promise<number> {
    const known = this.#numbers.get(seq)
    if (known !== undefined) return known
    this.#load = await takeNumbers(this.#stores.db, this.#load, 2)
    this.#numbers.set(seq, this.#load.seq)
    return this.#load.seq
  }

  /**
   * Writes the rows of changed answers.
   * @returns the ids of answers that there were not before, by the questions that they answer
   */
  async write(rereads: readonly Reread[]): Promise<ReadonlyMap<string, string>> {
    const byNumber = new Map<number, Answer[]>()
    for (const { stored, line, kinds } of rereads) {
      if (!stored || (line && !kinds.some((kind) => kind !== 'outcome'))) continue
      const number = await this.#numberFor(Number(stored.shared.load_seq))
      this.#changed.add(String(stored.shared.answer_id))
      if (!line) this.#gone += 1
      const answers = byNumber.get(number) ?? []
      byNumber.set(number, answers)
      if (line) answers.push(rewritten(stored, line))
    }
    const fresh = await this.#identify(rereads.flatMap(freshOf))
    const all = fresh.map(([, answer]) => answer)
    const present = new Set(await findPresent(this.#stores.warehouse, this.#load, all))
    byNumber.set(
      this.#own,
      all.filter(({ id }) => !present.has(id)),
    )
    for (const [seq, answers] of byNumber) {
      const load = { ...this.#load, seq }
      const rows = new InsertBatches()
      await addAnswers(rows, answers, load, this.#parts.analyse)
      await writeRows(this.#stores.warehouse, load, ++this.#batches, rows)
    }
    return new Map(fresh.map(([askId, { id }]) => [askId, id]))
  }

  /** The answers of questions that had none. */
  async #identify(fresh: readonly Fresh[]) {
    const catalogIds = await this.#parts.catalogIdsOf(fresh.map(({ line }) => line))
    return fresh.flatMap(({ askId, line }, at) => {
      const ids = catalogIds[at]
      return ids?.wasTracked ? [[askId, identify(this.#load.projectId, line, ids)] as const] : []
    })
  }

  /** Copies the answers that do not change, of each load that has another one that does. */
  copyRest(stop: AbortSignal): Promise<void> {
    return copyLoads(this.#stores.warehouse, this.#load, {
      numbers: this.#numbers,
      without: this.#changed,
      gone: this.#gone,
      stop,
    })
  }
}

interface Fresh {
  readonly askId: string
  readonly line: AnswerLine
}

/** A run that failed shows no answers. An answer that was shown before has been undone or removed. */
function freshOf({ raw, ask, stored, line }: Reread): Fresh[] {
  const isFresh = !stored && ask.state !== 'answered' && ask.run.status === 'completed'
  return isFresh && line ? [{ askId: raw.askId, line }] : []
}
