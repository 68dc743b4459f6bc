interface Point {
  readonly value: number | null
  /** Of the ratio: what the value is a mean over. */
  readonly denominator: number
}

const days = 7

/**
 * The value of each day over the seven days that end there. A day has few answers, so its own value jumps. Each day counts
 * by its denominator, which gives the ratio of all seven days.
 */
export function rolling(points: readonly Point[]): (number | null)[] {
  return points.map((_, at) => {
    const week = points.slice(Math.max(0, at - days + 1), at + 1)
    const base = week.reduce((sum, { denominator }) => sum + denominator, 0)
    const total = week.reduce((sum, { value, denominator }) => sum + (value ?? 0) * denominator, 0)
    return base === 0 ? null : total / base
  })
}
