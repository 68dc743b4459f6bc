import { gaps, kinds } from './characters.ts'
import { type Folded, isWordKind } from './fold.ts'
import type { Name } from './names.ts'

/** A text that is searched, with what is found out on demand. */
export interface SearchedText {
  readonly folded: Folded
  /** Whether words of the text ran together where tags stood, as on a page that was read without its tags. */
  readonly isRunTogether: () => boolean
}

const free = gaps.space | gaps.newline | gaps.break | gaps.hyphen | gaps.edge
const blank = gaps.space | gaps.newline | gaps.break

const isUpper = (kind = 0) => (kind & kinds.upper) !== 0
const isLower = (kind = 0) => (kind & (kinds.letter | kinds.upper)) === kinds.letter

const gapBefore = ({ gap, length, endGap }: Folded, at: number) =>
  at >= length ? endGap | gaps.break : (gap[at] ?? 0)

function codesBetween({ code }: Folded, start: number, end: number): string {
  return String.fromCodePoint(...code.subarray(start, end))
}

/** The end of the word that goes on at `at` without any gap. */
function wordEnd({ gap, kind, length }: Folded, at: number): number {
  let end = at
  while (end < length && isWordKind(kind[end] ?? 0) && (end === at || gap[end] === 0)) end++
  return end
}

/** The start of the letters that stand before `at` without any gap. */
function lettersStart({ gap, kind }: Folded, at: number, most: number): number {
  let start = at
  while (start > 0 && at - start < most && gap[start] === 0 && isWordKind(kind[start - 1] ?? 0)) {
    start--
  }
  return start
}

// Particles after a noun, in letters of Hangul, one or two of them.
const particles = [
  '은|는|이|가|을|를|의|에|에서|에게|에는|와|과|도|로|으로|만|부터|까지|보다|처럼|라|이라|라고|이라고|라는|이라는',
  '나|이나|랑|이랑|한테|께|께서|하고|요|이요|야|이야|들|들이|들은|들의|들을|인|이며|며|이고|고|입니다|이다|였다|이었다|예요|이에요|에요|마다|밖에|조차|뿐',
]
  .join('|')
  .normalize('NFKD')
const particle = new RegExp(`^(?:${particles}){1,2}$`)
// One letter before a noun, in Arabic with the article.
const prefix = /^(?:[ובלהמשכ]|[وبلفك]?(?:ال)?|لل)$/u
const longestPrefix = 3

/** Whether the text ran together at this border: "TurboBlazeBreville", "DZ071COSORI". */
function isGlued({ folded, isRunTogether }: SearchedText, at: number): boolean {
  const { kind } = folded
  const [before = 0, after = 0] = [kind[at - 1], kind[at]]
  if (!isUpper(after)) return false
  if (isUpper(before) && !isLower(kind[at + 1])) return false
  return isRunTogether()
}

/** Whether a name may begin here at all, at little cost: most letters within words of Latin may not. */
export function mayBegin({ gap, kind, code }: Folded, at: number): boolean {
  if (at === 0 || gap[at] !== 0) return true
  const [before = 0, first = 0] = [kind[at - 1], kind[at]]
  if (!isWordKind(before) || (first & kinds.upper) !== 0) return true
  const previous = code[at - 1] ?? 0
  return ((before | first) & kinds.unspaced) !== 0 || (previous >= 0x590 && previous < 0x700)
}

/** How free a side of a name is: not at all, because the text ran together there, or free. */
type Side = 'bound' | 'glued' | 'free'

export function leftSide(text: SearchedText, start: number): Side {
  const { folded } = text
  const { kind, gap } = folded
  if (start === 0 || ((gap[start] ?? 0) & free) !== 0) return 'free'
  const [before = 0, first = 0] = [kind[start - 1], kind[start]]
  if (!isWordKind(before) || ((before | first) & kinds.unspaced) !== 0) return 'free'
  if (gap[start] !== 0) {
    const isApart = ((gap[start] ?? 0) & gaps.apostrophe) !== 0 || !isLower(first)
    return isApart ? 'free' : 'bound'
  }
  const from = lettersStart(folded, start, longestPrefix + 1)
  if (start - from <= longestPrefix && prefix.test(codesBetween(folded, from, start))) return 'free'
  return isGlued(text, start) ? 'glued' : 'bound'
}

