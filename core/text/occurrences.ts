import { gaps, kinds } from './characters.ts'
import {
  isFirstWord,
  isHyphenated,
  leftSide,
  mayBegin,
  precedesProduct,
  rightSide,
  type SearchedText,
} from './edges.ts'
import type { Folded } from './fold.ts'
import { joints, type Name, type NameTree, type Node } from './names.ts'
import { beginsPhrase, isAmount, isHeadingInCapitals } from './ordinary-words.ts'
import { isPerson } from './persons.ts'

/** Why a name that stands in a text does not count. */
export const setAsides = [
  'case',
  'hyphen',
  'sentence_start',
  'amount',
  'person',
  'excluded_phrase',
  'longer_name',
] as const
export type SetAside = (typeof setAsides)[number]

/** A name at a place of the folded text; `end` is exclusive. */
export interface Occurrence {
  readonly start: number
  readonly end: number
  readonly name: Name
  /** Null when the name counts here. */
  setAside: SetAside | null
}

const apart = gaps.break | gaps.edge
const and = 38

/** Whether a word is cut here by a hyphen at the end of a line: "Sales-\nforce". */
function isCutAtLineEnd({ gap, kind }: Folded, at: number): boolean {
  return gap[at] === (gaps.hyphen | gaps.newline) && ((kind[at] ?? 0) & kinds.upper) === 0
}

/** Whether the gap before a character of the text may stand at this place of a name. */
function fits(folded: Folded, at: number, name: Name, place: number): boolean {
  const { gap, kind, code } = folded
  const found = gap[at] ?? 0
  if (found === 0) {
    // "apart" does not name "A Part".
    return name.joints[place] !== joints.open || !name.isWordJoined || code[at] === and
  }
  if ((found & gaps.break) !== 0) return false
  if (isCutAtLineEnd(folded, at)) return true
  const isBlank = (found & (gaps.space | gaps.newline)) !== 0
  if (isBlank && (found & gaps.hyphen) !== 0) return false
  const separates = isBlank || (found & (gaps.hyphen | apart)) !== 0
  if (!separates || name.joints[place] === joints.open) return true
  return name.joints[place] === joints.camel && ((kind[at] ?? 0) & kinds.upper) !== 0
}

const contractions = new Set(['ll', 're', 've', 'd', 't', 'm'])

/** Whether an apostrophe within the found text only joins two words: "She'll" is not "Shell". */
function isContraction({ gap, code, kind }: Folded, { start, end }: Occurrence): boolean {
  for (let at = Math.max(start + 1, end - 2); at < end; at++) {
    if (((gap[at] ?? 0) & gaps.apostrophe) === 0) continue
    if (contractions.has(String.fromCodePoint(...code.subarray(at, end)))) {
      return ((kind[end - 1] ?? 0) & kinds.upper) === 0
    }
  }
  return false
}

function isSpelledSo({ kind }: Folded, start: number, { upper }: Name): boolean {
  return upper.every((flag, place) => ((kind[start + place] ?? 0) & kinds.upper) === flag)
}

const isLowerWord = ({ kind }: Folded, { start, end }: Occurrence) =>
  kind.subarray(start, end).every((one) => (one & kinds.upper) === 0)

/**
 * Steps of the search for each character of a text. Names that people track need two or three. Hundreds of names that
 * begin alike, or a name that repeats itself, could need thousands: such a search ends early.
 */
const mostSteps = 32
const stepsOfName = 4
/** A short text may take as many steps as one of this length. */
const leastLength = 1000

/** Finds the names that stand at `start` as whole words, whatever their case. @returns the steps that it took */
function namesAt(text: SearchedText, tree: NameTree, start: number, found: Occurrence[]): number {
  const { folded } = text
  const { code, length } = folded
  let steps = 0
  let node: Node | undefined = tree.root
  for (let at = start; at < length; at++) {
    node = node.next.get(code[at] ?? 0)
    if (node === undefined) break
    steps++
    for (const name of node.names) {
      const fitting = fittingPlaces(folded, start, name)
      steps += fitting + stepsOfName
      if (fitting < name.length) continue
      const occurrence = { start, end: at + 1, name, setAside: null }
      if (isWhole(text, occurrence)) found.push(occurrence)
    }
  }
  return steps
}

/** How many characters of a name stand at `start` with the gaps of the name. */
function fittingPlaces(folded: Folded, start: number, name: Name): number {
  let place = 1
  while (place < name.length && fits(folded, start + place, name, place)) place++
  return place
}

function isWhole(text: SearchedText, occurrence: Occurrence): boolean {
  const { folded } = text
  const { start, end, name } = occurrence
  if (isContraction(folded, occurrence)) return false
  const left = leftSide(text, start)
  if (left === 'bound') return false
  const right = rightSide(text, end, name)
  return right === 'free' || (right === 'glued' && left === 'free')
}

/** Why an occurrence of a name in exact case does not count, apart from the first words of sentences. */
function exactSetAside(folded: Folded, { start, end, name }: Occurrence): SetAside | null {
  if (!isSpelledSo(folded, start, name)) {
    return isHeadingInCapitals(folded, start, end, name) ? null : 'case'
  }
  return isHyphenated(folded, start, end) ? 'hyphen' : null
}

