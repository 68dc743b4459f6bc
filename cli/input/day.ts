import { invalid } from '../../core/errors.ts'

/**
 * A UTC day that was given as an option.
 * @throws {Fault} `invalid_argument` for another text, and for a day that no month has
 */
export function readDay<Text extends string | undefined>(name: string, text: Text): Text {
  if (text === undefined) return text
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const at = isDay ? new Date(text) : new Date(Number.NaN)
  if (!Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)) return text
  throw invalid(name, 'must be a day, such as 2026-11-01', text)
}
