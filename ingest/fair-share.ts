/** How long a workspace counts as wanting some after it has asked. */
const wantedMs = 60_000

interface Asker {
  readonly owner: string
  readonly at: number
}

/**
 * Shares something that has a limit, such as memory, among workspaces: while others want some too, no workspace holds
 * more than half. Alone, a workspace may hold all of it.
 */
export class FairShare {
  readonly #most: number
  readonly #held = new Map<string, number>()
  /** Who asked last, and who else did before: enough to know whether anybody else wants some. */
  #last: Asker | undefined
  #before: Asker | undefined

  constructor(most: number) {
    this.#most = most
  }

  /** Whether an owner may take so much more. An owner that asks wants some. */
  mayTake(owner: string, amount: number): boolean {
    const at = performance.now()
    if (this.#last?.owner !== owner) this.#before = this.#last
    this.#last = { owner, at }
    const isWanted = this.#before !== undefined && at - this.#before.at < wantedMs
    return !isWanted || this.heldBy(owner) + amount <= this.#most / 2
  }

  take(owner: string, amount: number): void {
    this.#held.set(owner, this.heldBy(owner) + amount)
  }

  give(owner: string, amount: number): void {
    const left = this.heldBy(owner) - amount
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
  }

  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0
  }
}
