import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fingerprint, makeCursor, openCursor, pagination } from '../../core/pagination.ts'
import { signToken } from '../../core/tokens.ts'
import { faultOf } from '../kit/faults.ts'

describe('the pagination block', () => {
  test('of a page in the middle points at the next row', () => {
    expect(pagination({ limit: 2, offset: 2 }, 2, 5)).toEqual({
      limit: 2,
      offset: 2,
      returnedCount: 2,
      totalCount: 5,
      hasMore: true,
      nextOffset: 4,
    })
  })

  test('of the last page has nextOffset = offset + returnedCount', () => {
    const block = pagination({ limit: 2, offset: 4 }, 1, 5)
    expect(block).toMatchObject({ hasMore: false, returnedCount: 1, nextOffset: 5 })
  })

  test('of a last page that is full knows that nothing follows', () => {
    expect(pagination({ limit: 5, offset: 0 }, 5, 5)).toMatchObject({
      hasMore: false,
      nextOffset: 5,
    })
  })

  test('of an empty list and of a page behind the end', () => {
    expect(pagination({ limit: 50, offset: 0 }, 0, 0)).toMatchObject({
      hasMore: false,
      nextOffset: 0,
      totalCount: 0,
    })
    expect(pagination({ limit: 50, offset: 9 }, 0, 5)).toMatchObject({
      hasMore: false,
      nextOffset: 9,
    })
  })

  test('followed until hasMore is false visits every row once, in order', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 12 }), (total, limit) => {
        const rows = Array.from({ length: total }, (_, i) => i)
        const seen: number[] = []
        let offset = 0
        let pages = 0
        for (let hasMore = true; hasMore; ) {
          const page = rows.slice(offset, offset + limit)
          seen.push(...page)
          expect(++pages).toBeLessThanOrEqual(total + 1)
          const block = pagination({ limit, offset }, page.length, total)
          hasMore = block.hasMore
          offset = block.nextOffset
        }
        expect(seen).toEqual(rows)
      }),
    )
  })
})

describe('what a list was filtered by', () => {
  test('is the same in any order of filters, and with absent ones left out', () => {
    const some = fingerprint('sources', { platform: ['chatgpt'], branded: true })
    expect(
      fingerprint('sources', { branded: true, country: undefined, platform: ['chatgpt'] }),
    ).toBe(some)
    expect(fingerprint('sources', { branded: true, topicId: null, platform: ['chatgpt'] })).toBe(
      some,
    )
  })

  test('differs by endpoint, by value, by name, and by the order within a list', () => {
    const lists = [
      fingerprint('sources', { a: 'x' }),
      fingerprint('urls', { a: 'x' }),
      fingerprint('sources', { a: 'y' }),
      fingerprint('sources', { b: 'x' }),
      fingerprint('sources', { a: ['x'] }),
      fingerprint('sources', { a: ['x', 'y'] }),
      fingerprint('sources', { a: ['y', 'x'] }),
      fingerprint('sources', { a: false }),
      fingerprint('sources', {}),
    ]
    expect(new Set(lists).size).toBe(lists.length)
  })
})

describe('a cursor', () => {
  const secret = 'a secret'
  const list = fingerprint('sources', { platform: ['chatgpt'] })
  const cursor = makeCursor(secret, list, { rank: 20, name: 'sony.com' })
  const refusal = (text: string, of = list, by = secret) => faultOf(() => openCursor(by, of, text))

  test('gives back its position, whatever that is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (position) => {
        const back = openCursor(secret, list, makeCursor(secret, list, position))
        expect(back).toEqual(JSON.parse(JSON.stringify(position)))
      }),
    )
  })

  test('is a text that needs no escaping in a URL', () => {
    expect(encodeURIComponent(cursor)).toBe(cursor)
  })

  test('of another list or with other filters is refused, and says so', () => {
    const other = fingerprint('sources', { platform: ['gemini'] })
    expect(refusal(cursor, other)).toMatchObject({
      code: 'invalid_argument',
      extras: { details: { fieldErrors: { cursor: [expect.stringMatching(/other filters/)] } } },
    })
  })

  test('signed with another secret is refused', () => {
    expect(refusal(cursor, list, 'another secret')?.code).toBe('invalid_argument')
  })

  test('with any one character changed is refused', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n'
    fc.assert(
      fc.property(
        fc.nat({ max: cursor.length - 1 }),
        fc.constantFrom(...alphabet),
        (index, letter) => {
          fc.pre(cursor.charAt(index) !== letter)
          const tampered = cursor.slice(0, index) + letter + cursor.slice(index + 1)
          expect(refusal(tampered)?.code).toBe('invalid_argument')
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('cut off anywhere, or with anything added, is refused', () => {
    for (let length = 0; length < cursor.length; length++) {
      expect(refusal(cursor.slice(0, length))?.code).toBe('invalid_argument')
    }
    for (const more of ['=', '==', '.', 'A', ' ', '\n']) {
      expect(refusal(cursor + more)?.code).toBe('invalid_argument')
      expect(refusal(more + cursor)?.code).toBe('invalid_argument')
    }
  })

  test('in other base64 spellings of the same bytes is refused', () => {
    const [body = '', signature = ''] = cursor.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const lastLetter = letters.indexOf(signature.slice(-1))
    const spellings = [1, 2, 3].map((bits) => signature.slice(0, -1) + letters[lastLetter ^ bits])
    spellings.push(
      bytes.toString('base64'),
      `${signature}=`,
      `${signature.slice(0, 9)} ${signature.slice(9)}`,
    )
    for (const spelling of spellings) {
      expect(Buffer.from(spelling, 'base64url')).toEqual(bytes)
      expect(refusal(`${body}.${spelling}`)?.code).toBe('invalid_argument')
    }
  })

  test('that we signed for another purpose, or without a position, is refused', () => {
    expect(refusal(signToken(secret, 'site', { l: list, p: 1 }))?.code).toBe('invalid_argument')
    for (const payload of [null, 1, 'text', [], {}, { l: list }, { p: 1 }]) {
      expect(refusal(signToken(secret, 'cursor', payload))?.code).toBe('invalid_argument')
    }
  })
})
