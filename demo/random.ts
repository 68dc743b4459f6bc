/** Draws that repeat for the same seed. */
export interface Draw {
  /** At least 0, below 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Up to `count` different items; a heavier one comes sooner. */
  some<T>(items: readonly T[], count: number, weightOf: (item: T) => number): T[]
}

/** Mulberry32 (Tommy Ettinger, public domain): small, fast, and good enough to draw a demonstration. */
function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function drawFrom(seed: number): Draw {
  const next = mulberry32(seed)
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    some(items, count, weightOf) {
      const left = [...items]
      const taken: typeof left = []
      while (taken.length < count && left.length > 0) {
        let at = next() * left.reduce((sum, item) => sum + weightOf(item), 0)
        const index = left.findIndex((item) => {
          at -= weightOf(item)
          return at < 0
        })
        taken.push(...left.splice(index, 1))
      }
      return taken
    },
  }
}
