import { expect, test } from 'vitest'
import { sentimentsOf } from '../../core/text/answer-sentiment.ts'
import { toneOf } from '../../core/text/sentiment.ts'
import {
  accuracyOf,
  judged,
  labelled,
  macroF1Of,
  type Rater,
  realAnswers,
} from '../kit/tone/measure.ts'

/**
 * Tones of 393 pairs of a real answer and a brand, against the labels of one reader. The halves share no prompt.
 * `docs/accuracy.md` says how the pairs were drawn.
 */
const lexicon: Rater = (text, mentions) =>
  sentimentsOf(text, mentions).map((score) => (score === null ? null : toneOf(score)))

test.skipIf(realAnswers.isAbsent)('tones agree with a reader at least as often as measured', () => {
  const pairs = judged(labelled('tune'), lexicon)
  expect(pairs).toHaveLength(200)
  expect(accuracyOf(pairs)).toBeGreaterThan(0.7)
  expect(macroF1Of(pairs)).toBeGreaterThan(0.3)
})
