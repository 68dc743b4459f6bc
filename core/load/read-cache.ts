import { LRUCache } from 'lru-cache'

interface Cached<Value> {
  readonly begunAt: number
  readonly writes: number
  readonly value: Promise<Value | null>
}

export interface ReadCacheOptions {
  /** Groups at most; the least recently used ones go. */
  readonly groups: number
  /** Values of a group at most. */
  readonly perGroup: number
  /** How old a value may be, in milliseconds from the start of its reading. */
  readonly mostMs: number
  /** A count that each write of this process raises: a value that was read before a write is read again. */
  readonly writes: () => number
}

/** Values of a store that are read once, and cached for a short time, in groups that are forgotten together. */
export class ReadCache<Value> {
  readonly #groups: LRUCache<string, Map<string, Cached<Value>>>
  readonly #options: ReadCacheOptions

  constructor(options: ReadCacheOptions) {
    this.#options = options
    this.#groups = new LRUCache({ max: options.groups })
  }

  /** The number of cached groups. */
  get size(): number {
    return this.#groups.size
  }

  /**
   * The value, from memory or by `read`. Callers that come while it is read share the reading, unless a write ended or the
   * group was forgotten meanwhile. A null and a failure are not cached.
   */
  get(group: string, id: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const { perGroup, writes } = this.#options
    const known = this.#groups.get(group)
    const cached = known?.get(id)
    const now = performance.now()
    if (cached && this.#isOfNow(cached, now)) return cached.value
    const members = known && known.size < perGroup ? known : new Map<string, Cached<Value>>()
    if (members !== known) this.#groups.set(group, members)
    const made: Cached<Value> = { begunAt: now, writes: writes(), value: read() }
    members.set(id, made)
    const drop = () => {
      if (members.get(id) === made) members.delete(id)
    }
    made.value.then((value) => {
      if (value === null) drop()
    }, drop)
    return made.value
  }

  #isOfNow({ begunAt, writes }: Cached<Value>, now: number): boolean {
    return writes === this.#options.writes() && now - begunAt < this.#options.mostMs
  }

  /** Forgets a group. A reading that is under way serves those alone who wait for it. */
  forget(group: string): void {
    this.#groups.delete(group)
  }

  forgetAll(): void {
    this.#groups.clear()
  }
}
