import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkParam } from '../../core/params.ts'
import { faultOf } from '../kit/faults.ts'

/** What the fault says of the field, undefined when the value passes. */
function complaint(name: string, value: unknown, rule: Parameters<typeof checkParam>[2]) {
  const fault = faultOf(() => checkParam(name, value, rule))
  if (fault === undefined) return undefined
  expect(fault.code).toBe('invalid_argument')
  return fault.extras.details?.fieldErrors[name]
}

describe('a number', () => {
  const limit = { min: 1, max: 1000, clamp: true, default: 20 } as const
  const weeks = { min: 1, max: 52, default: 12 } as const

  test('within its bounds passes, both ends included', () => {
    for (const value of [1, 2, 999, 1000]) expect(checkParam('limit', value, limit)).toBe(value)
  })

  test('below the least is refused, and the fault names field and bound', () => {
    expect(complaint('limit', 0, limit)).toEqual(['must be a whole number from 1; got `0`'])
    expect(complaint('offset', -1, { min: 0 })).toEqual(['must be a whole number from 0; got `-1`'])
  })

  test('above the most becomes the most where the rule clamps, else is refused', () => {
    expect(checkParam('limit', 1001, limit)).toBe(1000)
    expect(checkParam('limit', Number.MAX_SAFE_INTEGER, limit)).toBe(1000)
    expect(checkParam('weeks', 52, weeks)).toBe(52)
    expect(complaint('weeks', 53, weeks)).toEqual(['must be a whole number from 1 to 52; got `53`'])
  })

  test('of 0 is a value and not an absence', () => {
    expect(checkParam('offset', 0, { min: 0, default: 7 })).toBe(0)
  })

  test('that is clamped always ends within the bounds or is refused', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const refused = complaint('limit', value, limit)
        if (value < 1) expect(refused).toEqual([`must be a whole number from 1; got \`${value}\``])
        else expect(checkParam('limit', value, limit)).toBe(Math.min(value, 1000))
      }),
    )
  })
})

describe('an absent value', () => {
  test('becomes the default, when it is undefined or null', () => {
    expect(checkParam('limit', undefined, { default: 20 })).toBe(20)
    expect(checkParam('limit', null, { default: 20 })).toBe(20)
    expect(checkParam('sort', undefined, { default: '-citations' })).toBe('-citations')
  })

  test('without a default stays absent, whatever else the rule says', () => {
    expect(checkParam('days', undefined, { min: 1 })).toBeUndefined()
    expect(checkParam('days', null, { min: 1 })).toBeNull()
    expect(checkParam('sort', undefined, { values: ['a'] })).toBeUndefined()
  })
})

describe('a text', () => {
  const sort = { values: ['citations', '-citations'], default: '-citations' } as const

  test('of the closed list passes, any other is refused with the list', () => {
    expect(checkParam('sort', 'citations', sort)).toBe('citations')
    const rule = 'must be one of citations, -citations'
    expect(complaint('sort', 'Citations', sort)).toEqual([`${rule}; got \`Citations\``])
    expect(complaint('sort', '', sort)).toEqual([`${rule}; got an empty text`])
  })

  test('without a closed list is free', () => {
    expect(checkParam('search', '100%', {})).toBe('100%')
    expect(checkParam('search', '', { default: 'x' })).toBe('')
  })
})

describe('a list', () => {
  const types = { values: ['brand', 'forum'], list: true } as const

  test('passes when every member does, in its order', () => {
    expect(checkParam('sourceType', ['forum', 'brand'], types)).toEqual(['forum', 'brand'])
    expect(checkParam('sourceType', [], types)).toEqual([])
  })

  test('with one wrong member is refused', () => {
    expect(complaint('sourceType', ['brand', 'blog'], types)).toEqual([
      'must be one of brand, forum; got `blog`',
    ])
  })
})

test('true and false pass as they are', () => {
  expect(checkParam('branded', true, {})).toBe(true)
  expect(checkParam('branded', false, { default: 1 })).toBe(false)
})
