import type { Line } from './lines.ts'

/** What cannot be loaded, and why; the reason begins with the field. */
export class Flaw extends Error {}

const earliest = '2000-01-01'
const dayMs = 24 * 60 * 60 * 1000
const mostCount = 0xffffffff

/**
 * A day of a report, as `YYYY-MM-DD`, of that text or of `YYYYMMDD`. It may be tomorrow, which begins earlier in the
 * east than in UTC.
 * @throws {Flaw}
 */
export function readDay(field: string, value: unknown): string {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(String(value ?? '').trim()) ?? []
  const day = `${year}-${month}-${date}`
  const atMs = Date.parse(`${day}T00:00:00Z`)
  // JavaScript takes 30 February for a day of March.
  if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(day)) {
    throw new Flaw(`${field}: must be a day, such as 20250524 or 2025-05-24`)
  }
  if (day < earliest) throw new Flaw(`${field}: must not be before the year 2000`)
  if (atMs > Date.now() + dayMs) throw new Flaw(`${field}: must not be in the future`)
  return day
}

/** @throws {Flaw} where the value is no whole number from 0, or none that the store can hold */
export function readCount(field: string, value: unknown): number {
  const number = readNumber(field, value)
  if (Number.isInteger(number) && number <= mostCount) return number
  throw new Flaw(`${field}: must be a whole number`)
}

/** A number from 0, also as a text. @throws {Flaw} */
export function readNumber(field: string, value: unknown): number {
  if (value === undefined || value === null || value === '') throw new Flaw(`${field}: is missing`)
  const isText = typeof value === 'string' && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim())
  const number = typeof value === 'number' || isText ? Number(value) : Number.NaN
  if (Number.isFinite(number) && number >= 0) return number
  throw new Flaw(`${field}: must be a number from 0, not ${JSON.stringify(value)?.slice(0, 60)}`)
}

/** A text of a row, trimmed; empty where it is absent. @throws {Flaw} */
export function readText(field: string, value: unknown, maxLength = 2000): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new Flaw(`${field}: must be a text`)
  const text = value.trim().toWellFormed()
  if (text.length > maxLength) throw new Flaw(`${field}: is longer than ${maxLength} characters`)
  return text
}

/** What `read` makes of a row, or the flaw that it found. */
export function rowOrReason<Row>(number: number, read: () => Row) {
  try {
    return { number, row: read() }
  } catch (error) {
    if (error instanceof Flaw) return { number, reason: error.message }
    throw error
  }
}

/** The JSON that a row or line is. @throws {Flaw} */
export function parseJson(what: 'row' | 'line', text: Line): unknown {
  if (typeof text !== 'string') throw new Flaw(`the ${what} ${text.unreadable}`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Flaw(`the ${what} is not valid JSON: ${(error as Error).message.toWellFormed()}`)
  }
}