/** Sets aside first words of phrases, "Signal strength", unless the name stands elsewhere in the text. */
function setAsidePhrases(folded: Folded, exact: readonly Occurrence[]): void {
  const phrases = new Map<Name, Occurrence[]>()
  const elsewhere = new Set<Name>()
  for (const one of exact) {
    if (one.setAside !== null) continue
    const { name, start, end } = one
    if (!name.isCapitalised || !beginsPhrase(folded, start, end)) elsewhere.add(name)
    else phrases.set(name, [...(phrases.get(name) ?? []), one])
  }
  for (const [name, begun] of phrases) {
    if (elsewhere.has(name)) continue
    for (const one of begun) one.setAside = 'sentence_start'
  }
}

/** Sets aside units after a number, and names of persons. */
function setAsideOthers(folded: Folded, found: readonly Occurrence[]): void {
  const brandsAt = new Set(found.map(({ start }) => start))
  for (const one of found) {
    const { start, end, name } = one
    if (one.setAside !== null || name.brand < 0) continue
    if (isAmount(folded, start, end, name)) one.setAside = 'amount'
    else if (name.isWord && isPerson(folded, start, end, (at) => brandsAt.has(at))) {
      one.setAside = 'person'
    }
  }
}

/** Sets aside first words of sentences whose lower-case form stands in the text, unless a product follows. */
function setAsideFirstWords(folded: Folded, found: readonly Occurrence[]): void {
  const lower = new Set<Name>()
  for (const one of found) {
    if (one.setAside === 'case' && isLowerWord(folded, one)) lower.add(one.name)
  }
  if (lower.size === 0) return
  for (const one of found) {
    if (one.setAside !== null || !one.name.isCapitalised || !lower.has(one.name)) continue
    if (isFirstWord(folded, one.start) && !precedesProduct(folded, one.end)) {
      one.setAside = 'sentence_start'
    }
  }
}

/** @param found in the order of the text */
function setAsideInPhrases(found: readonly Occurrence[]): void {
  const phrases = found.filter(({ name }) => name.brand < 0)
  /** By name, how far its phrases reach that have begun. */
  const reach = new Map<Name, number>()
  let begun = 0
  for (const one of found) {
    for (; (phrases[begun]?.start ?? Infinity) <= one.start; begun++) {
      const { name, end = 0 } = phrases[begun] ?? {}
      for (const excluded of name?.excludes ?? []) {
        reach.set(excluded, Math.max(end, reach.get(excluded) ?? 0))
      }
    }
    if (one.setAside !== null) continue
    if ((reach.get(one.name) ?? 0) >= one.end) one.setAside = 'excluded_phrase'
  }
}

/** Of overlapping names the longer stays; of equal length the first, or all at the same place. */
function setAsideShorter(counted: readonly Occurrence[]): void {
  const overlap = counted.some((one, at) => at > 0 && one.start < (counted[at - 1]?.end ?? 0))
  if (!overlap) return
  const order = counted.toSorted((a, b) => b.name.length - a.name.length || a.start - b.start)
  const taken = new Map<number, Occurrence>()
  for (const one of order) {
    // What is taken already is as long or longer, so an overlap covers the first character or the last.
    const owner = taken.get(one.start) ?? taken.get(one.end - 1)
    const isSame = owner?.start === one.start && owner.end === one.end
    if (isSame) continue
    if (owner !== undefined) one.setAside = 'longer_name'
    else for (let at = one.start; at < one.end; at++) taken.set(at, one)
  }
}

/**
 * All places where a name stands as a whole word, in the order of the text, with those that do not count.
 * @param isExact whether a name counts in this text only where it is spelled exactly so
 */
export function occurrencesIn(
  text: SearchedText,
  tree: NameTree,
  isExact: (name: Name) => boolean,
): Occurrence[] {
  const { folded } = text
  const found: Occurrence[] = []
  const { begins } = tree
  let steps = mostSteps * (folded.length + leastLength)
  for (let at = 0; at < folded.length && steps > 0; at++) {
    if (begins[folded.code[at] ?? 0] !== 1 || !mayBegin(folded, at)) continue
    steps -= namesAt(text, tree, at, found)
  }
  if (found.length === 0) return found
  const exact = found.filter(({ name }) => isExact(name))
  for (const one of exact) one.setAside = exactSetAside(folded, one)
  setAsideFirstWords(folded, found)
  setAsideOthers(folded, found)
  setAsidePhrases(folded, exact)
  setAsideInPhrases(found)
  const names = found.filter(({ name }) => name.brand >= 0)
  let [end, isSorted] = [0, true]
  const counted = names.filter(({ setAside }) => setAside === null)
  counted.sort((a, b) => a.start - b.start || b.end - a.end)
  for (const one of counted) {
    if (one.start < end) isSorted = false
    end = Math.max(end, one.end)
  }
  if (!isSorted) setAsideShorter(counted)
  return names
}
