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

/** Why a name that stands in a text does not count. */
export const setAsides = [
  'case',
  'hyphen',
  'sentence_start',
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

/** Whether the gap before a character of the text may stand at this place of a name. */
function fits({ gap, kind, code }: Folded, at: number, name: Name, place: number): boolean {
  const found = gap[at] ?? 0
  if (found === 0) {
    // "apart" does not name "A Part".
    return name.joints[place] !== joints.open || !name.isWordJoined || code[at] === and
  }
  if ((found & gaps.break) !== 0) return false
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

/** The names that stand at `start` as whole words, whatever their case. */
function namesAt(text: SearchedText, tree: NameTree, start: number, found: Occurrence[]): void {
  const { folded } = text
  const { code, length } = folded
  let node: Node | undefined = tree.root
  for (let at = start; at < length; at++) {
    node = node.next.get(code[at] ?? 0)
    if (node === undefined) return
    for (const name of node.names) {
      const occurrence = { start, end: at + 1, name, setAside: null }
      if (isWhole(text, occurrence)) found.push(occurrence)
    }
  }
}

function isWhole(text: SearchedText, occurrence: Occurrence): boolean {
  const { folded } = text
  const { start, end, name } = occurrence
  for (let place = 1; place < name.length; place++) {
    if (!fits(folded, start + place, name, place)) return false
  }
  if (isContraction(folded, occurrence)) return false
  const left = leftSide(text, start)
  if (left === 'bound') return false
  const right = rightSide(text, end, name)
  return right === 'free' || (right === 'glued' && left === 'free')
}

/** Why an occurrence of a name in exact case does not count, apart from the first words of sentences. */
function exactSetAside(folded: Folded, { start, end, name }: Occurrence): SetAside | null {
  if (!isSpelledSo(folded, start, name)) return 'case'
  return isHyphenated(folded, start, end) ? 'hyphen' : null
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

const within = (inner: Occurrence, outer: Occurrence) =>
  inner.start >= outer.start && inner.end <= outer.end

function setAsideInPhrases(found: readonly Occurrence[]): void {
  const phrases = found.filter(({ name }) => name.brand < 0)
  for (const phrase of phrases) {
    for (const one of found) {
      if (one.setAside !== null || !phrase.name.excludes.includes(one.name)) continue
      if (within(one, phrase)) one.setAside = 'excluded_phrase'
    }
  }
}

/** Of overlapping names the longer stays; of equal length the first, or all at the same place. */
function setAsideShorter(counted: readonly Occurrence[]): void {
  const overlap = counted.some((one, at) => at > 0 && one.start < (counted[at - 1]?.end ?? 0))
  if (!overlap) return
  const order = counted.toSorted((a, b) => b.name.length - a.name.length || a.start - b.start)
  const taken = new Map<number, Occurrence>()
  for (const one of order) {
    let isFree = true
    for (let at = one.start; at < one.end && isFree; at++) {
      const owner = taken.get(at)
      isFree = owner === undefined || (owner.start === one.start && owner.end === one.end)
    }
    if (!isFree) one.setAside = 'longer_name'
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
  for (let at = 0; at < folded.length; at++) {
    if (begins[folded.code[at] ?? 0] === 1 && mayBegin(folded, at)) namesAt(text, tree, at, found)
  }
  if (found.length === 0) return found
  for (const one of found) {
    if (isExact(one.name)) one.setAside = exactSetAside(folded, one)
  }
  setAsideFirstWords(folded, found)
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
