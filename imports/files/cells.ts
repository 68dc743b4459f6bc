import { fieldFlaw } from './flaw.ts'

const earliest = '2000-01-01'
const dayMs = 24 * 60 * 60 * 1000
const mostCount = 0xffffffff

/**
 * A day, as `YYYY-MM-DD`, from `YYYY-MM-DD` or `YYYYMMDD`. Tomorrow is valid: in the east a day begins before UTC.
 * @throws {Flaw}
 */
export function readDay(field: string, value: unknown): string {
  const text = String(value ?? '').trim()
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? []
  const day = `${year}-${month}-${date}`
  const atMs = Date.parse(`${day}T00:00:00Z`)
  // JavaScript reads 30 February as a day of March.
  if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(day)) {
    throw fieldFlaw(field, 'must be a day, such as 20250524 or 2025-05-24', text)
  }
  if (day < earliest) throw fieldFlaw(field, 'must not be before the year 2000', text)
  if (atMs > Date.now() + dayMs) throw fieldFlaw(field, 'must not be in the future', text)
  return day
}

/** A whole number from 0 to 4,294,967,295. @throws {Flaw} */
export function readCount(field: string, value: unknown): number {
  const number = readNumber(field, value)
  if (Number.isInteger(number) && number <= mostCount) return number
  throw fieldFlaw(field, 'must be a whole number from 0', number)
}

/** A number from 0, or its text. @throws {Flaw} */
export function readNumber(field: string, value: unknown): number {
  if (value === undefined || value === null || value === '') throw fieldFlaw(field, 'is required')
  const isText = typeof value === 'string' && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim())
  const number = typeof value === 'number' || isText ? Number(value) : Number.NaN
  if (Number.isFinite(number) && number >= 0) return number
  throw fieldFlaw(
    field,
    'must be a number from 0',
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  )
}

/** A text, trimmed; empty when it is absent. @throws {Flaw} */
export function readText(field: string, value: unknown, maxLength = 2000): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw fieldFlaw(field, 'must be a text')
  const text = value.trim().toWellFormed()
  if (text.length > maxLength) throw fieldFlaw(field, `must have at most ${maxLength} characters`)
  return text
}
