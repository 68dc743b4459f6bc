import { wordsOf } from '../text/words.ts'

/**
 * Searches that mean the same: AI platforms ask one thing in many ways, such as "best earbuds 2026", "earbuds reddit"
 * and "earbuds review".
 */

/** Words that say how to search, not what for. Of English, German, French and Spanish. */
const asides = new Set(
  `a an and any are as at be best buy by can compare compared comparison do does for forum from get good great guide
  how i in is it list me my of on or our quora reddit recommendation recommendations review reviewed reviews should
  test tested tests that the their to top versus vs we what when where which who why with worth you your youtube
  beste besten bester das der die ein eine empfehlung für im mit oder test und vergleich von welche welcher wie
  avis comparatif de des du en et la le les meilleur meilleure meilleures meilleurs pour quel quelle quelles quels un une
  comparativa con cual cuál el las los mejor mejores opiniones para qué y`.split(/\s+/),
)

const isYear = (word: string) => /^(19|20)\d\d$/.test(word)

/** The singular of an English plural, as far as an ending shows it. */
function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is)$/.test(word)) return word
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '')
}

/** The words that say what a text is about, in the singular. */
export function subjectWords(text: string): ReadonlySet<string> {
  const words = wordsOf(text.normalize('NFKC').toLowerCase())
  return new Set(words.filter((word) => !asides.has(word) && !isYear(word)).map(singular))
}

const isWithin = (part: ReadonlySet<string>, whole: ReadonlySet<string>) =>
  [...part].every((word) => whole.has(word))

/**
 * Whether two texts ask for the same: their words are the same, or one adds no more words than the other has, which are
 * two or more.
 */
export function isNear(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [part, whole] = a.size <= b.size ? [a, b] : [b, a]
  if (part.size === 0 || !isWithin(part, whole)) return false
  return part.size === whole.size || (part.size >= 2 && whole.size <= 2 * part.size)
}

/** A text that is searched for. */
export interface Search {
  readonly text: string
  /** How often. */
  readonly times: number
}

export interface SearchGroup<Row> {
  readonly words: ReadonlySet<string>
  /** The most frequent first. */
  readonly searches: readonly Row[]
}

/**
 * Groups searches that ask for the same, the most frequent first. A group has the words of its most frequent search, and
 * never drifts from them. Searches without words of their own are left out.
 */
export function groupSearches<Row extends Search>(rows: readonly Row[]): SearchGroup<Row>[] {
  const groups: { words: ReadonlySet<string>; searches: Row[] }[] = []
  /** The groups that have a word, so that not all are compared with all. */
  const byWord = new Map<string, Set<number>>()
  const ordered = rows.toSorted((a, b) => b.times - a.times || (a.text < b.text ? -1 : 1))
  for (const row of ordered) {
    const words = subjectWords(row.text)
    if (words.size === 0) continue
    const candidates = [...new Set([...words].flatMap((word) => [...(byWord.get(word) ?? [])]))]
    const found = candidates
      .sort((a, b) => a - b)
      .find((i) => isNear(groups[i]?.words ?? new Set(), words))
    if (found !== undefined) {
      groups[found]?.searches.push(row)
      continue
    }
    for (const word of words) byWord.set(word, (byWord.get(word) ?? new Set()).add(groups.length))
    groups.push({ words, searches: [row] })
  }
  return groups
}

/** Places that a search names, and its year: nobody asks an AI assistant so. */
const places = /\b(reddit|quora|youtube|forum|(19|20)\d\d)\b/giu

/** A search as a prompt: without the year and the sites that it names. */
export function promptOf(text: string): string {
  return text.replace(places, ' ').replace(/\s+/g, ' ').trim() || text
}
