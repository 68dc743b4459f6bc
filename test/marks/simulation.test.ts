import { expect, test } from 'vitest'
import { compare } from '../../core/marks/comparison.ts'
import { sized } from '../kit/soak.ts'
import { demoGuides, plainWorld, plant, type World } from './planted.ts'

const times = sized({ normal: 20, soak: 2000 })
/** Three standard errors of a share of the simulations, in percent. */
const slack = (share: number) => 3 * Math.sqrt((share * (100 - share)) / times)

function percent(world: World, isSo: (seed: number, world: World) => boolean): number {
  let found = 0
  for (let seed = 1; seed <= times; seed++) found += Number(isSo(seed, world))
  return (100 * found) / times
}

const isTold = (seed: number, world: World) => compare(plant(seed, world), true).shownAt !== null

const isCovered = (seed: number, world: World) => {
  const { interval } = compare(plant(seed, world), true)
  return interval !== null && interval.low <= world.effect && world.effect <= interval.high
}

const nothing: Readonly<Record<string, Partial<World>>> = {
  'prompts alike': {},
  'prompts that drift': { drift: 0.05 },
  'days that go together': { shock: [0.06, 0.6] },
  'few prompts': { concerned: 5, others: 10 },
  'a brand that is seldom mentioned': { concerned: 5, others: 80, share: [0, 0.03] },
}

test.each(Object.entries(nothing))(
  'whoever looks each day for half a year is told of an effect that there is not in at most 5 %%: %s',
  (_name, differs) => {
    expect(percent({ ...plainWorld, ...differs }, isTold)).toBeLessThanOrEqual(5 + slack(5))
  },
)

const effects: Readonly<Record<string, Partial<World>>> = {
  'no effect': {},
  '+10 points': { effect: 0.1, share: [0.35, 0.1] },
  '+10 points and prompts that drift': { effect: 0.1, drift: 0.05, share: [0.35, 0.1] },
  'few prompts': { concerned: 5, others: 10, drift: 0.05, share: [0.35, 0.1] },
}

test.each(Object.entries(effects))(
  'the interval holds the effect in 93 to 97 %%: %s',
  (_name, differs) => {
    const covered = percent({ ...plainWorld, ...differs }, isCovered)
    expect(covered).toBeGreaterThanOrEqual(93 - slack(95))
    expect(covered).toBeLessThanOrEqual(97 + slack(95))
  },
)

test('+10 points in 20 prompts are found, and the day on which they began', () => {
  expect(percent({ ...plainWorld, effect: 0.1 }, isTold)).toBeGreaterThanOrEqual(95 - slack(95))
  const late = { ...plainWorld, effect: 0.2, from: 30 }
  const isNear = (seed: number) =>
    Math.abs((compare(plant(seed, late), true).sinceAt ?? 0) - late.from) <= 7
  expect(percent(late, isNear)).toBeGreaterThanOrEqual(90)
})

test('the effect that is planted in the demonstration is found', () => {
  const { verdict, concerned, others, effect, interval } = compare(demoGuides('2026-03-01'), false)
  expect({ verdict, concerned: concerned.prompts, others: others.prompts }).toEqual({
    verdict: 'rose',
    concerned: 20,
    others: 40,
  })
  expect(effect).toBeCloseTo(0.25, 1)
  expect(interval?.low).toBeGreaterThan(0.1)
})
