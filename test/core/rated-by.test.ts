import { expect, test } from 'vitest'
import { ratedBy } from '../../core/text/rated-by.ts'

test.each([
  ['lexicon', '5', 'by rules (version 5)'],
  ['lexicon', null, 'by rules'],
  ['judge', 'gpt-5-mini@1f0c2d3e', 'by gpt-5-mini@1f0c2d3e'],
  ['imported', null, 'as imported'],
  ['mixed', '5', 'as imported and by rules (version 5)'],
] as const)('answers of %s, version %s, are rated %s', (method, methodVersion, words) => {
  expect(ratedBy({ method, methodVersion })).toBe(words)
})
