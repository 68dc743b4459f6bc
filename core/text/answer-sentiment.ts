import lexicon from '../data/tone-lexicon.json' with { type: 'json' }
import { readableText } from './answer-text.ts'
import type { Span } from './mentions.ts'
import { Reader } from './tone/clauses.ts'
import { type Detect, isEnglish } from './tone/english.ts'
import { Ledger } from './tone/ledger.ts'
import { nameSign } from './tone/opinions.ts'
import type { Naming } from './tone/subjects.ts'

/** The words of a product after a name: "Acme [Good Grips Pro 5]". */
const product =
  /(?:[ \t]{1,2}(?:[A-Z0-9](?:[\p{L}\p{N}.+'’"®™-]{0,20}[\p{L}\p{N}+"®™])?|[+&])){1,8}/uy

/** The names of an answer in its order, each with the index of its mention. */
export function namingsOf(text: string, mentions: readonly { readonly spans: readonly Span[] }[]) {
  const namings: Naming[] = mentions.flatMap(({ spans }, brand) =>
    spans.map(({ start, end }) => {
      product.lastIndex = end
      return { brand, start, end: product.test(text) ? product.lastIndex : end }
    }),
  )
  return namings.sort((a, b) => a.start - b.start)
}

/** The text with signs in the place of names: "Best Buy" is no praise. */
function nameless(text: string, namings: readonly Naming[]): string {
  let [result, from] = ['', 0]
  for (const { start, end } of namings) {
    if (end <= from) continue
    const begin = Math.max(start, from)
    result += text.slice(from, begin) + nameSign.repeat(end - begin)
    from = end
  }
  return result + text.slice(from)
}

/** What is said of the reader and not of a brand: "If you hate cables,". */
const condition = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${lexicon.conditions.join('|')})\s(?:you|you're|you’re|your|want|wants|need|needs|hate|hates|like|likes|love|loves|prefer|prefers)\s[^,.;:!?|\n${nameSign}]{0,120}(?=[,.;:!?|\n]|$)`,
  'giu',
)

/** The text that clauses are read from: without names, and without conditions about the reader. */
export const spokenText = (text: string, namings: readonly Naming[]) =>
  nameless(text, namings).replace(condition, (found) => ' '.repeat(found.length))

/**
 * Sentiment of an answer about each brand that the answer names, -1 to 1, from the clauses that speak of the brand.
 * Clauses end at sentences, contrasts, other brands, list items and table cells. A clause without a brand goes on
 * with the last one, until a title, another label or general advice. Brand names hold no opinion.
 * @param mentions as `BrandMatcher.find` gives them
 * @param detect asked where the words leave a doubt whether the answer is in English, the language of the lexicon
 * @returns one sentiment for each mention; null where the answer only names the brand, and in other languages
 */
export function sentimentsOf(
  markdown: string,
  mentions: readonly { readonly spans: readonly Span[] }[],
  detect: Detect,
  platform?: string,
): (number | null)[] {
  if (mentions.length === 0) return []
  const text = readableText(markdown, platform)
  const namings = namingsOf(text, mentions)
  if (!isEnglish(nameless(text, namings), detect)) return mentions.map(() => null)
  const ledger = new Ledger(mentions.length)
  new Reader(spokenText(text, namings), namings, ledger).read()
  return mentions.map((_, brand) => ledger.score(brand))
}
