import { expect, test } from 'vitest'
import { attributionOf } from '../../../core/alarms/attribution.ts'
import { budgetsOf } from '../../../core/alarms/budget.ts'
import { type FoundAlarm, watch } from '../../../core/alarms/detector.ts'
import type { DetectorKind } from '../../../core/alarms/kinds/kinds.ts'
import type { Cell, Day } from '../../../core/alarms/series/days.ts'
import { type Draw, drawFrom } from '../../../demo/random.ts'
import { sized } from '../../kit/soak.ts'
import { dayOf, normal, shifted } from './worlds.ts'

/** Whole years of a project with all its monitors: 24 prompts on five AI platforms, one answer each a day. */

const years = sized({ normal: 2, soak: 200 })
const timeout = sized({ normal: 240_000, soak: 1_800_000 })
const strata = Array.from({ length: 120 }, (_, at) => ({
  name: `prompt ${at % 24} on ${Math.floor(at / 24)}`,
  share: 0.15 + 0.7 * Math.sin((Math.PI * ((at % 24) + 0.5)) / 48) ** 2,
}))

interface World {
  readonly timesOn?: (day: number) => number
  readonly logitOn?: (day: number) => number
}

/** What the monitors of the answers watch, from the same answers. */
function seriesOf(draw: Draw, { timesOn = () => 1, logitOn = () => 0 }: World) {
  const series = {
    own: [] as Day[],
    lead: [] as Day[],
    citing: [] as Day[],
    control: [] as Day[],
    difference: [] as Day[],
  }
  for (let day = 0; day < 365; day++) {
    const shift = logitOn(day) + 0.15 * normal(draw)
    const [own, lead, citing, control] = Array.from({ length: 4 }, () => new Map<string, Cell>())
    for (const { name, share } of strata) {
      const brand = draw.next() < shifted(share * timesOn(day), shift) ? 1 : 0
      const rival = draw.next() < shifted(0.85 - 0.6 * share, shift) ? 1 : 0
      own?.set(name, { n: 1, sum: brand })
      control?.set(name, { n: 1, sum: rival })
      lead?.set(name, { n: brand + rival, sum: rival - brand })
      citing?.set(name, { n: 1, sum: draw.chance(0.3) ? 1 : 0 })
    }
    const of = (cells = new Map<string, Cell>()) => ({ day: dayOf(day), cells })
    series.own.push(of(own))
    series.lead.push(of(lead))
    series.citing.push(of(citing))
    series.control.push(of(control))
    series.difference.push({ ...of(own), control: control ?? new Map() })
  }
  return series
}

const monitors = [
  ['visibility.fell', 'fell', 'own'],
  ['visibility.rose', 'rose', 'own'],
  ['competitor.gained', 'rose', 'lead'],
  ['citations.fell', 'fell', 'citing'],
  ['control.moved', 'fell', 'control'],
  ['difference.moved', 'fell', 'difference'],
] as const satisfies readonly (readonly [DetectorKind, 'fell' | 'rose', string])[]

/** The alarms of a year by kind, each monitor with its part of the one false alarm. */
function yearOf(seed: number, world: World): ReadonlyMap<DetectorKind, readonly FoundAlarm[]> {
  const series = seriesOf(drawFrom(seed), world)
  const ids = monitors.map(([kind]) => ({ id: `${kind} ${seed}`, kind }))
  const budgets = budgetsOf(ids)
  return new Map(
    monitors.map(([kind, direction, of]) => {
      const id = `${kind} ${seed}`
      return [kind, watch(series[of], { id, direction, budget: budgets.get(id) ?? 0 }).alarms]
    }),
  )
}

const numberOf = (day: string) => Math.round((Date.parse(day) - Date.parse(dayOf(0))) / 86_400_000)
const yearsOf = (world: World) => Array.from({ length: years }, (_, at) => yearOf(at + 1, world))
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** The fall of visibility that opened within three weeks of a day, and whose change it is by the drift canary. */
function fallAt(year: ReturnType<typeof yearOf>, day: number) {
  const found = year.get('visibility.fell')?.find(({ openedOn }) => {
    const opened = numberOf(openedOn)
    return opened >= day && opened <= day + 21
  })
  if (!found) return null
  const control = year.get('control.moved') ?? []
  const difference = year.get('difference.moved') ?? []
  const attribution = attributionOf(found, { control, difference })
  return { days: numberOf(found.openedOn) - day + 1, attribution }
}

test('years in which nothing changed have at most one false alarm on average', { timeout }, async ({
  annotate,
}) => {
  const counts = yearsOf({}).map((year) => [...year.values()].flat().length)
  const mean = counts.reduce((sum, count) => sum + count, 0) / years
  const spread = Math.sqrt(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / years)
  const error = spread / Math.sqrt(years)
  await annotate(JSON.stringify({ years, mean, error, most: Math.max(...counts) }), 'quiet')
  expect(mean).toBeLessThanOrEqual(1 + 3 * error)
})

test('a fall by a fifth is found within three weeks and called the brand’s own', {
  timeout,
}, async ({ annotate }) => {
  const falls = yearsOf({ timesOn: (day) => (day < 120 ? 1 : 0.8) }).map((year) =>
    fallAt(year, 120),
  )
  const found = falls.filter((fall) => fall !== null)
  const own = found.filter(({ attribution }) => attribution === 'you').length
  const called = found.filter(({ attribution }) => attribution === 'assistant').length
  const delay = median(found.map(({ days }) => days))
  await annotate(JSON.stringify({ years, found: found.length, delay, own, called }), 'fall')
  expect(found.length).toBeGreaterThanOrEqual(0.9 * years)
  expect(own).toBeGreaterThanOrEqual(0.9 * found.length)
  expect(called).toBeLessThanOrEqual(0.03 * years)
})

test('a fall to a level that the brand had before is found too', { timeout }, async ({
  annotate,
}) => {
  const draws = Array.from({ length: years }, (_, at) => drawFrom(at + 1))
  const timesOn = (day: number) => ((day >= 120 && day < 200) || day >= 300 ? 0.8 : 1)
  const found = draws.filter((draw, at) => {
    const { own } = seriesOf(draw, { timesOn })
    const { alarms } = watch(own, { id: `visibility.fell ${at}`, direction: 'fell', budget: 0.3 })
    return alarms.some(({ openedOn }) => {
      const opened = numberOf(openedOn)
      return opened >= 300 && opened <= 321
    })
  })
  await annotate(JSON.stringify({ years, found: found.length }), 'again')
  expect(found.length).toBeGreaterThanOrEqual(0.9 * years)
})

test('an engine that mentions all brands less is not called the brand’s own change', {
  timeout,
}, async ({ annotate }) => {
  const shifts = yearsOf({ logitOn: (day) => (day < 150 ? 0 : -0.5) }).map((year) =>
    fallAt(year, 150),
  )
  const found = shifts.filter((fall) => fall !== null)
  const of = (name: string) => found.filter(({ attribution }) => attribution === name).length
  const [assistant, you] = [of('assistant'), of('you')]
  await annotate(JSON.stringify({ years, found: found.length, assistant, you }), 'engine')
  expect(assistant).toBeGreaterThanOrEqual(0.6 * found.length)
  expect(you).toBeLessThanOrEqual(0.03 * years)
})
