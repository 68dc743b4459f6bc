import { describe, expect, test } from 'vitest'
import { attributionOf } from '../../../core/alarms/attribution.ts'
import { watch } from '../../../core/alarms/detector.ts'
import { uniformOf } from '../../../core/alarms/ranks.ts'
import { type Day, stretchesOf, watchedFrom } from '../../../core/alarms/series/days.ts'
import { drawFrom } from '../../../demo/random.ts'
import { dayOf, daysOf, indexOf, type World } from './worlds.ts'

const brandOf = (days: readonly Required<Day>[]): Day[] =>
  days.map(({ day, cells }) => ({ day, cells }))
const controlOf = (days: readonly Required<Day>[]): Day[] =>
  days.map(({ day, control }) => ({ day, cells: control }))

const fell = (id: string | number, budget: number) =>
  ({ id: `${id}`, direction: 'fell', budget }) as const

/** The alarms of each of `runs` series. */
function alarmsIn(world: World, runs: number, budget: number) {
  const draw = drawFrom(1)
  return Array.from({ length: runs }, (_, run) => {
    return watch(brandOf(daysOf(draw, world)), fell(run, budget)).alarms
  })
}

describe('false alarms stay within the budget', () => {
  // 84 looks after 28 days at one a year.
  test.each<[string, number, Omit<World, 'days'>]>([
    ['days are independent', 300, {}],
    ['days differ by 0.15 logits', 300, { shock: 0.15 }],
    ['days differ by 0.25 logits', 300, { shock: 0.25 }],
    ['days have different numbers of answers', 300, { shock: 0.15, isUneven: true }],
    ['days lack some prompts', 100, { shock: 0.15, isSparse: true }],
  ])('where %s', (_name, runs, world) => {
    const count = alarmsIn({ days: 28 + 84, ...world }, runs, 1).flat().length
    expect(count / runs).toBeLessThanOrEqual(84 / 365 + (3 * Math.sqrt(count)) / runs)
  })

  test('where references begin anew', () => {
    const runs = 50
    const count = alarmsIn({ days: 28 + 365, shock: 0.15 }, runs, 1).flat().length
    expect(count / runs).toBeLessThanOrEqual(1 + (3 * Math.sqrt(count)) / runs)
  })
})

// A sixth of the budget, as with six monitors of the same weight.
test.each([
  [28, 0.2],
  [28, 0.4],
  [56, 0.1],
  [84, 0.1],
  [84, 0.4],
])('after %i days, nine of ten falls by %f are found within 42', (from, fall) => {
  const world = { days: from + 42, shock: 0.15, change: { from, times: 1 - fall } }
  const found = alarmsIn(world, 60, 1 / 6).filter((alarms) =>
    alarms.some(({ openedOn }) => indexOf(openedOn) >= from),
  )
  expect(found.length / 60).toBeGreaterThanOrEqual(0.9)
})

test.each([
  ['assistant', { logit: -0.35 }, 0.6],
  ['you', { times: 0.8 }, 0.9],
] as const)('the drift canary says that it was %s', (whose, change, least) => {
  const draw = drawFrom(1)
  const names = Array.from({ length: 60 }, (_, run) => {
    const days = daysOf(draw, { days: 98, shock: 0.15, change: { from: 56, ...change } })
    const difference = watch(days, fell(`${run} difference`, 0.05)).alarms
    const control = watch(controlOf(days), fell(`${run} control`, 0.05)).alarms
    const [alarm] = watch(brandOf(days), fell(`${run} brand`, 0.3)).alarms
    return alarm && attributionOf(alarm, { control, difference })
  })
  const share = (of: string) => names.filter((name) => name === of).length / names.length
  expect(share(whose)).toBeGreaterThanOrEqual(least)
  expect(share(whose === 'you' ? 'assistant' : 'you')).toBeLessThanOrEqual(0.03)
})

