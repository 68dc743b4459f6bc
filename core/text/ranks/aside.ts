import type { Line } from '../tone/lines.ts'
import { isNumbered } from './numbered.ts'

const cue =
  /\b(?:[Uu]nlike|[Ii]nstead of|[Rr]ather than|[Oo]ther than|[Aa]void(?:ing)?|[Ss]kip(?:ping)?|[Ss]t(?:ay away|eer clear) (?:from|of)|(?:[Ss]witch(?:ing)?|[Mm]ov(?:e|ing)|[Mm]igrat(?:e|ing)) (?:away )?from|[Aa]lternatives? to|(?:not|never) recommend(?:ed|ing)?)(?=\s)/gu
const mark = String.raw`[*_"“”\[\]]{0,4}`
const word = String.raw`(?:\p{Lu}(?:[\p{L}\p{M}\p{N}+'’&-]|\.(?=[\p{L}\p{N}])){0,30}|\p{N}(?:[\p{L}\p{N}]|\.(?=\p{N})){0,9})`
const name = String.raw`\s${mark}(?:(?:the|a|an|any)\s)?${mark}${word}(?:\s${word}){0,5}${mark}`
/** The names after a cue: one, two with "and", or more with commas that end before the sentence goes on. */
const namesAfter = new RegExp(
  `(?:${name}(?:,${name}){1,8},?\\s(?:and|or)${name}(?=[,.;:)\\n]|$)|${name}(?:\\s(?:and|or)${name})?)`,
  'uy',
)
/** "Acme used to lead", "the Acme One is no longer". */
const isPast = new RegExp(
  `^${mark}(?:\\s${word}){0,5}${mark}\\s(?:used to (?:be|lead|dominate|rule|win|top)|once (?:led|dominated|ruled|topped)|(?:is|are) no longer|(?:is|are) (?:one |ones )?(?:to|best) avoid(?:ed)?|should be avoided)\\b`,
  'u',
)
const lookedAt = 160

/** Whether a name is only set aside at a place: "unlike Acme", "while Acme used to lead". */
export function isSetAside(text: string, { start, end }: { start: number; end: number }): boolean {
  if (isPast.test(text.slice(end, end + lookedAt))) return true
  const from = Math.max(0, start - lookedAt)
  const last = [...text.slice(from, start).matchAll(cue)].at(-1)
  if (!last) return false
  namesAfter.lastIndex = from + last.index + last[0].length
  return namesAfter.test(text) && start < namesAfter.lastIndex
}

const question = /^[^.!?\n]{1,300}\?["'”’)\]*_]{0,8}(?=\s|$)/u

/** Where the answer itself begins: after a title, and after the question where the answer repeats it first. */
export function beginOf(text: string, lines: readonly Line[]): number {
  let begin = 0
  for (const [at, line] of lines.slice(0, 3).entries()) {
    const { start, end, level, isRow, isItem } = line
    if (isRow || isItem || isNumbered(text, line)) break
    const asked = question.exec(text.slice(start, end))
    if (asked) {
      begin = start + asked[0].length
      if (begin < end) break
      continue
    }
    // A heading with others of its level begins a part of the answer.
    const isTitle =
      level > 0 &&
      !lines.some((other, place) => place > at && other.level > 0 && other.level <= level)
    if (!isTitle) break
    begin = end
  }
  return begin
}
