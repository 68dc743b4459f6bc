import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  daysOf,
  lengthOf,
  previousWindow,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { faultOf } from '../kit/faults.ts'

const now = new Date('2025-05-10T12:34:56Z')
const resolve = (args: WindowArgs, rule = yearWindow) => resolveWindow(args, rule, now)
/** On the last day that a window may begin at. */
const resolveLate = (args: WindowArgs) =>
  resolveWindow(args, yearWindow, new Date('2147-12-31T00:00:00Z'))

/** The fields that the refusal names, undefined when the window is accepted. */
function refused(args: WindowArgs, rule = yearWindow): string[] | undefined {
  const fault = faultOf(() => resolve(args, rule))
  if (fault === undefined) return undefined
  expect(fault).toMatchObject({ code: 'invalid_argument', status: 400 })
  return Object.keys(fault.extras.details?.fieldErrors ?? {})
}

/** Calendar arithmetic by milliseconds of UTC, apart from the code under test. */
const dayMs = 86_400_000
const shift = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

describe('days and weeks', () => {
  test('N days are the N UTC calendar days that end today', () => {
    expect(resolve({ days: 1 })).toEqual({ from: '2025-05-10', to: '2025-05-10' })
    expect(resolve({ days: 7 })).toEqual({ from: '2025-05-04', to: '2025-05-10' })
    expect(resolve({ days: 365 })).toEqual({ from: '2024-05-11', to: '2025-05-10' })
  })

  test('N weeks are the 7N days that end today', () => {
    expect(resolve({ weeks: 1 })).toEqual(resolve({ days: 7 }))
    expect(resolve({ weeks: 12 })).toEqual({ from: '2025-02-16', to: '2025-05-10' })
  })

  test('nothing asked is the default of the endpoint', () => {
    expect(resolve({})).toEqual({ from: '2025-04-11', to: '2025-05-10' })
    expect(resolve({ days: null, weeks: null, from: null, to: null })).toEqual(resolve({}))
    expect(resolve({}, { defaultDays: 2, maxDays: 5 })).toEqual({
      from: '2025-05-09',
      to: '2025-05-10',
    })
  })

  test('too many are clamped to the most of the endpoint', () => {
    const week = { defaultDays: 2, maxDays: 7 }
    expect(resolve({ days: 366 })).toEqual(resolve({ days: 365 }))
    expect(resolve({ days: Number.MAX_SAFE_INTEGER })).toEqual(resolve({ days: 365 }))
    expect(resolve({ weeks: Number.MAX_SAFE_INTEGER })).toEqual(resolve({ days: 365 }))
    expect(resolve({ days: 8 }, week)).toEqual(resolve({ days: 7 }))
    expect(resolve({ weeks: 2 }, week)).toEqual(resolve({ days: 7 }))
  })

  test('today is the day in UTC, to its last millisecond', () => {
    const at = (time: string) => resolveWindow({ days: 1 }, yearWindow, new Date(time)).to
    expect(at('2025-05-10T00:00:00.000Z')).toBe('2025-05-10')
    expect(at('2025-05-10T23:59:59.999Z')).toBe('2025-05-10')
    expect(at('2025-05-10T23:30:00-05:00')).toBe('2025-05-11')
  })

  test('N days reach back across 29 February', () => {
    const march = new Date('2024-03-01T00:00:00Z')
    expect(resolveWindow({ days: 2 }, yearWindow, march).from).toBe('2024-02-29')
    const later = new Date('2025-03-01T00:00:00Z')
    expect(resolveWindow({ days: 2 }, yearWindow, later).from).toBe('2025-02-28')
  })
})

