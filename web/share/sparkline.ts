/** The lines of a chart as small as a word, as the data of two SVG paths. */
export interface Sparkline {
  readonly line: string
  readonly area: string
  readonly first: number
  readonly last: number
}

/**
 * A line over the steps that have a value; null for fewer than two. It has no axis, so it runs from the lowest to the
 * highest value, but over no less than a fifth of the highest, which keeps noise small.
 */
export function sparklineOf(
  values: readonly (number | null)[],
  { width, height }: { readonly width: number; readonly height: number },
): Sparkline | null {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]))
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || known.length < 2) return null
  const highest = Math.max(...known.map(({ value }) => value))
  const lowest = Math.min(...known.map(({ value }) => value), highest * 0.8)
  const span = highest - lowest || 1
  const x = (at: number) => (at / Math.max(1, values.length - 1)) * width
  const y = (value: number) => height - 3 - ((value - lowest) / span) * (height - 6)
  const points = known.map(({ value, at }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  return {
    line: `M${points.join(' L')}`,
    area: `M${x(first.at)},${height} L${points.join(' L')} L${x(last.at)},${height} Z`,
    first: first.value,
    last: last.value,
  }
}
