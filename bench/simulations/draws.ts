/** Random draws for simulations. The same numbers come in every run. */
let state = 1

/** Uniform from 0 to below 1: mulberry32. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const logarithm = () => Math.log(1 - random())

/** @see Marsaglia, G. & Tsang, W. W. (2000), A simple method for generating gamma variables */
function gamma(shape: number): number {
  if (shape < 1) return gamma(shape + 1) * (1 - random()) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = Math.sqrt(-2 * logarithm()) * Math.cos(2 * Math.PI * random())
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && logarithm() < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

/** The share of one prompt, of mean p, where two answers to one prompt correlate so. */
export function shareOfPrompt(p: number, correlation: number): number {
  if (correlation === 0) return p
  const size = (1 - correlation) / correlation
  const [x, y] = [gamma(p * size), gamma((1 - p) * size)]
  if (x + y === 0) return random() < p ? 1 : 0
  return x / (x + y)
}