describe('from and to', () => {
  test('are both inclusive', () => {
    const one = resolve({ from: '2025-05-01', to: '2025-05-01' })
    expect(one).toEqual({ from: '2025-05-01', to: '2025-05-01' })
    expect(lengthOf(one)).toBe(1)
    expect(lengthOf(resolve({ from: '2025-05-01', to: '2025-05-31' }))).toBe(31)
  })

  test('may end after today, as a calendar month does, but not begin there', () => {
    const month = { from: '2025-05-01', to: '2025-05-31' }
    expect(resolve(month)).toEqual(month)
    const today = { from: '2025-05-10', to: '2025-05-11' }
    expect(resolve(today)).toEqual(today)
    // Somewhere it is 11 May already.
    const tomorrow = { from: '2025-05-11', to: '2025-05-12' }
    expect(resolve(tomorrow)).toEqual(tomorrow)
    expect(refused({ from: '2025-05-12', to: '2025-05-12' })).toEqual(['from'])
    const fault = faultOf(() => resolve({ from: '2026-01-01', to: '2026-01-02' }))
    expect(fault?.message).toBe(
      '`from` must not be after today, `2025-05-10` in UTC; got `2026-01-01`.',
    )
  })

  test('may span the most days of the endpoint and not one more', () => {
    expect(refused({ from: '2024-05-11', to: '2025-05-10' })).toBeUndefined()
    expect(refused({ from: '2024-05-10', to: '2025-05-10' })).toEqual(['from'])
    // A leap year has 366 days: as a whole it is too long.
    expect(refused({ from: '2024-01-01', to: '2024-12-31' })).toEqual(['from'])
    expect(refused({ from: '2025-01-01', to: '2025-12-31' })).toBeUndefined()
  })

  test('half a range is refused, and the fault names the missing half', () => {
    expect(refused({ from: '2025-05-01' })).toEqual(['to'])
    expect(refused({ to: '2025-05-01' })).toEqual(['from'])
  })

  test('both forms at once are refused, even when one of them is half', () => {
    expect(refused({ days: 7, from: '2025-05-01', to: '2025-05-02' })).toEqual(['days'])
    expect(refused({ weeks: 1, from: '2025-05-01', to: '2025-05-02' })).toEqual(['weeks'])
    expect(refused({ days: 7, from: '2025-05-01' })).toEqual(['days'])
    expect(refused({ days: 7, to: '2025-05-01' })).toEqual(['days'])
  })

  test('from after to is refused', () => {
    expect(refused({ from: '2025-05-02', to: '2025-05-01' })).toEqual(['from'])
    // The same moment, written so that its UTC day lies before.
    expect(refused({ from: '2025-05-02', to: '2025-05-02T00:30+01:00' })).toEqual(['from'])
  })

  test.each([
    '2025-02-30',
    '2025-02-29',
    '2100-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-02-30T12:00:00Z',
    '2025-02-30T12:00:00',
  ])('a date that no calendar has is refused: %s', (day) => {
    expect(refused({ from: day, to: day })).toEqual(['from'])
    expect(refused({ from: '2025-01-01', to: day })).toEqual(['to'])
  })

  test('29 February exists in leap years', () => {
    expect(resolve({ from: '2024-02-29', to: '2024-02-29' }).from).toBe('2024-02-29')
    expect(lengthOf({ from: '2024-02-28', to: '2024-03-01' })).toBe(3)
    expect(lengthOf({ from: '2025-02-28', to: '2025-03-01' })).toBe(2)
  })

  test.each([
    ['', 'empty'],
    ['yesterday', 'words'],
    ['2025-5-1', 'short fields'],
    ['20250510', 'the basic form'],
    ['10.05.2025', 'another order'],
    ['2025-W19', 'a week'],
    ['2025-05', 'a month'],
    ['1746835200', 'seconds'],
    [' 2025-05-10', 'a space before'],
    ['2025-05-10 ', 'a space behind'],
    ['2025-05-10T', 'a timestamp without a time'],
    ['2025-05-10T25:00:00Z', 'an impossible hour'],
    ['2025-05-10T12:60:00Z', 'an impossible minute'],
    ['2025-05-10T12:00:00+25:00', 'an impossible offset'],
    ['2025-05-10T12:00:00 02:00', 'a plus that was not escaped in the URL'],
    ['2025-05-10T00:30+09:00[Asia/Tokyo]', 'a zone'],
    ['2025-05-10T00:30[u-ca=hebrew]', 'another calendar'],
    ['-002025-05-10', 'an extended year'],
    ['٢٠٢٥-٠٥-١٠', 'other digits'],
  ])('%j is refused: %s', (text) => {
    expect(refused({ from: text, to: '2025-05-10' })).toEqual(['from'])
  })

  test.each([
    ['1979-12-31', '1979-12-31'],
    ['2148-01-01', '2148-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['0000-01-01', '0000-01-01'],
  ])('days that the warehouse cannot hold are refused, not failed: %s', (from, to) => {
    expect(refused({ from, to })).toEqual(['from'])
  })
})

describe('a timestamp', () => {
  test.each([
    ['without an offset it is UTC', '2025-05-10T23:59:59', '2025-05-10'],
    ['with Z', '2025-05-10T00:00:00Z', '2025-05-10'],
    ['with milliseconds', '2025-05-10T23:59:59.999Z', '2025-05-10'],
    ['without seconds', '2025-05-10T12:00Z', '2025-05-10'],
    ['in small letters', '2025-05-10t12:00:00z', '2025-05-10'],
    ['with a space in place of T', '2025-05-10 12:00:00', '2025-05-10'],
    ['an offset within the day', '2025-05-10T12:00:00+02:00', '2025-05-10'],
    ['an offset that crosses midnight back', '2025-05-10T01:30:00+02:00', '2025-05-09'],
    ['an offset that crosses midnight ahead', '2025-05-10T23:30:00-02:00', '2025-05-11'],
    ['an offset without a colon', '2025-05-10T23:30:00-0200', '2025-05-11'],
    ['an offset of hours alone', '2025-05-10T23:30:00-02', '2025-05-11'],
    ['an offset of half an hour', '2025-05-10T05:29:00+05:30', '2025-05-09'],
    ['exactly midnight', '2025-05-10T05:30:00+05:30', '2025-05-10'],
    ['across the end of a year', '2025-01-01T00:30:00+01:00', '2024-12-31'],
    ['across 29 February', '2024-03-01T00:30:00+01:00', '2024-02-29'],
    ['in a second that leaps', '2016-12-31T23:59:60Z', '2016-12-31'],
  ])('%s: %s → %s', (_name, text, day) => {
    expect(resolveLate({ from: text, to: text })).toEqual({ from: day, to: day })
  })

  test('is widened to the UTC day of its moment, whatever its offset', () => {
    const moments = fc.date({
      min: new Date('1980-01-02T00:00:00Z'),
      max: new Date('2147-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(moments, offsets, (moment, minutes) => {
        const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const size = Math.abs(minutes)
        const two = (value: number) => String(value).padStart(2, '0')
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
        const text = local + offset
        expect(resolveLate({ from: text, to: text }).from).toBe(moment.toISOString().slice(0, 10))
      }),
    )
  })
})

describe('the window before and the days of a window', () => {
  test('previousWindow is of equal length and ends the day before', () => {
    expect(previousWindow({ from: '2025-05-04', to: '2025-05-10' })).toEqual({
      from: '2025-04-27',
      to: '2025-05-03',
    })
    expect(previousWindow({ from: '2024-03-01', to: '2024-03-01' })).toEqual({
      from: '2024-02-29',
      to: '2024-02-29',
    })
  })

  test('daysOf lists every day once, in order, over 29 February and the end of a year', () => {
    expect(daysOf({ from: '2025-05-10', to: '2025-05-10' })).toEqual(['2025-05-10'])
    expect(daysOf({ from: '2024-02-28', to: '2024-03-01' })).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ])
    expect(daysOf({ from: '2024-12-31', to: '2025-01-01' })).toEqual(['2024-12-31', '2025-01-01'])
  })

  const anyDay = fc
    .integer({ min: Date.UTC(1980, 0, 1) / dayMs, max: Date.UTC(2146, 0, 1) / dayMs })
    .map((days) => new Date(days * dayMs).toISOString().slice(0, 10))
  const anyLength = fc.integer({ min: 1, max: 365 })

  test('any range keeps its ends, its length, its days and its neighbour', () => {
    fc.assert(
      fc.property(anyDay, anyLength, (from, length) => {
        const range = { from, to: shift(from, length - 1) }
        expect(resolveLate(range)).toEqual(range)
        expect(lengthOf(range)).toBe(length)
        expect(previousWindow(range)).toEqual({ from: shift(from, -length), to: shift(from, -1) })
        expect(daysOf(range)).toEqual(Array.from({ length }, (_, i) => shift(from, i)))
      }),
    )
  })

  test('any number of days, on any day, ends today and counts today', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 1000 }), (today, days) => {
        const range = resolveWindow({ days }, yearWindow, new Date(`${today}T23:59:59Z`))
        expect(range).toEqual({ from: shift(today, 1 - Math.min(days, 365)), to: today })
      }),
    )
  })
})
