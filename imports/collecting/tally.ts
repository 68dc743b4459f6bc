import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import type { DifferenceKind, Reread, Unreadable } from './differences.ts'

/** A question whose body reads differently. */
export interface ReplayExample {
  readonly provider: AskedProvider
  readonly prompt: string
  /** Null for a question without an answer until now. */
  readonly answerId: string | null
  readonly kinds: readonly DifferenceKind[]
}

/** The changed questions to one provider. One question may count for several kinds. */
export type ProviderDifferences = Readonly<Record<DifferenceKind | 'questions', number>> & {
  readonly provider: AskedProvider
}

export interface ReplayResult {
  /** Bodies that were read. */
  readonly bodies: number
  /** Questions whose body reads differently. */
  readonly changed: number
  /** Bodies that cannot be read today, or whose answer an import rejects. Their answers stay. */
  readonly unreadable: number
  readonly providers: readonly ProviderDifferences[]
  /** The first ten. */
  readonly examples: readonly ReplayExample[]
  /** The import that shows the changes; null where nothing was changed. */
  readonly importId: string | null
}

const mostExamples = 10
const none = { questions: 0, outcome: 0, text: 0, model: 0, queries: 0, pages: 0 }

/** Counts what differs. */
export class Tally {
  readonly #providers = new Map<AskedProvider, Record<keyof typeof none, number>>()
  readonly #examples: ReplayExample[] = []
  #bodies = 0
  #unreadable = 0
  #changed = 0

  add(found: Reread | Unreadable): void {
    this.#bodies += 1
    if ('reason' in found) this.#unreadable += 1
    else if (found.kinds.length > 0) this.#addChanged(found)
  }

  #addChanged({ ask, kinds }: Reread): void {
    const { provider, prompt, answerId } = ask
    this.#changed += 1
    const counts = this.#providers.get(provider) ?? { ...none }
    this.#providers.set(provider, counts)
    counts.questions += 1
    for (const kind of kinds) counts[kind] += 1
    if (this.#examples.length < mostExamples) {
      this.#examples.push({ provider, prompt, answerId, kinds })
    }
  }

  result(importId: string | null): ReplayResult {
    const providers = [...this.#providers].map(([provider, counts]) => ({ provider, ...counts }))
    return {
      bodies: this.#bodies,
      changed: this.#changed,
      unreadable: this.#unreadable,
      providers: providers.toSorted((a, b) => a.provider.localeCompare(b.provider)),
      examples: this.#examples,
      importId,
    }
  }
}
