import { expect, test } from 'vitest'
import { namedAnswers, realAnswers, scoresOf } from './named-answers.ts'

/**
 * Who is named in the 264 answers of the first run, against labels. A distinctive name in its own spelling counts
 * as named. One reader read every other place with the letters of a brand.
 */
test.skipIf(realAnswers.isAbsent)(
  'names in 264 real answers agree with the labels in F1 over 0.99',
  () => {
    const answers = namedAnswers()
    for (const half of [0, 1]) {
      expect(scoresOf(answers.filter((_, at) => at % 2 === half)).f1).toBeGreaterThan(0.99)
    }
  },
)
