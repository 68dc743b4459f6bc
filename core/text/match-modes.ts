import { isDictionaryWord } from './dictionary.ts'

/** How a name is found: in any upper and lower case, or spelled exactly so. */
export const matchModes = ['any_case', 'exact_case'] as const
export type MatchMode = (typeof matchModes)[number]

/** Why a name has its mode. */
export const matchReasons = [
  'chosen',
  'dictionary_word',
  'short',
  'unit',
  'foreign_word',
  'distinctive',
] as const
export type MatchReason = (typeof matchReasons)[number]

export interface MatchRule {
  readonly mode: MatchMode
  readonly reason: MatchReason
}

const units = new Set(
  'hp mg kg km cm mm ml dl lb lbs oz ft mph kwh kw mw ghz mhz khz gb mb tb kb fps dpi rpm psi db nm mah'.split(
    ' ',
  ),
)
const withoutNumber = (lower: string) => lower.replace(/^[\d.,]+\s?/, '')

/** Whether a name is a unit of measurement, such as "HP". */
export const isUnit = (name: string): boolean => units.has(name.trim().toLowerCase())

const shortest = 3
const hasCase = (text: string) => text.toLowerCase() !== text.toUpperCase()

/**
 * How a name is found when nobody chose: exactly so for a word of the dictionary, one or two letters, or a unit.
 * @see the contract's page on true numbers, part 1
 */
export function defaultMatch(name: string): MatchRule {
  const text = name.trim()
  const lower = text.toLowerCase()
  if (/^\d*$/.test(text)) return { mode: 'any_case', reason: 'distinctive' }
  if (/^\p{L}+$/u.test(text) && [...text].length < shortest && hasCase(text)) {
    return { mode: 'exact_case', reason: 'short' }
  }
  if (units.has(withoutNumber(lower))) return { mode: 'exact_case', reason: 'unit' }
  if (isDictionaryWord(lower)) return { mode: 'exact_case', reason: 'dictionary_word' }
  return { mode: 'any_case', reason: 'distinctive' }
}

/** The rule of a name: as somebody chose, else as `defaultMatch` says. */
export function matchOf(name: string, chosen: boolean | null): MatchRule {
  if (chosen === null) return defaultMatch(name)
  return { mode: chosen ? 'exact_case' : 'any_case', reason: 'chosen' }
}

/** Whether a name counts only where it is spelled exactly so. */
export function isExact(name: string, chosen: boolean | null): boolean {
  return matchOf(name, chosen).mode === 'exact_case'
}
