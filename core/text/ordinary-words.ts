import { gaps, kinds } from './characters.ts'
import { isOnlyNoun } from './dictionary.ts'
import { type Folded, isWordKind } from './fold.ts'
import { isUnit } from './match-modes.ts'
import type { Name } from './names.ts'
import { wordAfter, wordBefore } from './neighbours.ts'

const lineEnd = gaps.newline | gaps.break
const blank = gaps.space | gaps.newline | gaps.break

/** What companies have, by their names: "Zoom meetings", "Chase customers". */
const belongings = new Set(
  `account accounts ad ads agent agents app apps cardholder cardholders ceo client clients community consultant consultants
  customer customers dashboard database databases device devices employee employees factory headphones headset headsets
  investor investors laptop laptops meeting meetings member members merchant merchants outlet outlets phone phones platform
  policyholders product products software sneaker sneakers smartphone smartphones smartwatch smartwatches speaker speakers
  subscriber subscribers subscription subscriptions tablet tablets terminal terminals user users webinar webinars website
  workspace workspaces`.split(/\s+/),
)

/** Words that the dictionary has as nouns, and that are mostly something else: "Discover it Miles". */
const pronouns = new Set(
  'it one you he she we me us who all both more most none today tomorrow'.split(' '),
)

/** Whether a sentence begins here, and no label, cell or item of a list. */
function beginsSentence({ code, kind, gap }: Folded, start: number): boolean {
  const before = gap[start] ?? 0
  if ((before & (gaps.markup | gaps.hyphen)) !== 0) return false
  if (start === 0 || (before & lineEnd) !== 0) return true
  const isStop = /[.!?]/.test(String.fromCodePoint(code[start - 1] ?? 0))
  return isStop && ((kind[start - 2] ?? 0) & kinds.letter) !== 0
}

/**
 * Whether a first word goes on as a phrase of ordinary words: "Signal strength varies". Within a sentence only: a label
 * such as "**Ninja blenders**" is of the brand as often.
 */
export function beginsPhrase(folded: Folded, start: number, end: number): boolean {
  if (!beginsSentence(folded, start)) return false
  const next = wordAfter(folded, end)
  if (next.signs !== '' || next.gap !== gaps.space) return false
  if (((folded.kind[next.start] ?? 0) & kinds.upper) !== 0) return false
  if (!isOnlyNoun(next.word) || pronouns.has(next.word) || belongings.has(next.word)) return false
  const after = wordAfter(folded, next.end)
  return after.word !== '' && after.signs === '' && (after.gap & gaps.markup) === 0
}

const lengths = /^(?:long|wide|tall|high|deep|thick|away|apart|radius)$/

function isPlural(word: string): boolean {
  return /[^s]s$/.test(word) && !/^(?:is|was|as|has|does|plus|this)$/.test(word)
}

/** Whether a name is a unit after a number here: "a 5 HP motor", "2.0 HP", but not "the top 5 HP laptops". */
export function isAmount(folded: Folded, start: number, end: number, name: Name): boolean {
  const { code, kind, gap } = folded
  const text = String.fromCodePoint(...code.subarray(start, end))
  if (/^\d+[a-z]+$/.test(text) && lengths.test(wordAfter(folded, end).word)) return true
  if (!isUnit(name.text) || ((gap[start] ?? 0) & ~gaps.space) !== 0) return false
  const number = wordBefore(folded, start)
  if (number.signs !== '' || !/^\d+$/.test(number.word)) return false
  const isDecimal =
    gap[number.start] === 0 &&
    /[.,]/.test(String.fromCodePoint(code[number.start - 1] ?? 0)) &&
    ((kind[number.start - 2] ?? 0) & kinds.digit) !== 0
  if (isDecimal) return true
  if (/^(?:19|20)\d\d$/.test(number.word)) return false
  const next = wordAfter(folded, end)
  if (next.signs !== '') return true
  const isProduct = [...kind.subarray(Math.max(next.start, 0), Math.max(next.end, 0))].some(
    (one) => (one & (kinds.upper | kinds.digit)) !== 0,
  )
  return !isProduct && !isPlural(next.word)
}

/** Whether nothing but marks, numbers and bullets stands before a place in its line. */
function beginsLine({ code, kind, gap }: Folded, start: number): { isHeading: boolean } | null {
  let isHeading = false
  for (let at = start; at > 0 && ((gap[at] ?? 0) & lineEnd) === 0; at--) {
    const sign = code[at - 1] ?? 0
    if (sign === 35) isHeading = true
    else if (((kind[at - 1] ?? 0) & kinds.letter) !== 0) return null
    else if (!isWordKind(kind[at - 1] ?? 0) && sign !== 46 && sign !== 41 && sign !== 124)
      return null
  }
  return { isHeading }
}

function isHeadingLine({ code, gap }: Folded, start: number): boolean {
  let at = start
  while (at > 0 && ((gap[at] ?? 0) & lineEnd) === 0) at--
  return code[at] === 35
}

const versus = /^(?:vs|versus)$/

/** Whether a name in exact case is a heading of its own in capitals: "## SIGNAL", "**TARGET**: cheap". */
export function isHeadingInCapitals(
  folded: Folded,
  start: number,
  end: number,
  { isCapitalised, length }: Name,
): boolean {
  const { kind, gap, endGap, code } = folded
  if (!isCapitalised || length < 3) return false
  for (let at = start; at < end; at++) if (((kind[at] ?? 0) & kinds.upper) === 0) return false
  const line = beginsLine(folded, start)
  const isVersus = isHeadingLine(folded, start) && versus.test(wordBefore(folded, start).word)
  const isLabel = line !== null && (line.isHeading || ((gap[start] ?? 0) & gaps.markup) !== 0)
  if (!isLabel && !isVersus) return false
  const after = end >= folded.length ? endGap | gaps.break : (gap[end] ?? 0)
  if ((after & (lineEnd | gaps.markup)) !== 0) return true
  if (/[:(|,/]/.test(String.fromCodePoint(code[end] ?? 0))) return true
  if ((after & gaps.hyphen) !== 0 && (after & blank) !== 0) return true
  return versus.test(wordAfter(folded, end).word)
}
