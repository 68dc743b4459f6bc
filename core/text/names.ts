import { gaps, kinds } from './characters.ts'
import { isDictionaryWord } from './dictionary.ts'
import { emptyFolded, fold } from './fold.ts'

/** A name of a brand, or a phrase in which a name does not count. */
export interface Name {
  readonly text: string
  /** Index of the brand; -1 for a phrase. */
  readonly brand: number
  /** Characters of the folded name. */
  readonly length: number
  readonly isExact: boolean
  /** Whether the name is exact too in answers of a language whose dictionary has it. */
  readonly byLanguage: boolean
  /** By character: what the gap before it may be. */
  readonly joints: Uint8Array
  /** By character: whether it is in upper case. */
  readonly upper: Uint8Array
  readonly endsWithoutSign: boolean
  /** Whether only the first letter is in upper case, as of any first word of a sentence. */
  readonly isCapitalised: boolean
  /** Whether the name is one word of letters, which a person may have for a name too. */
  readonly isWord: boolean
  /** Whether the name without its spaces and hyphens is another word. */
  readonly isWordJoined: boolean
  /** Whether the name with an "s" is another word: "canvas" is no plural of "Canva". */
  readonly isWordWithS: boolean
  /** The names that do not count within this phrase. */
  readonly excludes: readonly Name[]
}

/** What the gap before a character of a name may be. */
export const joints = {
  none: 0,
  /** Space, hyphen or nothing: the name has one of them here. */
  open: 1,
  /** As `open`, if the character is in upper case: the name has an inner capital here. */
  camel: 2,
} as const

export interface Node {
  readonly next: Map<number, Node>
  readonly names: Name[]
}

/** All names by their folded characters. Finding names takes as long for a thousand names as for one. */
export interface NameTree {
  readonly root: Node
  /** Whether a name begins with the character. */
  readonly begins: Uint8Array
}

export interface NameInput {
  readonly text: string
  readonly isExact: boolean
  readonly byLanguage: boolean
  readonly excludedPhrases: readonly string[]
}

const and = 38
const inAnyCase = { isExact: false, byLanguage: false }
const separating = gaps.space | gaps.newline | gaps.hyphen | gaps.edge | gaps.markup
const folded = emptyFolded()

// The sign at the end of "Yahoo!" and "Warner Bros." is optional.
const withoutEnd = (text: string) => text.trim().replace(/(?<=[\p{L}\p{N}])[!.]$/u, '')

function jointAt(at: number): number {
  const { code, gap, kind } = folded
  if (at === 0) return joints.none
  const isSeparate = ((gap[at] ?? 0) & separating) !== 0
  if (isSeparate || code[at] === and || code[at - 1] === and) return joints.open
  const isCamel =
    ((kind[at] ?? 0) & kinds.upper) !== 0 &&
    ((kind[at - 1] ?? 0) & (kinds.letter | kinds.upper)) === kinds.letter
  return isCamel ? joints.camel : joints.none
}

/** The codes and the name of a text; null where nothing of the text can be compared. */
function parse(
  text: string,
  brand: number,
  { isExact, byLanguage }: Pick<NameInput, 'isExact' | 'byLanguage'>,
  excludes: readonly Name[],
): { codes: number[]; name: Name } | null {
  fold(withoutEnd(text), folded)
  const { length, code, kind } = folded
  if (length === 0) return null
  const codes = [...code.subarray(0, length)]
  const allJoints = Uint8Array.from(codes, (_, at) => jointAt(at))
  const joined = String.fromCodePoint(...codes)
  const last = kind[length - 1] ?? 0
  const name = {
    text,
    brand,
    length,
    isExact,
    byLanguage,
    joints: allJoints,
    upper: Uint8Array.from(codes, (_, at) => (kind[at] ?? 0) & kinds.upper),
    isWord: /^\p{Lu}\p{L}+$/u.test(text.trim()),
    isCapitalised: codes.every((_, at) => ((kind[at] ?? 0) & kinds.upper) === 0 || at === 0),
    endsWithoutSign: (last & (kinds.letter | kinds.digit | kinds.mark)) !== 0,
    isWordJoined: allJoints.includes(joints.open) && isDictionaryWord(joined),
    isWordWithS: (last & kinds.letter) !== 0 && isDictionaryWord(`${joined}s`),
    excludes,
  }
  return { codes, name }
}

/** A text that all spellings of a name have in common; empty where nothing of the name can be compared. */
export function nameKey(text: string): string {
  const made = parse(text, -1, inAnyCase, [])
  return made === null ? '' : String.fromCodePoint(...made.codes)
}

export function growTree(): NameTree {
  return { root: { next: new Map(), names: [] }, begins: new Uint8Array(0x110000) }
}

function insert(tree: NameTree, codes: readonly number[], name: Name): void {
  let node = tree.root
  tree.begins[codes[0] ?? 0] = 1
  for (const code of codes) {
    const next = node.next.get(code) ?? { next: new Map(), names: [] }
    node.next.set(code, next)
    node = next
  }
  node.names.push(name)
}

// "Dr." and "St." end in a full stop that may be left out, as letters do: "E.L.F.", "J.Crew", "U.S. Bank".
const abbreviated = /\b(dr|mr|mrs|ms|st|mt|ft|jr|sr|prof)(\.?)(?=\s+\p{L})/giu
const initials = /(?<![\p{L}\p{N}.])(?:\p{Lu}\.)+/gu

/**
 * Other spellings of a name with abbreviations. Letters without their full stops count in upper case only, since "US" and
 * "ELF" are words too.
 */
function otherSpellings(name: string): { text: string; isExact: boolean }[] {
  const text = name.trim()
  const spellings = [
    text.replace(abbreviated, (_, word: string, stop: string) => (stop === '' ? `${word}.` : word)),
  ].map((spelling) => ({ text: spelling, isExact: false }))
  const letters = text.match(initials)
  if (letters !== null && (letters[0].length > 2 || text.length > letters[0].length + 2)) {
    const apart = text.replace(initials, (found) => `${found.replaceAll('.', '')} `).trim()
    const spaced = text
      .replace(initials, (found) => `${found} `)
      .replace(/\s+/g, ' ')
      .trim()
    spellings.push({ text: apart, isExact: true }, { text: spaced, isExact: false })
  }
  return spellings.filter((spelling) => spelling.text !== text)
}

/** Adds a name of a brand, and the phrases in which it does not count. */
export function addName(tree: NameTree, brand: number, input: NameInput): void {
  const made = parse(input.text, brand, input, [])
  if (made === null) return
  insert(tree, made.codes, made.name)
  for (const { text, isExact } of otherSpellings(input.text)) {
    const other = parse(text, brand, { ...input, isExact: isExact || input.isExact }, [])
    if (other !== null) insert(tree, other.codes, { ...other.name, text: made.name.text })
  }
  for (const phrase of input.excludedPhrases) {
    const found = parse(phrase, -1, inAnyCase, [made.name])
    if (found !== null) insert(tree, found.codes, found.name)
  }
}
