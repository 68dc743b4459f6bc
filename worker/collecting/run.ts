import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import { type Asker, openAsker } from '../../imports/collecting/ask.ts'
import { type Catalog, patiently } from '../../prisma/client.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import { type Book, openBook } from '../../resolvers/collecting/book.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import type { Work } from '../job.ts'
import type { RunTerms } from './terms.ts'

/** Why questions are not asked. */
export const keyGone = 'The provider key is gone, or its secret cannot be opened.'
export const deadlineReached = 'The run reached its deadline.'
export const capReached =
  'The cap on spending is reached, or the model has no price to hold against it.'

let latest = 0

/** An answer is known by its prompt, platform and millisecond: no two questions of a process share the latter. */
export function nextMoment(): Date {
  latest = Math.max(Date.now(), latest + 1)
  return new Date(latest)
}

/** What a run is asked with. */
interface RunParts {
  readonly run: Run
  readonly work: Work
  readonly terms: RunTerms
  /** Providers that may have a private address. */
  readonly privateHosts: readonly PrivateHost[]
  /** Aborts when another worker may have the run. */
  readonly lockLost: AbortSignal
}

/** A run while a worker asks its questions: what all of them share. */
export class CollectingRun {
  readonly run: Run
  readonly terms: RunTerms
  readonly db: Catalog
  readonly warehouse: Warehouse
  /** What provider keys are sealed with. */
  readonly signingSecrets: readonly [string, ...string[]]
  readonly asker: Asker
  readonly book: Book
  /** Ends the requests under way. */
  readonly signal: AbortSignal
  /** Begins no further request. */
  readonly stopping: AbortSignal
  readonly #broken = new AbortController()

  constructor({ run, work, terms, privateHosts, lockLost }: RunParts) {
    this.run = run
    this.terms = terms
    this.db = work.db
    this.warehouse = work.warehouse
    this.signingSecrets = work.secrets.signingSecrets
    this.asker = openAsker(privateHosts)
    this.book = openBook(work.db, run.projectId, patiently)
    this.signal = AbortSignal.any([work.signal, lockLost])
    this.stopping = AbortSignal.any([this.signal, work.stopping, this.#broken.signal])
  }

  /** Ends questions that wait without a reply. */
  fail(asks: readonly Ask[], reason: string): Promise<void> {
    return this.book.end(asks.map(({ id: askId }) => ({ askId, state: 'failed', reason })))
  }

  /**
   * Waits for parts of the run, each to its end. The first that fails stops the whole run.
   * @throws the reason of `stopping`
   */
  async all(parts: readonly Promise<unknown>[]): Promise<void> {
    await Promise.all(parts.map((part) => part.catch((error) => this.#broken.abort(error))))
    this.stopping.throwIfAborted()
  }
}
