import { type Fraction, isSignificant, pairedInterval } from '../../core/intervals/paired.ts'
import { say } from '../service.ts'
import { random, shareOfPrompt } from './draws.ts'

/**
 * node bench/simulations/placement.ts [rounds]
 *
 * Simulates two windows of 40 prompts that do not change. The first asks each prompt as often. The second has as many
 * questions, and puts them where the answers of the first vary. It prints, in points and percent:
 *
 * - the bias of the visibility, which is the share of all answers that name the brand;
 * - how often the test of changes finds a change, with such a second window, and with one that asks evenly;
 * - the error of the mean over prompts in such a window, which has no bias, and of the visibility in an even one.
 *
 * It needs no store and gives the same numbers in every run.
 */
const rounds = Number(process.argv[2] ?? 2000)
const prompts = 40

interface Prompt {
  readonly share: number
  readonly answers: number
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
const mean = (values: readonly number[]) => sum(values) / values.length

/** `count` answers to a prompt: how many name the brand. */
function named(share: number, count: number): number {
  let found = 0
  for (let i = 0; i < count; i++) if (random() < share) found++
  return found
}

/** The deviation of one answer, by `n` of `d` answers and Jeffreys' prior. The same for a share and its opposite. */
const deviationOf = (n: number, d: number) => Math.sqrt((n + 0.5) * (d - n + 0.5)) / (d + 1)

/** Divides questions in proportion to the weights, at least one each, by largest remainders. */
function divided(questions: number, weights: readonly number[]): number[] {
  const free = questions - weights.length
  const whole = sum(weights)
  const exact = weights.map((weight) => (free * weight) / whole)
  const counts = exact.map((value) => 1 + Math.floor(value))
  const order = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest)
  for (const { at } of order.slice(0, questions - sum(counts))) counts[at] = (counts[at] ?? 0) + 1
  return counts
}

/** The share as reports count it: of all answers. */
const pooled = (counted: readonly Fraction[]) =>
  sum(counted.map(({ n }) => n)) / sum(counted.map(({ d }) => d))

/** The mean of the shares of prompts, which unequal repetitions leave without bias. */
const byPrompt = (counted: readonly Fraction[]) => mean(counted.map(({ n, d }) => n / d))

const ask = (all: readonly Prompt[]): Fraction[] =>
  all.map(({ share, answers }) => ({ n: named(share, answers), d: answers }))

/** 1 where the test of changes finds one. No prompt changes here, so it should in 5 of 100. */
function isChange(before: readonly Fraction[], now: readonly Fraction[]): number {
  const none = { n: 0, d: 0 }
  const pairs = before.map((earlier, at) => ({ before: earlier, now: now[at] ?? none }))
  return isSignificant(pairedInterval(pairs)) ? 1 : 0
}

const points = (share: number) => (100 * share).toFixed(1)

say('| p | correlation | answers each | bias | false changes | even | error | even |')
say('|---|---|---|---|---|---|---|---|')
for (const p of [0.1, 0.3, 0.5]) {
  for (const correlation of [0.1, 0.3, 0.6]) {
    for (const answers of [4, 12]) {
      const found = { bias: 0, placed: 0, even: 0, errorPlaced: 0, errorEven: 0 }
      for (let round = 0; round < rounds; round++) {
        const shares = Array.from({ length: prompts }, () => shareOfPrompt(p, correlation))
        const truth = mean(shares)
        const evenly = shares.map((share) => ({ share, answers }))
        const before = ask(evenly)
        const weights = before.map(({ n, d }) => deviationOf(n, d))
        const counts = divided(prompts * answers, weights)
        const placed = shares.map((share, at) => ({ share, answers: counts[at] ?? 1 }))
        const [now, same] = [ask(placed), ask(evenly)]
        found.bias += (pooled(now) - truth) / rounds
        found.placed += isChange(before, now) / rounds
        found.even += isChange(before, same) / rounds
        found.errorPlaced += (byPrompt(now) - truth) ** 2 / rounds
        found.errorEven += (pooled(same) - truth) ** 2 / rounds
      }
      const errors = [found.errorPlaced, found.errorEven].map(Math.sqrt)
      const shown = [found.bias, found.placed, found.even, ...errors].map(points)
      say(`| ${[p, correlation, answers, ...shown].join(' | ')} |`)
    }
  }
}
