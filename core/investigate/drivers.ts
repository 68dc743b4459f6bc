import { average, type Ratio, share } from '../metrics.ts'
import { fewestRated } from '../text/sentiment.ts'
import { type Exact, greatestDivisor } from './exact.ts'

/**
 * Divides the change of a metric among the parts of its answers. All sums are exact: fractions of big integers.
 */

export const investigatedMetrics = ['visibility', 'shareOfVoice', 'sentiment', 'citations'] as const
export type InvestigatedMetric = (typeof investigatedMetrics)[number]

export const driverDimensions = ['platform', 'topic', 'prompt', 'location', 'competitor'] as const
export type DriverDimension = (typeof driverDimensions)[number]

/** The key of answers without a topic or location, and the key of the drivers that a list leaves out. */
export const noKey = 'none'
const otherKey = 'other'

/** The most drivers of a dimension, without `other`. */
const mostDrivers = 50

/** A metric is 100·n/d. Citations are n alone, and their d is 0. */
export interface Tally {
  readonly n: bigint
  readonly d: bigint
}

/** The tallies of one key, such as a platform, in the window and in the window before. */
export interface Part {
  readonly key: string
  readonly now: Tally
  readonly before: Tally
}

export interface Driver {
  readonly key: string
  /** Number of keys that `other` stands for; 0 of every other driver. */
  readonly others: number
  readonly contribution: Exact
  readonly current: Ratio | null
  readonly previous: Ratio | null
  readonly rateEffect: Exact | null
  readonly mixEffect: Exact | null
}

const nothing: Tally = { n: 0n, d: 0n }

/** The parts together, as one part. */
export function pooled(key: string, parts: Iterable<Part>): Part {
  let [now, before] = [nothing, nothing]
  for (const part of parts) {
    now = { n: now.n + part.now.n, d: now.d + part.now.d }
    before = { n: before.n + part.before.n, d: before.d + part.before.d }
  }
  return { key, now, before }
}

/** How the tallies of the parts are to be read. */
export interface Measure {
  readonly metric: InvestigatedMetric
  /** The whole, of which the parts are parts. */
  readonly whole: Part
  /** The tallies of the whole count 1/unit of an answer. */
  readonly unit: bigint
}

/** 100·n/d in answers where both are whole; null without a denominator. */
export function rateOf({ n, d }: Tally, unit: bigint, metric: InvestigatedMetric): Ratio | null {
  if (d === 0n) return null
  const isWhole = d % unit === 0n && (n * 100n) % unit === 0n
  const by = isWhole ? Number(unit) : 1
  const ratio = share(Number(n) / by, Number(d) / by)
  if (metric !== 'sentiment') return { ...ratio, subset: n % unit === 0n }
  return { ...ratio, subset: false, fewest: (fewestRated * Number(unit)) / by }
}

/** `split`: the tallies of the part count 1/split of those of the whole. */
type MakeDriver = (part: Part, measure: Measure, split: bigint) => Omit<Driver, 'others'>

const shareDriver: MakeDriver = ({ key, now, before }, { metric, whole, unit }, split) => {
  const [all, allBefore] = [whole.now.d, whole.before.d]
  const scale = 100
  const contribution: Exact = {
    numerator: now.n * allBefore - before.n * all,
    denominator: all * allBefore * split,
    scale,
  }
  // w = d/D is the weight and r = n/d the rate: ½(w + w′)(r − r′) and ½(r + r′)(w − w′).
  const denominator = 2n * contribution.denominator * now.d * before.d
  const hasBoth = denominator > 0n
  const rateEffect: Exact = hasBoth
    ? {
        numerator: (now.d * allBefore + before.d * all) * (now.n * before.d - before.n * now.d),
        denominator,
        scale,
      }
    : { numerator: 0n, denominator: 1n, scale }
  const mixEffect: Exact = hasBoth
    ? {
        numerator: (now.n * before.d + before.n * now.d) * (now.d * allBefore - before.d * all),
        denominator,
        scale,
      }
    : contribution
  return {
    key,
    contribution,
    current: rateOf(now, unit * split, metric),
    previous: rateOf(before, unit * split, metric),
    rateEffect,
    mixEffect,
  }
}

const countDriver: MakeDriver = ({ key, now, before }, _measure, split) => ({
  key,
  contribution: { numerator: now.n - before.n, denominator: split, scale: 1 },
  current: average(Number(now.n), Number(split)),
  previous: average(Number(before.n), Number(split)),
  rateEffect: null,
  mixEffect: null,
})

