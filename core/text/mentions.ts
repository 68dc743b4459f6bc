import { domainToUnicode } from 'node:url'
import { answerText } from './answer-text.ts'
import type { ForeignWords } from './languages/foreign-words.ts'
import { addName, growTree, type Name } from './names.ts'
import { type Occurrence, occurrencesIn, type SetAside } from './occurrences.ts'
import type { RankBasis } from './ranks/numbered.ts'
import { type Rank, ranksOf } from './ranks/ranks.ts'

/** A name of a brand, with how it is matched. */
export interface BrandName {
  readonly text: string
  /** Whether the name counts only where it is spelled exactly so. */
  readonly caseSensitive: boolean
  /** Whether nobody chose the case: then it also counts exactly so in answers of a language that has it as a word. */
  readonly byLanguage?: boolean
  /** Phrases in which the name does not count. */
  readonly excludedPhrases?: readonly string[]
}

export interface Brand {
  readonly id: string
  readonly isOwn: boolean
  readonly names: readonly BrandName[]
  /** Registrable domains, without `www.`. */
  readonly domains: readonly string[]
}

/** A span of the original answer in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A brand that an answer names, with its place among the brands of the answer. */
export interface Mention {
  readonly brandId: string
  readonly isOwn: boolean
  readonly occurrences: number
  /** From 1, as `ranksOf` gives it. */
  readonly rank: number
  readonly rankBasis: RankBasis
  readonly firstAt: number
  readonly spans: readonly Span[]
}

/** A place where a name stands in an answer. */
export interface NamePlace extends Span {
  readonly brandId: string
  /** The name or the domain as it was given. */
  readonly name: string
  /** Why the name does not count here; null when it counts. */
  readonly setAside: SetAside | null
}

export interface BrandMatcher {
  /**
   * Brands that the Markdown of an answer names, by rank. Time is linear in the length of the answer.
   * @param platform id of the AI platform, whose own lines around the answer are not counted
   */
  find(markdown: string, platform?: string): Mention[]
  /** All places of names, in the order of the answer, with those that do not count. */
  places(markdown: string, platform?: string): NamePlace[]
}

/** Spans by brand, in the order of the text. Two equal names of one brand count once per position. */
function spansByBrand(
  occurrences: readonly Occurrence[],
  spanOf: (occurrence: Occurrence) => Span,
): Map<number, Span[]> {
  const spans = new Map<number, Span[]>()
  for (const occurrence of occurrences) {
    if (occurrence.setAside !== null) continue
    const { brand } = occurrence.name
    const span = spanOf(occurrence)
    const soFar = spans.get(brand)
    if (soFar === undefined) spans.set(brand, [span])
    else if (soFar.at(-1)?.start !== span.start) soFar.push(span)
  }
  return spans
}

/** @param text the answer as `readableText` gives it */
function ranked(text: string, mentions: readonly Omit<Mention, keyof Rank>[]): Mention[] {
  const ranks = ranksOf(text, mentions)
  return mentions
    .flatMap((mention, at) => {
      const rank = ranks[at]
      return rank ? [{ ...mention, ...rank }] : []
    })
    .sort((a, b) => a.rank - b.rank || a.firstAt - b.firstAt || (a.brandId < b.brandId ? -1 : 1))
}

/** A domain as answers write it: an international one in punycode, or in its own letters. */
export function namesOfDomain(domain: string): BrandName[] {
  const own = domainToUnicode(domain)
  const texts = own === '' ? [domain] : [...new Set([domain, own])]
  return texts.map((text) => ({ text, caseSensitive: false }))
}

/**
 * Makes a matcher of the brands that a project tracks. Reuse the matcher: compiling 20 brands takes milliseconds.
 * An answer names a brand when its name, an alias or its bare domain is a whole word.
 * Of two overlapping names the longer wins; a name of two brands counts for both.
 * The order of the brands makes no difference.
 * @param words finds the names that are words of the answer's language; absent, English alone decides
 * @see the contract's page on true numbers, parts 1 and 2
 */
export function compileBrands(brands: readonly Brand[], words?: ForeignWords): BrandMatcher {
  const tree = growTree()
  for (const [at, { names, domains }] of brands.entries()) {
    for (const { text, caseSensitive, ...rule } of [...names, ...domains.flatMap(namesOfDomain)]) {
      const { byLanguage = false, excludedPhrases = [] } = rule
      addName(tree, at, { text, isExact: caseSensitive, byLanguage, excludedPhrases })
    }
  }
  const search = (markdown: string, platform: string | undefined) => {
    const text = answerText(markdown, platform)
    const isWord = words?.wordsOfLanguageIn(markdown)
    const isExact = (name: Name) =>
      name.isExact || (name.byLanguage && isWord?.(name.text) === true)
    return { text, occurrences: occurrencesIn(text, tree, isExact) }
  }
  return {
    find(markdown, platform) {
      const { text, occurrences } = search(markdown, platform)
      const mentions = [...spansByBrand(occurrences, text.spanOf)].flatMap(([at, spans]) => {
        const brand = brands[at]
        const firstAt = spans[0]?.start
        if (brand === undefined || firstAt === undefined) return []
        const { id: brandId, isOwn } = brand
        return [{ brandId, isOwn, occurrences: spans.length, firstAt, spans }]
      })
      return ranked(text.readable, mentions)
    },
    places(markdown, platform) {
      const { text, occurrences } = search(markdown, platform)
      return occurrences.flatMap((occurrence) => {
        const { name, setAside } = occurrence
        const brandId = brands[name.brand]?.id
        return brandId === undefined
          ? []
          : [{ brandId, name: name.text, setAside, ...text.spanOf(occurrence) }]
      })
    },
  }
}
