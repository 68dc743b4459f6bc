import { gaps, kinds } from './characters.ts'
import { type Folded, isWordKind } from './fold.ts'

/** A word beside a name, with what stands between them. */
export interface Neighbour {
  /** The word in lower case, without accents; empty where there is none in the line. */
  readonly word: string
  readonly isCapitalised: boolean
  readonly isUpperCase: boolean
  /** The signs on the way: "," or "." */
  readonly signs: string
  readonly gap: number
  /** Where the word begins and ends. */
  readonly start: number
  readonly end: number
}

const lineEnd = gaps.newline | gaps.break
const none: Neighbour = {
  word: '',
  isCapitalised: false,
  isUpperCase: false,
  signs: '',
  gap: 0,
  start: -1,
  end: -1,
}

const isUpper = (kind = 0) => (kind & kinds.upper) !== 0

function neighbour(folded: Folded, start: number, end: number, signs: string, gap: number) {
  const { code, kind } = folded
  const letters = kind.subarray(start, end)
  return {
    word: String.fromCodePoint(...code.subarray(start, end)),
    isCapitalised: isUpper(kind[start]) && !letters.subarray(1).some(isUpper),
    isUpperCase: letters.every((one) => isUpper(one) || (one & kinds.letter) === 0),
    signs,
    gap,
    start,
    end,
  }
}

const mostSigns = 4

/** The word that begins at `at` or behind a few signs, in the same line. */
export function wordAfter(folded: Folded, at: number): Neighbour {
  const { code, kind, gap, length } = folded
  let [start, signs, seen] = [at, '', 0]
  for (; start < length && signs.length <= mostSigns; start++) {
    seen |= gap[start] ?? 0
    if ((seen & lineEnd) !== 0) return { ...none, signs, gap: seen }
    if (isWordKind(kind[start] ?? 0)) break
    signs += String.fromCodePoint(code[start] ?? 0)
  }
  if (start >= length || signs.length > mostSigns) return { ...none, signs, gap: seen | gaps.break }
  let end = start + 1
  while (end < length && gap[end] === 0 && isWordKind(kind[end] ?? 0)) end++
  return neighbour(folded, start, end, signs, seen)
}

/** The word that ends at `at` or before a few signs, in the same line. */
export function wordBefore(folded: Folded, at: number): Neighbour {
  const { code, kind, gap } = folded
  let [end, signs, seen] = [at, '', gap[at] ?? 0]
  if (at === 0) return { ...none, gap: gaps.break }
  for (; end > 0 && signs.length <= mostSigns; end--) {
    if (end < at) seen |= gap[end] ?? 0
    if ((seen & lineEnd) !== 0) return { ...none, signs, gap: seen }
    if (isWordKind(kind[end - 1] ?? 0)) break
    signs = String.fromCodePoint(code[end - 1] ?? 0) + signs
  }
  if (end === 0 || signs.length > mostSigns) return { ...none, signs, gap: seen | gaps.break }
  let start = end - 1
  while (start > 0 && gap[start] === 0 && isWordKind(kind[start - 1] ?? 0)) start--
  return neighbour(folded, start, end, signs, seen)
}
