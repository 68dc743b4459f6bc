import { readableText } from './answer-text.ts'
import { type Detect, languageIn } from './languages/language.ts'
import type { Span } from './mentions.ts'
import { Reader } from './tone/clauses.ts'
import { Ledger } from './tone/ledger.ts'
import { nameSign } from './tone/opinions.ts'
import { english, type ToneRules, toneRules } from './tone/rules.ts'
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

/** The text that clauses are read from: without names, and without conditions about the reader. */
export const spokenText = (text: string, namings: readonly Naming[], rules = english()) =>
  nameless(text, namings).replace(rules.condition, (found) => ' '.repeat(found.length))

/** The rules of the language of a text; undefined where it is in none that the rules cover. */
export const rulesFor = (
  text: string,
  namings: readonly Naming[],
  detect: Detect,
): ToneRules | undefined => toneRules(languageIn(nameless(text, namings), detect))

/**
 * Sentiment of an answer about each brand that the answer names, -1 to 1, from the clauses that speak of the brand.
 * Clauses end at sentences, contrasts, other brands, list items and table cells. A clause without a brand goes on
 * with the last one, until a title, another label or general advice. Brand names hold no opinion.
 * @param mentions as `BrandMatcher.find` gives them
 * @param detect asked where the words leave a doubt about the language of the answer
 * @returns one sentiment for each mention; null where the answer only names the brand, and in languages
 *   without rules
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
  const rules = rulesFor(text, namings, detect)
  if (rules === undefined) return mentions.map(() => null)
  const ledger = new Ledger(mentions.length)
  new Reader(spokenText(text, namings, rules), namings, ledger, rules).read()
  return mentions.map((_, brand) => ledger.score(brand))
}
