import { namingsOf, spokenText } from '../answer-sentiment.ts'
import { readableText } from '../answer-text.ts'
import type { Span } from '../mentions.ts'
import { Reader } from '../tone/clauses.ts'
import type { Notes } from '../tone/ledger.ts'
import type { Opinion } from '../tone/opinions.ts'

/** Most characters of a passage: a few paragraphs. The rest of the clauses is left out. */
const mostCharacters = 1200
/** Text between two clauses stays when it is shorter: it is a label such as "Cons", or a half sentence. */
const shortGap = 80
const leftOut = ' … '

/** Notes the places of the clauses that speak of each brand. */
class Places implements Notes {
  readonly found: Span[][]
  #clause: Span = { start: 0, end: 0 }

  constructor(brands: number) {
    this.found = Array.from({ length: brands }, () => [])
  }

  at(start: number, end: number): void {
    this.#clause = { start, end }
  }

  add(brands: readonly number[], { words }: Opinion): void {
    if (words > 0) this.compare(brands)
  }

  compare(brands: readonly number[]): void {
    for (const brand of brands) {
      const places = this.found[brand]
      if (places && places.at(-1) !== this.#clause) places.push(this.#clause)
    }
  }
}

function joined(text: string, places: readonly Span[]): string {
  let passage = ''
  let last = 0
  for (const { start, end } of places) {
    const clause = text.slice(start, end)
    if (passage === '') passage = clause
    else if (start - last <= shortGap) passage += text.slice(last, start) + clause
    else passage = passage.trimEnd() + leftOut + clause.trimStart()
    last = end
    if (passage.length >= mostCharacters) break
  }
  return passage.trim().slice(0, mostCharacters).toWellFormed()
}

/**
 * The clauses of an answer that speak of each brand, as they stand in the answer. The answer may be in any language.
 * @param mentions as `BrandMatcher.find` gives them
 * @returns a passage of at most 1,200 characters for each mention; null where the answer only names the brand
 */
export function passagesOf(
  markdown: string,
  mentions: readonly { readonly spans: readonly Span[] }[],
  platform?: string,
): (string | null)[] {
  if (mentions.length === 0) return []
  const text = readableText(markdown, platform)
  const namings = namingsOf(text, mentions)
  const places = new Places(mentions.length)
  new Reader(spokenText(text, namings), namings, places).read()
  return places.found.map((clauses) => joined(text, clauses) || null)
}