/** What a competitor wins of the voice, the own brand loses. `d` are the answers that name the competitor. */
const rivalDriver: MakeDriver = ({ key, now, before }, { whole }) => ({
  key,
  contribution: {
    numerator: before.d * whole.now.d - now.d * whole.before.d,
    denominator: whole.now.d * whole.before.d,
    scale: 100,
  },
  current: share(Number(now.d), Number(whole.now.d)),
  previous: share(Number(before.d), Number(whole.before.d)),
  rateEffect: null,
  mixEffect: null,
})

const absolute = (value: bigint) => (value < 0n ? -value : value)

/** Largest contribution first, in either direction, ties by key. All denominators of a dimension are equal. */
function byContribution(a: Driver, b: Driver): number {
  const difference = absolute(b.contribution.numerator) - absolute(a.contribution.numerator)
  return difference === 0n ? (a.key < b.key ? -1 : 1) : difference > 0n ? 1 : -1
}

/** The parts with answers as drivers, the largest contribution first; all after the 50th as one. */
function driversOf(
  parts: readonly Part[],
  measure: Measure,
  make: MakeDriver,
  split = 1n,
): Driver[] {
  const isUsed = ({ now, before }: Part) => now.n + now.d + before.n + before.d > 0n
  const drivers = parts
    .filter(isUsed)
    .map((part): Driver => ({ ...make(part, measure, split), others: 0 }))
    .sort(byContribution)
  const rest = new Set(drivers.slice(mostDrivers).map(({ key }) => key))
  if (rest.size === 0) return drivers
  const other = pooled(
    otherKey,
    parts.filter((part) => isUsed(part) && rest.has(part.key)),
  )
  return [...drivers.slice(0, mostDrivers), { ...make(other, measure, split), others: rest.size }]
}

/** The parts of a metric by dimension; topics follow from the prompts. */
export type Parts = Readonly<Record<Exclude<DriverDimension, 'topic'>, readonly Part[]>>

/**
 * The drivers of each dimension. Those of one dimension sum to `changeOf` exactly.
 * @param topicsOf the topics of a prompt, which share its answers equally
 */
export function driversByDimension(
  measure: Measure,
  parts: Parts,
  topicsOf: (promptId: string) => readonly string[],
): Record<DriverDimension, Driver[]> {
  const make = measure.metric === 'citations' ? countDriver : shareDriver
  const topics = topicParts(parts.prompt, topicsOf)
  return {
    platform: driversOf(parts.platform, measure, make),
    topic: driversOf(topics.parts, measure, make, topics.split),
    prompt: driversOf(parts.prompt, measure, make),
    location: driversOf(parts.location, measure, make),
    competitor:
      measure.metric === 'shareOfVoice' ? driversOf(parts.competitor, measure, rivalDriver) : [],
  }
}

/** The parts by topic. Their tallies are multiples of 1/split, which every prompt's number of topics divides. */
function topicParts(
  prompts: readonly Part[],
  topicsOf: (promptId: string) => readonly string[],
): { parts: Part[]; split: bigint } {
  const shared = prompts.map((part) => {
    const topics = topicsOf(part.key)
    return { part, topics: topics.length > 0 ? topics : [noKey] }
  })
  const split = shared.reduce((least, { topics }) => {
    const count = BigInt(topics.length)
    return (least / greatestDivisor(least, count)) * count
  }, 1n)
  const pieces = shared.flatMap(({ part, topics }) => {
    const times = split / BigInt(topics.length)
    const piece = ({ n, d }: Tally) => ({ n: n * times, d: d * times })
    return topics.map((key) => ({ key, now: piece(part.now), before: piece(part.before) }))
  })
  const byTopic = Map.groupBy(pieces, ({ key }) => key)
  return { parts: [...byTopic].map(([key, group]) => pooled(key, group)), split }
}

/** The value of the window minus that of the window before; null where either has no denominator. */
export function changeOf({ metric, whole: { now, before } }: Measure): Exact | null {
  if (metric === 'citations') return { numerator: now.n - before.n, denominator: 1n, scale: 1 }
  if (now.d === 0n || before.d === 0n) return null
  return {
    numerator: now.n * before.d - before.n * now.d,
    denominator: now.d * before.d,
    scale: 100,
  }
}

/** The prompts that moved the metric most in the direction of its change. */
export function leadingPrompts(
  measure: Measure,
  prompts: readonly Part[],
  direction: 1 | -1,
  most: number,
): string[] {
  const make = measure.metric === 'citations' ? countDriver : shareDriver
  return prompts
    .map((part): Driver => ({ ...make(part, measure, 1n), others: 0 }))
    .filter(({ contribution }) => contribution.numerator * BigInt(direction) > 0n)
    .sort(byContribution)
    .slice(0, most)
    .map(({ key }) => key)
}
