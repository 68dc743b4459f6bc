import { describe, expect, test } from 'vitest'
import { cadenceOf, gapsOf, type Method } from '../../core/method/method.ts'

/** Answers that miss nothing: 30 prompts with 120 answers of two platforms, one week apart. */
const whole: Omit<Method, 'missing'> = {
  prompts: 30,
  sample: { answers: 120, answersPerPrompt: 2, repetitions: 1, locations: 0, countries: [] },
  types: {
    branded: 3,
    unbranded: 27,
    unclassified: 0,
    withoutIntent: 14,
    intents: [{ intent: 'commercial', prompts: 16 }],
  },
  cadence: cadenceOf(['2025-05-01', '2025-05-08', '2025-05-15', '2025-05-22']),
  reproducibility: { rawAnswers: 120, answersWithoutModel: 0, nameRules: [3], toneRules: [4] },
  platforms: [
    { platform: 'chatgpt', models: ['gpt-5-mini'], answers: 60 },
    { platform: 'claude', models: ['claude-sonnet-4-5'], answers: 60 },
  ],
}
const questions = { asked: 100, failed: 10 }

const kinds = (method: Partial<typeof whole>, more: object = {}) =>
  gapsOf({ method: { ...whole, ...method }, questions, isOfPlatforms: false, ...more }).map(
    ({ kind }) => kind,
  )

describe('decision grade', () => {
  test('misses nothing at its limits', () => {
    expect(kinds({})).toEqual([])
  })

  test.each([
    ['few_prompts', { prompts: 29 }],
    ['few_answers', { sample: { ...whole.sample, answers: 99 } }],
    ['one_answer', { sample: { ...whole.sample, answersPerPrompt: 1 } }],
    ['no_unbranded', { types: { ...whole.types, branded: 30, unbranded: 0 } }],
    ['no_intents', { types: { ...whole.types, withoutIntent: 16 } }],
    ['few_days', { cadence: cadenceOf(['2025-05-01', '2025-05-08', '2025-05-15']) }],
    ['long_gaps', { cadence: { ...whole.cadence, typicalGapDays: 8 } }],
    ['no_raw_answers', { reproducibility: { ...whole.reproducibility, rawAnswers: 98 } }],
    ['no_models', { reproducibility: { ...whole.reproducibility, answersWithoutModel: 1 } }],
    ['mixed_rules', { reproducibility: { ...whole.reproducibility, toneRules: [3, 4] } }],
    [
      'mixed_ways',
      {
        ways: [
          { obtained: 'surface', answers: 70 },
          { obtained: 'api', answers: 50 },
        ] as const,
      },
    ],
    ['one_platform', { platforms: whole.platforms.slice(0, 1) }],
  ])('misses %s', (kind, method) => {
    expect(kinds(method)).toEqual([kind])
  })

  test('misses answers where more than a tenth of the questions failed', () => {
    expect(kinds({}, { questions: { asked: 100, failed: 11 } })).toEqual(['many_failures'])
    expect(kinds({}, { questions: { asked: 0, failed: 0 } })).toEqual([])
  })

  test('needs one platform where the report is about platforms', () => {
    const one = { platforms: whole.platforms.slice(0, 1) }
    expect(kinds(one, { isOfPlatforms: true })).toEqual([])
  })
})

describe('a cadence', () => {
  test('has the median and the longest of the gaps', () => {
    expect(cadenceOf(['2025-02-27', '2025-02-28', '2025-03-02', '2025-03-12'])).toEqual({
      days: 4,
      firstDay: '2025-02-27',
      lastDay: '2025-03-12',
      typicalGapDays: 2,
      longestGapDays: 10,
    })
  })

  test('of one day has no gap', () => {
    const gaps = { typicalGapDays: null, longestGapDays: null }
    expect(cadenceOf(['2025-02-27'])).toMatchObject({ days: 1, ...gaps })
    expect(cadenceOf([])).toEqual({ days: 0, firstDay: null, lastDay: null, ...gaps })
  })
})
