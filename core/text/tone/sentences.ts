import { namingsOf, rulesFor, spokenText } from '../answer-sentiment.ts'
import { readableText } from '../answer-text.ts'
import { plainText } from '../excerpt.ts'
import type { Detect } from '../languages/language.ts'
import type { Span } from '../mentions.ts'
import type { Tone } from '../sentiment.ts'
import { Reader } from './clauses.ts'
import type { LabelKind } from './labels.ts'
import { comparedBy, type Notes, weighed } from './ledger.ts'
import type { Opinion } from './opinions.ts'

/** A sentence of an answer that praises or blames a brand. */
export interface OpinionSentence {
  /** Without Markdown. */
  readonly text: string
  readonly tone: Exclude<Tone, 'neutral'>
}

/** Praise less blame of parts of a text, by their starts. */
type Balances = Map<number, { readonly end: number; balance: number }>

function add(found: Balances, { start, end }: Span, balance: number): void {
  const known = found.get(start) ?? { end, balance: 0 }
  known.balance += balance
  found.set(start, known)
}

/** Sums the praise and blame of one brand by clause. */
class Clauses implements Notes {
  readonly found: Balances = new Map()
  readonly #brand: number
  #clause: Span = { start: 0, end: 0 }

  constructor(brand: number) {
    this.#brand = brand
  }

  at(start: number, end: number): void {
    this.#clause = { start, end }
  }

  add(brands: readonly number[], opinion: Opinion, label: LabelKind): void {
    if (opinion.words === 0 || !brands.includes(this.#brand)) return
    const { good, bad } = weighed(opinion, label)
    add(this.found, this.#clause, good - bad)
  }

  compare(brands: readonly number[], opinion: Opinion, isOutdone: boolean): void {
    if (brands.includes(this.#brand)) add(this.found, this.#clause, comparedBy(opinion, isOutdone))
  }
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentence of a line in which a clause begins. */
function sentenceAt(text: string, at: number): Span {
  const line = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const found = sentences
    .segment(text.slice(line, end < 0 ? text.length : end))
    .containing(Math.max(0, at - line))
  const start = line + (found?.index ?? 0)
  return { start, end: start + (found?.segment.length ?? 0) }
}

/**
 * The sentences of an answer that praise or blame one of the brands that it names, the strongest first: those
 * by whose clauses `sentimentsOf` rates the brand.
 * @param mentions as `BrandMatcher.find` gives them
 * @param brand index of its mention
 */
export function opinionSentences(
  markdown: string,
  mentions: readonly { readonly spans: readonly Span[] }[],
  brand: number,
  detect: Detect,
  platform?: string,
): OpinionSentence[] {
  const text = readableText(markdown, platform)
  const namings = namingsOf(text, mentions)
  const rules = rulesFor(text, namings, detect)
  if (rules === undefined) return []
  const clauses = new Clauses(brand)
  new Reader(spokenText(text, namings, rules), namings, clauses, rules).read()
  const bySentence: Balances = new Map()
  for (const [at, { balance }] of clauses.found) {
    const blank = /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    add(bySentence, sentenceAt(text, at + blank), balance)
  }
  return [...bySentence]
    .filter(([, { balance }]) => balance !== 0)
    .toSorted(([, a], [, b]) => Math.abs(b.balance) - Math.abs(a.balance))
    .map(([start, { end, balance }]) => ({
      // The same places as in the readable text, whose link targets are masked.
      text: plainText(markdown.slice(start, end)),
      tone: balance > 0 ? 'positive' : 'negative',
    }))
}
