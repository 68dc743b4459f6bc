import { expect, test } from 'vitest'
import { accuracyOf, judged, labelled, lexicon, macroF1Of, realAnswers } from './labelled-tones.ts'
import { written } from './written-answers.ts'

/**
 * Tones of 393 pairs of a real answer and a brand, against the labels of one reader. The halves share no prompt.
 * `docs/accuracy.md` says how the pairs were drawn.
 */
test.skipIf(realAnswers.isAbsent)('tones agree with a reader at least as often as measured', () => {
  const tune = judged(labelled('tune'), lexicon)
  const kept = judged(labelled('kept'), lexicon)
  expect([tune.length, kept.length]).toEqual([200, 193])
  expect(accuracyOf(tune)).toBeGreaterThan(0.87)
  expect(accuracyOf(kept)).toBeGreaterThan(0.8)
  expect(macroF1Of(tune)).toBeGreaterThan(0.65)
  expect(macroF1Of(kept)).toBeGreaterThan(0.65)
})

/** Invented answers, of which the second half shaped no rule. */
test.each([
  ['en', 0.8],
  ['de', 0.68],
  ['fr', 0.63],
  ['es', 0.75],
  ['it', 0.7],
  ['pt', 0.72],
  ['nl', 0.7],
] as const)('tones of written answers in %s agree with a reader', (language, least) => {
  const [tune, kept] = [written(language, 'tune'), written(language, 'kept')]
  expect(tune.length + kept.length).toBeGreaterThanOrEqual(90)
  expect(accuracyOf(judged(tune, lexicon))).toBeGreaterThan(0.8)
  expect(accuracyOf(judged(kept, lexicon))).toBeGreaterThan(least)
})
