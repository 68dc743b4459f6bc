import type { MarkedPrompt } from '../../core/marks/comparison.ts'
import { demoLines, guides } from '../../demo/answers.ts'
import { drawFrom } from '../../demo/random.ts'

export interface World {
  readonly concerned: number
  readonly others: number
  /** Answers to each prompt a day. */
  readonly answers: number
  readonly days: number
  /** What the mark adds to the share of the concerned prompts, from this day on. */
  readonly effect: number
  readonly from: number
  /** The mean share of the prompts and its deviation. */
  readonly share: readonly [mean: number, deviation: number]
  /** Deviation of what each prompt gains by itself after the mark. */
  readonly drift: number
  /** Deviation of a day's shift of all prompts, and how much of it the next day keeps. */
  readonly shock: readonly [deviation: number, kept: number]
}

export const plainWorld: World = {
  concerned: 20,
  others: 40,
  answers: 1,
  days: 182,
  effect: 0,
  from: 1,
  share: [0.35, 0.2],
  drift: 0,
  shock: [0.03, 0],
}

const daysBefore = 56
const within = (share: number) => Math.min(1, Math.max(0, share))

/** Invented answers around a mark. */
export function plant(seed: number, world: World): MarkedPrompt[] {
  const { next, chance } = drawFrom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const [deviation, kept] = world.shock
  let shift = 0
  const shifts = Array.from({ length: daysBefore + world.days + 1 }, () => {
    shift = kept * shift + Math.sqrt(1 - kept ** 2) * deviation * normal()
    return shift
  })
  return Array.from({ length: world.concerned + world.others }, (_, place) => {
    const isConcerned = place < world.concerned
    const share = within(world.share[0] + world.share[1] * normal())
    const gained = world.drift * normal()
    const day = (at: number) => {
      const effect = isConcerned && at >= world.from ? world.effect : 0
      const now = within(share + (shifts[at + daysBefore] ?? 0) + (at > 0 ? gained : 0) + effect)
      let n = 0
      for (let i = 0; i < world.answers; i++) n += Number(chance(now))
      return { at, n, d: world.answers }
    }
    const before = Array.from({ length: daysBefore }, (_, i) => day(i - daysBefore))
    return {
      isConcerned,
      before: {
        n: before.reduce((sum, { n }) => sum + n, 0),
        d: before.length * world.answers,
      },
      days: Array.from({ length: world.days }, (_, i) => day(i + 1)),
    }
  })
}

/** The answers of the demonstration around the day on which its guides were published. */
export function demoGuides(endDay: string): MarkedPrompt[] {
  const dayMs = 24 * 60 * 60 * 1000
  const mark = Math.floor(Date.parse(endDay) / dayMs) - guides.daysAgo
  const lines = [...demoLines({ seed: 1, endDay })].map((line) => JSON.parse(line))
  return [...Map.groupBy(lines, ({ prompt }) => prompt as string).values()].map((answers) => {
    const days = answers.map(({ collectedAt, text }) => ({
      at: Math.floor(Date.parse(collectedAt) / dayMs) - mark,
      n: Number(/Lumora/.test(text)),
      d: 1,
    }))
    const before = days.filter(({ at }) => at < 0 && at >= -daysBefore)
    return {
      isConcerned: guides.topics.includes(answers[0]?.topic),
      before: { n: before.filter(({ n }) => n === 1).length, d: before.length },
      days: days.filter(({ at }) => at > 0).toSorted((a, b) => a.at - b.at),
    }
  })
}
