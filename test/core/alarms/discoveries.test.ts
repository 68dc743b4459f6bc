import { expect, test } from 'vitest'
import {
  changedPrompts,
  changedSources,
  evidenceOfChange,
  evidenceOfSource,
} from '../../../core/alarms/discoveries.ts'
import { drawFrom } from '../../../demo/random.ts'
import { binomial } from './worlds.ts'

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)
const chanceOf = (n: number, k: number, p: number) => choose(n, k) * p ** k * (1 - p) ** (n - k)
const upTo = (n: number) => Array.from({ length: n + 1 }, (_, k) => k)

test('the evidence against what did not change is at most 1 on average, whatever its share', () => {
  for (const ofBefore of upTo(6)) {
    for (const ofNow of upTo(6)) {
      const outcomes = upTo(ofBefore).flatMap((before) =>
        upTo(ofNow).map((now) => {
          const counts = { before, ofBefore, now, ofNow }
          return { before, now, evidences: [evidenceOfChange(counts), evidenceOfSource(counts)] }
        }),
      )
      for (const p of upTo(20).map((it) => it / 20)) {
        for (const which of [0, 1]) {
          const mean = outcomes.reduce((sum, { before, now, evidences }) => {
            const chance = chanceOf(ofBefore, before, p) * chanceOf(ofNow, now, p)
            return sum + chance * (evidences[which] ?? Number.NaN)
          }, 0)
          expect(mean).toBeLessThanOrEqual(1 + 1e-9)
        }
      }
    }
  }
})

test('reports the prompts that were lost and won, and none that kept its share', () => {
  const lost = { id: 'lost', before: 40, ofBefore: 40, now: 0, ofNow: 20 }
  const won = { id: 'won', before: 2, ofBefore: 40, now: 20, ofNow: 20 }
  const same = { id: 'same', before: 20, ofBefore: 40, now: 10, ofNow: 20 }
  expect(changedPrompts([same, won, lost])).toEqual({ lost: [lost], won: [won] })
  expect(changedPrompts([])).toEqual({ lost: [], won: [] })
})

test('finds prompts that fell to a quarter, and at most a tenth of the reports are false', () => {
  const draw = drawFrom(1)
  let [rate, found] = [0, 0]
  const weeks = 20
  for (let week = 0; week < weeks; week++) {
    const prompts = Array.from({ length: 200 }, (_, at) => {
      const share = 0.4 + 0.55 * draw.next()
      const isFallen = at < 20
      const now = binomial(draw, 28, isFallen ? share / 4 : share)
      return { isFallen, before: binomial(draw, 56, share), ofBefore: 56, now, ofNow: 28 }
    })
    const { lost, won } = changedPrompts(prompts)
    const reports = lost.length + won.length
    const right = lost.filter(({ isFallen }) => isFallen).length
    rate += reports === 0 ? 0 : (reports - right) / reports / weeks
    found += right / 20 / weeks
  }
  expect(rate).toBeLessThanOrEqual(0.1)
  expect(found).toBeGreaterThanOrEqual(0.6)
})

test('finds sources that are new and gone among many that are cited seldom, and at most a tenth is false', () => {
  const draw = drawFrom(2)
  const [ofBefore, ofNow, weeks] = [1440, 720, 10]
  let [rate, found, gone] = [0, 0, 0]
  for (let week = 0; week < weeks; week++) {
    // A tail of 1,000 domains: the first is cited in a fifth of the answers, the last in one of 5,000.
    const sources = Array.from({ length: 1000 }, (_, at) => {
      const share = 0.2 / (at + 1)
      const [before, now] = at < 990 ? [share, share] : at < 995 ? [0, 0.05] : [0.05, 0]
      return {
        at,
        before: binomial(draw, ofBefore, before),
        ofBefore,
        now: binomial(draw, ofNow, now),
        ofNow,
      }
    }).filter(({ before, now }) => before + now > 0)
    const changed = changedSources(sources, sources.length)
    const right = [changed.found, changed.gone].flat().filter(({ at }) => at >= 990).length
    const reports = changed.found.length + changed.gone.length
    rate += reports === 0 ? 0 : (reports - right) / reports / weeks
    found += changed.found.filter(({ at }) => at >= 990).length / 5 / weeks
    gone += changed.gone.filter(({ at }) => at >= 995).length / 5 / weeks
  }
  expect(rate).toBeLessThanOrEqual(0.1)
  expect(found).toBeGreaterThanOrEqual(0.9)
  expect(gone).toBeGreaterThanOrEqual(0.9)
})
