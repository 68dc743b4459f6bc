/** Numbers that chance gives, the same ones for the same seed. */
export class Random {
  #state: number

  constructor(seed: number, index = 0) {
    this.#state = (seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0
    // Neighbours begin alike.
    this.next()
    this.next()
  }

  /** From 0 to below 1, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** True so often: 0.1 is one time in ten. */
  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)]
    if (picked === undefined) throw new Error('There is nothing to pick.')
    return picked
  }

  /** A list of `0` to `most` items. */
  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }
}
