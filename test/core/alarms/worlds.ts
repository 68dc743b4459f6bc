import { type Day, watchedFrom } from '../../../core/alarms/series/days.ts'
import type { Draw } from '../../../demo/random.ts'

const dayMs = 86_400_000
/** No reference is renewed within 180 days from here. */
const first = Date.parse(watchedFrom('2026-11-28'))

const names = Array.from({ length: 720 }, (_, at) => {
  return new Date(first + at * dayMs).toISOString().slice(0, 10)
})
export const dayOf = (at: number) => names[at] ?? ''
export const indexOf = (day: string) => (Date.parse(day) - first) / dayMs

export function binomial({ next }: Draw, n: number, p: number): number {
  let u = next()
  let mass = (1 - p) ** n
  let k = 0
  while (u > mass && k < n) {
    u -= mass
    k++
    mass *= ((n - k + 1) / k) * (p / (1 - p))
  }
  return k
}

export const normal = ({ next }: Draw) =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())

export const shifted = (p: number, logit: number) => 1 / (1 + Math.exp(-logit) * (1 / p - 1))

/** Prompts differ much: a brand is in nearly all answers to some, and in nearly none to others. */
const shares = Array.from({ length: 12 }, (_, at) => Math.sin((Math.PI * (at + 0.5)) / 24) ** 2)

export interface World {
  readonly days: number
  /** Standard deviation of what all answers of a day share, in logits. */
  readonly shock?: number
  /** Whether days have from 60 to 180 answers in place of 120. */
  readonly isUneven?: boolean
  /** Whether days lack some of their prompts. */
  readonly isSparse?: boolean
  /** From this day on, the brand's shares are multiplied, and all shares are moved by logits. */
  readonly change?: { readonly from: number; readonly times?: number; readonly logit?: number }
}

/** Days of 120 answers about the brand and 120 about control brands. */
export function daysOf(draw: Draw, world: World): Required<Day>[] {
  const { change = { from: Infinity } } = world
  return Array.from({ length: world.days }, (_, at) => {
    const [times, logit] = at < change.from ? [1, 0] : [change.times ?? 1, change.logit ?? 0]
    const shift = logit + (world.shock ?? 0) * normal(draw)
    const n = world.isUneven ? draw.between(5, 15) : 10
    const cellsOf = (factor: number) => {
      const sums = shares.map((share) => binomial(draw, n, shifted(share * factor, shift)))
      if (!world.isSparse) {
        return new Map([['all', { n: 12 * n, sum: sums.reduce((total, sum) => total + sum, 0) }]])
      }
      return new Map(
        sums.flatMap((sum, prompt) => {
          return draw.chance(0.1) ? [] : [[`${prompt}`, { n, sum }] as const]
        }),
      )
    }
    return { day: dayOf(at), cells: cellsOf(times), control: cellsOf(1) }
  })
}
