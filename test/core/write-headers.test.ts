import fc from 'fast-check'
import { serializeItem } from 'structured-headers'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check } from '../../core/check.ts'
import { fingerprintOf } from '../../core/fingerprint.ts'
import { refuseDepth } from '../../core/json.ts'
import { readIdempotencyKey, withIfMatch } from '../../core/write-headers.ts'
import { faultOf } from '../kit/faults.ts'

/** Which fields the fault names; undefined when there is none. */
function named(call: () => unknown): string[] | undefined {
  const fault = faultOf(call)
  return fault && Object.keys(fault.extras.details?.fieldErrors ?? {})
}

describe('an idempotency key', () => {
  test('is the same bare and quoted, whatever it holds', () => {
    const printable = fc.string({
      minLength: 1,
      maxLength: 255,
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    })
    fc.assert(
      fc.property(printable, (key) => {
        expect(readIdempotencyKey([serializeItem(key)])).toBe(key)
        if (!key.startsWith('"')) expect(readIdempotencyKey([key])).toBe(key)
      }),
    )
    expect(readIdempotencyKey([])).toBeUndefined()
  })

  test.each([
    ['empty', ['']],
    ['empty in quotes', ['""']],
    ['256 characters', ['x'.repeat(256)]],
    ['not ASCII', ['schlüssel']],
    ['a tab', ['a\tb']],
    ['a quote that does not end', ['"abc']],
    ['more after the quote', ['"abc"x']],
    ['two', ['a', 'a']],
  ])('that is %s is refused by its name', (_kind, texts) => {
    expect(named(() => readIdempotencyKey(texts))).toEqual(['Idempotency-Key'])
    expect(named(() => readIdempotencyKey(texts, 'idempotencyKey'))).toEqual(['idempotencyKey'])
  })
})

describe('If-Match', () => {
  test.each(['5', '"5"', 'W/"5"'])('%s is revision 5', (text) => {
    expect(withIfMatch({ text: 'x' }, [text])).toEqual({ text: 'x', expectedRevision: 5 })
    expect(withIfMatch({ expectedRevision: 5 }, [text])).toEqual({ expectedRevision: 5 })
    expect(named(() => withIfMatch({ expectedRevision: 6 }, [text]))).toEqual(['If-Match'])
  })

  test.each([
    [['*']],
    [['"5", "6"']],
    [['5, 6']],
    [['"5"', '"6"']],
    [['']],
    [['0']],
    [['-5']],
    [['05']],
    [['5.0']],
    [['w/"5"']],
    [['W/5']],
    [['"5']],
    [['"five"']],
    [['2147483648']],
    [['9'.repeat(400)]],
  ])('%j is refused by its name', (texts) => {
    expect(named(() => withIfMatch({}, texts))).toEqual(['If-Match'])
  })

  test('absent leaves the arguments as they are; of the wrong type they are for the body to refuse', () => {
    expect(withIfMatch({ expectedRevision: 7 }, [])).toEqual({ expectedRevision: 7 })
    expect(withIfMatch({ expectedRevision: '7' }, ['5'])).toEqual({ expectedRevision: '7' })
  })
})

describe('the fingerprint of a body', () => {
  test('does not depend on the order of keys, and does on everything else', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, shuffled(inner)]),
      )
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(fingerprintOf([shuffled(a)])).toBe(fingerprintOf([a]))
        const same = fingerprintOf([a]) === fingerprintOf([b])
        expect(same).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)))
      }),
    )
    expect(fingerprintOf(['a', ['b']])).not.toBe(fingerprintOf([['a'], 'b']))
    const own = fingerprintOf([JSON.parse('{"__proto__": {"a": 1}}')])
    expect(own).not.toBe(fingerprintOf([{}]))
    expect(fingerprintOf([{ text: '\ud800' }])).not.toBe(fingerprintOf([{ text: '\ud801' }]))
  })

  test('is not made of what is nested too deeply', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    expect(faultOf(() => refuseDepth(nested(32)))).toBeUndefined()
    expect(faultOf(() => refuseDepth(nested(100_000)))?.code).toBe('invalid_argument')
  })
})

/** JSON with its keys in order, the plain way. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  // Within a key: an empty object must differ from an empty list.
  return { entries: entries.map(([key, inner]) => [key, sorted(inner)]) }
}

describe('what is wrong with an input', () => {
  const schema = z.object({ a: z.string(), list: z.array(z.object({ n: z.int() })) })

  test('is told of every field at once, by its path', () => {
    const fault = faultOf(() => check(schema, { a: null, list: [{ n: 1 }, { n: 'x' }, {}] }))
    expect(fault?.extras.details).toEqual({
      formErrors: [],
      fieldErrors: {
        a: ['must be a text'],
        'list.1.n': ['must be a number; got `x`'],
        'list.2.n': ['is required'],
      },
    })
    expect(fault?.message).toBe('`a` must be a text.')
    expect(faultOf(() => check(schema, 5))?.extras.details?.formErrors).toHaveLength(1)
  })

  test('is cut where it is endless, and passes by what is not asked for', () => {
    const many = Array.from({ length: 1000 }, () => 0)
    const details = faultOf(() => check(schema, { a: '', list: many }))?.extras.details
    expect(Object.keys(details?.fieldErrors ?? {})).toHaveLength(50)
    expect(details?.formErrors).toEqual(['and 950 more'])
    const input = JSON.parse('{"a": "x", "list": [], "__proto__": {"b": 1}, "c": 2}')
    expect(check(schema, input)).toEqual({ a: 'x', list: [] })
  })
})
