import { describe, expect, test } from 'vitest'
import { agreementsOf, type PairedAnswer } from '../../core/method/agreement.ts'

const answer = (more: Partial<PairedAnswer>): PairedAnswer => ({
  promptId: 'anvils',
  day: '2025-05-01',
  locationId: 'none',
  platform: 'chatgpt',
  obtained: 'api',
  isOwnMentioned: true,
  firstBrand: 'acme',
  domains: [],
  ...more,
})
const surface = { obtained: 'surface' } as const
const silent = { isOwnMentioned: false, firstBrand: '' } as const

/** Anvils: the page says what the API says. Bolts: they differ. Nuts: neither mentions a brand. */
const answers = [
  answer({ domains: ['a.example', 'b.example'] }),
  answer({ ...surface, domains: ['b.example', 'c.example'] }),
  answer({ promptId: 'bolts', firstBrand: 'rival', isOwnMentioned: false }),
  answer({ ...surface, promptId: 'bolts', domains: ['a.example'] }),
  answer({ ...silent, promptId: 'nuts' }),
  answer({ ...surface, ...silent, promptId: 'nuts' }),
]

describe('the agreement of two ways', () => {
  test('counts mentions, first places and cited domains of the same question', () => {
    const [found, ...others] = agreementsOf(answers)
    expect(others).toEqual([])
    expect(found).toMatchObject({
      platform: 'chatgpt',
      ways: ['surface', 'api'],
      prompts: 3,
      questions: 3,
      visibility: [2 / 3, 1 / 3],
      // Anvils and nuts of three.
      mentions: { questions: 3, rate: 2 / 3 },
      // Nobody mentions a brand for nuts.
      firsts: { questions: 2, rate: 1 / 2 },
      // One of three domains, and none of one; nobody cites for nuts.
      domains: { questions: 2, rate: 1 / 6 },
      difference: null,
    })
    const { low, high } = found?.mentions.interval ?? { low: 1, high: 0 }
    expect(low).toBeLessThan(2 / 3)
    expect(high).toBeGreaterThan(2 / 3)
  })

  test('pairs only the same prompt, day, location and platform', () => {
    const api = answer({})
    const page = answer(surface)
    const apart: Partial<PairedAnswer>[] = [
      { promptId: 'bolts' },
      { day: '2025-05-02' },
      { locationId: 'berlin' },
      { platform: 'gemini' },
    ]
    for (const other of apart) expect(agreementsOf([api, { ...page, ...other }])).toEqual([])
    expect(agreementsOf([api, page])).toHaveLength(1)
  })

  test('weighs each question once, however often it was asked, and compares a way with itself', () => {
    const [between, alike] = agreementsOf([
      answer({}),
      answer({ isOwnMentioned: false }),
      answer(surface),
      answer({ promptId: 'bolts' }),
      answer({ ...surface, promptId: 'bolts' }),
    ])
    // Half of the pairs about anvils, and all about bolts.
    expect(between).toMatchObject({ ways: ['surface', 'api'], mentions: { rate: 3 / 4 } })
    expect(alike).toMatchObject({ ways: ['api', 'api'], questions: 1, mentions: { rate: 0 } })
  })

  test('has an interval of the difference from 5 prompts and 30 questions', () => {
    const many = Array.from({ length: 6 }, (_, prompt) =>
      Array.from({ length: 5 }, (_, day) => {
        const of = { promptId: `p${prompt}`, day: `2025-05-0${day + 1}` }
        return [answer({ ...of, isOwnMentioned: prompt < 3 }), answer({ ...of, ...surface })]
      }),
    ).flat(2)
    const [found] = agreementsOf(many)
    expect(found).toMatchObject({ questions: 30, visibility: [1, 0.5], mentions: { rate: 0.5 } })
    const { low, high } = found?.difference ?? { low: 0, high: 0 }
    expect(low).toBeLessThan(-0.5)
    expect(high).toBeGreaterThan(-0.5)
    expect((low + high) / 2).toBeCloseTo(-0.5)
    expect(agreementsOf(many.slice(0, -2))[0]?.difference).toBeNull()
  })
})