const plain = (at: number, sum: number): Day => ({
  day: dayOf(at),
  cells: new Map([['all', { n: 10, sum }]]),
})
const steady = Array.from({ length: 28 }, (_, at) => plain(at, 5))

const fallenTo = (sum: number, count: number) => [
  ...steady,
  ...Array.from({ length: count - 28 }, (_, at) => plain(28 + at, sum)),
]

describe('a monitor', () => {
  test('adds one to its evidence and multiplies it by the bet on each rank', () => {
    const days = [...steady, plain(28, 0), plain(29, 0)]
    const [first, second] = [uniformOf('m', dayOf(28)), uniformOf('m', dayOf(29))]
    // The lowest of 29 days, and one of the two lowest of 30.
    const bets = [0.5 * Math.sqrt(29 / first), 0.5 * Math.sqrt(30 / (2 * second))] as const
    const { threshold, looks, alarms } = watch(days, fell('m', 1))
    expect(threshold).toBe(365)
    expect(looks.map(({ day }) => day)).toEqual([dayOf(28), dayOf(29)])
    expect(looks[0]?.evidence).toBeCloseTo(bets[0], 9)
    expect(looks[1]?.evidence).toBeCloseTo((bets[0] + 1) * bets[1], 9)
    expect(alarms).toEqual([])
  })

  const fallen = [...steady, ...Array.from({ length: 16 }, (_, at) => plain(28 + at, 0))]

  test('dates the change, begins its reference there, and needs 14 days', () => {
    const { alarms, reference, state } = watch(fallen.slice(0, 40), fell('m', 1))
    expect(alarms).toHaveLength(1)
    // From 5 of 10 to none. The days of each side are alike, so that the interval has no width.
    expect(alarms[0]).toMatchObject({ since: dayOf(28), ending: null })
    const { before, after, low, high } = alarms[0]?.estimate ?? {}
    expect(before).toBeCloseTo(0.5, 9)
    for (const level of [after, low, high]) expect(level).toBeCloseTo(0, 9)
    expect(state).toBe('fewDays')
    expect(reference).toEqual({ from: dayOf(28), days: 12 })
    expect(watch(fallen, fell('m', 1)).state).toBe('watching')
  })

  test('dates a change by its level, not by a low day before it', () => {
    const late = (at: number) => (at === 40 ? 4 : at < 50 ? 5 : 2)
    const days = Array.from({ length: 60 }, (_, at) => plain(at, late(at)))
    const { alarms } = watch(days, fell('m', 0.5))
    expect(alarms.map(({ since }) => since)).toEqual([dayOf(50)])
  })

  test.each([
    // From the tenth day after the alarm 6 of 10. Of 14 days six of these make 3.7, nearer to 5 than to 2; five make 3.4.
    ['the level is back', 6, 'recovered'],
    ['the new level has lasted four weeks', 2, 'settled'],
  ])('closes its alarm when %s', (_name, later, reason) => {
    const from = 28
    const opened = indexOf(watch(fallenTo(2, 60), fell('m', 1)).alarms[0]?.openedOn ?? '')
    const days = fallenTo(2, 90).map((day, at) => (at > opened + 9 ? plain(at, later) : day))
    const [alarm] = watch(days, { ...fell('m', 1) }).alarms
    const closed = reason === 'settled' ? opened + 28 : opened + 15
    expect(alarm?.since).toBe(dayOf(from))
    expect(alarm?.ending).toEqual({ closedOn: dayOf(closed), reason })
  })

  test('begins its reference at a rise too, so that a fall back to the old level is found', () => {
    const level = (at: number) => (at < 28 || at >= 58 ? 5 : 8)
    const days = Array.from({ length: 78 }, (_, at) => plain(at, level(at)))
    const { alarms } = watch(days, fell('m', 1))
    expect(alarms.map(({ since }) => since)).toEqual([dayOf(58)])
    // Only the rise is no alarm of this monitor.
    expect(watch(days.slice(0, 58), fell('m', 1))).toMatchObject({
      alarms: [],
      reference: { from: dayOf(28) },
    })
  })

  test('that watches for rises is not moved by a fall', () => {
    expect(watch(fallen, { ...fell('m', 1), direction: 'rose' }).alarms).toEqual([])
  })

  test('says each alarm on its day, and keeps to it', () => {
    const draw = drawFrom(3)
    const change = { from: 60, times: 0.5 }
    const days = brandOf(daysOf(draw, { days: 150, shock: 0.15, isSparse: true, change }))
    const { alarms } = watch(days, fell('m', 1))
    expect(alarms.length).toBeGreaterThan(0)
    for (let count = 1; count <= days.length; count++) {
      const last = days[count - 1]?.day ?? ''
      const known = alarms.filter(({ openedOn }) => openedOn <= last)
      expect(watch(days.slice(0, count), fell('m', 1)).alarms).toEqual(
        known.map((alarm) =>
          alarm.ending && alarm.ending.closedOn > last ? { ...alarm, ending: null } : alarm,
        ),
      )
    }
  })

  test('counts the same whatever the order of the answers of a day', () => {
    const days = brandOf(daysOf(drawFrom(4), { days: 90, shock: 0.15, isSparse: true }))
    const turned = days.map(({ day, cells }) => ({ day, cells: new Map([...cells].reverse()) }))
    expect(watch(turned, fell('m', 1))).toEqual(watch(days, fell('m', 1)))
  })

  test('counts the same from the first day that it needs as from the first of all', () => {
    const days = brandOf(daysOf(drawFrom(5), { days: 720, shock: 0.15 }))
    const last = days.at(-1)?.day ?? ''
    const needed = days.filter(({ day }) => day >= watchedFrom(last))
    expect(needed.length).toBeLessThanOrEqual(360)
    const { alarms: _, ...all } = watch(days, fell('m', 1))
    expect(watch(needed, fell('m', 1))).toMatchObject(all)
  })

  test('merges days that resemble the day before, and lowers its threshold with the looks', () => {
    const days = Array.from({ length: 30 }, (_, at) => plain(at, at % 4 < 2 ? 4 : 6))
    // Of the neighbours among 28 days, 14 of 27 agree where pairs do, and 21 where fours do. Blocks of two of these are pairs.
    const slow = Array.from({ length: 28 }, (_, at) => plain(at, at % 8 < 4 ? 4 : 6))
    expect(watch(days, fell('m', 1)).blockDays).toBe(1)
    expect(watch(slow, fell('m', 1))).toMatchObject({ blockDays: 2, threshold: 182.5 })
  })

  test('does not look where fewer than three days a week are collected', () => {
    const weekly = Array.from({ length: 30 }, (_, at) => plain(7 * at, 5))
    expect(watch(weekly, fell('m', 1))).toMatchObject({ state: 'tooSeldom', looks: [] })
  })
})

describe('days', () => {
  const asked = (at: number, ...prompts: readonly string[]): Day => ({
    day: dayOf(at),
    cells: new Map(prompts.map((prompt) => [prompt, { n: 1, sum: 1 }])),
  })
  const ten = [...'abcdefghij']
  const week = Array.from({ length: 7 }, (_, at) => asked(at, ...ten))
  const lengths = (days: readonly Day[]) => stretchesOf(days).map(({ length }) => length)

  test('do not count with under 80 % of the usual prompts', () => {
    expect(lengths([...week, asked(7, ...ten.slice(3)), asked(8, ...ten.slice(2))])).toEqual([8])
  })

  test('begin anew where the prompts are others, and do not for one run of others', () => {
    const others = Array.from({ length: 7 }, (_, at) => asked(7 + at, ...ten.slice(6), ...'uvwxyz'))
    // The new prompts are the usual ones from the fourth day on.
    expect(lengths([...week, ...others])).toEqual([7, 4])
    expect(lengths([...week, asked(7, ...ten, ...'uvwxyz'), asked(8, ...ten)])).toEqual([9])
  })
})
