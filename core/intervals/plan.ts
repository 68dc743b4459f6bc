import { studentT } from './student-t.ts'

/**
 * How small a change of a proportion a plan of questions detects, by the test of `pairedInterval`. It compares the same
 * prompts in two windows of equal length. What single prompts differ in cancels, so two spreads count: of the answers to one prompt, and
 * of the changes of single prompts.
 */

/** Variances of an answer that counts 0 or 1. */
export interface Spreads {
  /** Of the answers to one prompt on one platform. */
  readonly within: number
  /** Of the shares of single prompts. */
  readonly between: number
  /** Of the true changes of single prompts between two windows. */
  readonly drift: number
}

export interface PlannedSample {
  readonly prompts: number
  /** Answers to a prompt in one window, on all platforms. */
  readonly answersPerPrompt: number
}

/** The test detects a change of the detectable size so often. */
const planPower = 0.8

/** Below these numbers `pairedInterval` says nothing. */
const fewestPrompts = 5
const fewestAnswers = 30

const mostPrompts = 10_000
const mostAnswers = 100_000

/** Σ of the two quantiles that a change must exceed: of the test, and of its power. */
const quantiles = (prompts: number) =>
  studentT(0.95, prompts - 1) + studentT(2 * planPower - 1, prompts - 1)

const isTested = ({ prompts, answersPerPrompt }: PlannedSample) =>
  prompts >= fewestPrompts && prompts * answersPerPrompt >= fewestAnswers

/**
 * The smallest change that is found significant in 80 of 100 cases, as a fraction.
 * @returns null where the sample is too small for the test
 * @see Cohen, J. (1988), Statistical Power Analysis, 2.4
 */
export function detectableChange(sample: PlannedSample, { within, drift }: Spreads): number | null {
  if (!isTested(sample)) return null
  const { prompts, answersPerPrompt } = sample
  return quantiles(prompts) * Math.sqrt((drift + (2 * within) / answersPerPrompt) / prompts)
}

/** Half of the 95 % interval of the share in one window, for questions like these; null below two prompts. */
export function halfWidth(
  { prompts, answersPerPrompt }: PlannedSample,
  { within, between }: Spreads,
): number | null {
  if (prompts < 2) return null
  return studentT(0.95, prompts - 1) * Math.sqrt((between + within / answersPerPrompt) / prompts)
}

/** The least whole number for which the test holds; null where none up to `most` does. It holds for all above. */
function leastOf(most: number, holds: (value: number) => boolean): number | null {
  if (!holds(most)) return null
  let [low, high] = [1, most]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

const detects = (sample: PlannedSample, spreads: Spreads, change: number) =>
  (detectableChange(sample, spreads) ?? Infinity) <= change

/** Prompts that detect a change with as many answers each; null where 10,000 do not. */
export const promptsFor = (change: number, answersPerPrompt: number, spreads: Spreads) =>
  leastOf(mostPrompts, (prompts) => detects({ prompts, answersPerPrompt }, spreads, change))

/** Answers to each of these prompts that detect a change; null where no number does: single prompts change too much. */
export const answersFor = (change: number, prompts: number, spreads: Spreads) =>
  leastOf(mostAnswers, (answersPerPrompt) =>
    detects({ prompts, answersPerPrompt }, spreads, change),
  )