/** Whether an ending of one to five small letters stands at `at`: "Apple'ın", "IKEAs". */
function endingAt(folded: Folded, at: number): string | null {
  const end = wordEnd(folded, at)
  for (let each = at + 1; each < end; each++) if (isUpper(folded.kind[each])) return null
  return end - at > 5 ? null : codesBetween(folded, at, end)
}

function rightOfGap(folded: Folded, end: number, name: Name): Side {
  const gap = folded.gap[end] ?? 0
  const next = folded.kind[end] ?? 0
  if ((gap & gaps.apostrophe) !== 0) {
    return name.length > 2 || endingAt(folded, end) !== null ? 'free' : 'bound'
  }
  return !isLower(next) || endingAt(folded, end) === 's' ? 'free' : 'bound'
}

export function rightSide(text: SearchedText, end: number, name: Name): Side {
  const { folded } = text
  const { kind, gap, length } = folded
  const [last = 0, next = 0] = [kind[end - 1], kind[end]]
  if (end < length && gap[end] === 0 && (next & kinds.mark) !== 0) return 'bound'
  if (end >= length || ((gap[end] ?? 0) & free) !== 0 || !isWordKind(next)) return 'free'
  if (((last | next) & kinds.unspaced) !== 0) return 'free'
  if (gap[end] !== 0) return rightOfGap(folded, end, name)
  if ((next & kinds.hangul) !== 0) {
    if ((last & kinds.hangul) === 0) return 'free'
    const rest = codesBetween(folded, end, Math.min(wordEnd(folded, end), end + 16))
    return particle.test(rest) ? 'free' : 'bound'
  }
  if (isPlural(folded, end, name)) return 'free'
  return isGlued(text, end) ? 'glued' : 'bound'
}

function isPlural(folded: Folded, end: number, name: Name): boolean {
  const { code, kind } = folded
  if (code[end] !== 115 || name.isWordWithS || !name.endsWithoutSign) return false
  if (isUpper(kind[end]) && !isUpper(kind[end - 1])) return false
  return wordEnd(folded, end) === end + 1
}

/** Whether a hyphen makes a name in exact case a part of another word: "On-ear", "Target-based". */
export function isHyphenated(folded: Folded, start: number, end: number): boolean {
  const makesWord = (at: number, beside: number) => {
    const gap = gapBefore(folded, at)
    if ((gap & gaps.hyphen) === 0 || (gap & blank) !== 0) return false
    return ((folded.kind[beside] ?? 0) & kinds.letter) !== 0
  }
  if (start > 0 && makesWord(start, start - 1)) return true
  return makesWord(end, end) && endingAt(folded, end) !== 's'
}

const beginsSentence = new Set(
  [...'.!?:;|•·…—>"“”„«»(（。！？：'].map((sign) => sign.codePointAt(0)),
)

/** Whether a name is the first word of a sentence, heading, list item or table cell. */
export function isFirstWord({ code, kind, gap }: Folded, start: number): boolean {
  if (start === 0 || ((gap[start] ?? 0) & (gaps.newline | gaps.break)) !== 0) return true
  if (isWordKind(kind[start - 1] ?? 0)) return false
  return beginsSentence.has(code[start - 1]) || code[start - 1] === 35
}

/** Whether the word after a name is capitalised or has a number, as a product is: "Apple Watch". */
export function precedesProduct(folded: Folded, end: number): boolean {
  const gap = gapBefore(folded, end)
  if ((gap & (gaps.space | gaps.markup)) === 0 || (gap & (gaps.newline | gaps.break)) !== 0) {
    return false
  }
  const word = wordEnd(folded, end)
  for (let at = end; at < word; at++) {
    const kind = folded.kind[at] ?? 0
    if ((kind & (kinds.upper | kinds.digit)) !== 0) return true
  }
  return false
}
