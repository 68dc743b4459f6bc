import { describe, expect, test } from 'vitest'
import {
  effectLevelOf,
  effectOfSearches,
  effectOnShare,
  effectText,
  effortOf,
} from '../../core/opportunities/effect.ts'
import { groupSearches, isNear, promptOf, subjectWords } from '../../core/opportunities/searches.ts'

describe('searches that ask for the same', () => {
  test('have the same words, or one adds no more than the other has', () => {
    const near = (a: string, b: string) => isNear(subjectWords(a), subjectWords(b))
    expect(near('best headsets for calls 2026', 'Headset for calls reddit')).toBe(true)
    // Two words, and four with these.
    expect(near('headphones for kids', 'headphones for kids volume limit test')).toBe(true)
    expect(near('headphones for kids', 'headphones for kids volume limit of planes')).toBe(false)
    // One word is too general.
    expect(near('headphones', 'travel headphones')).toBe(false)
    expect(near('Halo 3 review', 'Halo 2 review')).toBe(false)
    expect(near('best 2026', 'best 2025')).toBe(false)
  })

  test('are one group, by the words of the most frequent', () => {
    const groups = groupSearches([
      { text: 'soundbars', times: 3 },
      { text: 'best soundbars 2026', times: 5 },
      { text: 'studio headphones neutral tuning test', times: 4 },
      { text: 'studio headphones reddit', times: 9 },
      { text: 'what is best', times: 20 },
    ])
    expect(groups.map(({ searches }) => searches.map(({ times }) => times))).toEqual([
      [9, 4],
      [5, 3],
    ])
  })

  test('are prompts without the year and the sites that they name', () => {
    expect(promptOf('best  soundbars 2026 reddit')).toBe('best soundbars')
    expect(promptOf('2026')).toBe('2026')
  })
})

describe('an effect', () => {
  test('is a share of all answers in points, or a count', () => {
    // 16 of 1,124 answers are 1.4235 %.
    const effect = effectOnShare('visibility', 16, 1124, 'Why.')
    expect(effect).toEqual({ metric: 'visibility', value: 1.42, answers: 16, reason: 'Why.' })
    expect(effectText(effect)).toBe('up to +1.4 points of visibility')
    expect(effectText({ metric: 'negative', value: 0.04 })).toBe(
      'under −0.1 points of negative answers',
    )
    expect(effectOfSearches(1300, '')).toMatchObject({ answers: 0, value: 1300 })
    expect(effectText({ metric: 'coverage', value: 1 })).toBe('1 answer a month to win')
  })

  test('is high from 2 percent of the answers of a month, and medium from half a percent', () => {
    expect([2, 1.99, 0.5, 0.49].map(effectLevelOf)).toEqual(['high', 'medium', 'medium', 'low'])
  })

  test('takes less effort the easier its action is', () => {
    expect(['track_prompt', 'investigate', 'create_page'].map((a) => effortOf(a as never))).toEqual(
      ['low', 'medium', 'high'],
    )
  })
})
