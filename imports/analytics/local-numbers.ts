import { fieldFlaw } from '../files/flaw.ts'

/** Numbers as a page of Google writes them in the language of its reader. */

const zero = /\p{Nd}/gu

/** Digits of other scripts as 0 to 9. Each script has its ten in a row, from one whose code ends with 0 or 6. */
function westernDigits(text: string): string {
  return text.replace(zero, (digit) => {
    if (digit >= '0' && digit <= '9') return digit
    let code = digit.codePointAt(0) ?? 0
    let value = 0
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
      code--
      value++
    }
    return String(value)
  })
}

const plain = (text: string) => westernDigits(text).replace(/[\s'’\u200e\u200f\u061c]/gu, '')
const grouped = /^\d{1,3}(?:[.,٬]\d{3})+$/

/**
 * A whole number, with or without separators of thousands. "~" and "-" stand for none.
 * @throws {Flaw}
 */
export function readLocalCount(field: string, cell: string): number {
  const text = plain(cell)
  if (text === '~' || text === '-' || text === '–') return 0
  const digits = grouped.test(text) ? text.replace(/[.,٬]/g, '') : text.replace(/[.,٫]0+$/, '')
  if (/^\d{1,10}$/.test(digits) && Number(digits) <= 0xffffffff) return Number(digits)
  throw fieldFlaw(field, text === '' ? 'is required' : 'must be a whole number from 0', cell)
}

/**
 * A number with a decimal point or comma; with both, the last one is the decimal one.
 * @throws {Flaw}
 */
export function readLocalNumber(field: string, cell: string): number {
  const text = plain(cell).replaceAll('٫', ',')
  if (text === '~' || text === '-' || text === '–') return 0
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const whole = at < 0 ? text : text.slice(0, at).replace(/[.,]/g, '')
  const number = at < 0 ? text : `${whole}.${text.slice(at + 1)}`
  if (/^\d+(?:\.\d+)?$/.test(number)) return Number(number)
  throw fieldFlaw(field, text === '' ? 'is required' : 'must be a number from 0', cell)
}

/** A percentage such as `7.5%`, `7,5 %` or `%7,5`. */
export const isPercent = (cell: string) =>
  /^%?\d+(?:[.,]\d+)?%?$/.test(plain(cell).replaceAll('٪', '%').replaceAll('٫', '.')) &&
  /[%٪]/.test(cell)
