import { registryType } from '../sites/source-types.ts'
import { readableText } from './answer-text.ts'
import { isDictionaryWord } from './dictionary.ts'
import { type Brand, compileBrands } from './mentions.ts'

/** The text of an answer, and the AI platform that gave it. */
export interface ReadAnswer {
  readonly text: string
  readonly platform: string
}

/** A brand that answers recommend or list, and that the project does not track. */
export interface SeenBrand {
  readonly name: string
  /** A cited domain that is named like the brand; null where none is cited. */
  readonly domain: string | null
  /** Answers that would mention it if it were tracked by this name. */
  readonly answers: number
}

const mostWordsOfLine = 6
const mostWords = 3
const fewestAnswers = 2
/** A second word that follows nearly always belongs to the name: "De'Longhi", but "Capital One". */
const nearlyAlways = 0.9
/** A brand stands in front of list items. A standard such as USB-C is spoken of, and seldom stands there. */
const fewestInFront = 1 / 3

/** A line that a list, a heading, a table or bold type begins. */
const isMarked =
  /^\s*(?:>?\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||\*\*)|\p{Extended_Pictographic})/u
const marks = /^(?:[\s>#*_~`|[(\-+•–—✓✔★☆]|\d{1,3}[.):]|\p{Extended_Pictographic}|\uFE0F|\u20E3)+/u
const nameWord =
  /^(?:\p{Lu}[\p{L}\p{N}'’&.+-]*|\p{Ll}{1,2}\p{Lu}[\p{L}\p{N}'’&-]*|&(?=\s\p{Lu})|(?:de|of|von|di|la|le)(?=\s\p{Lu}))/u
/** A name goes on behind "Paula's" and "Briggs &". */
const joining = /^&$|['’]s$/u
const lone = /^(?:&|\p{Ll}+)$/u
const closing = /[.'’-]+$/u

/** The words of a name in front of a line: "Sony WH-1000XM6" of "1. **Sony WH-1000XM6** – best overall". */
function inFrontOf(line: string): string[] {
  if (!isMarked.test(line)) return []
  let rest = line.replace(marks, '')
  const words: string[] = []
  while (words.length < mostWordsOfLine) {
    const found = nameWord.exec(rest)?.[0]
    if (found === undefined) break
    words.push(found.replace(closing, ''))
    rest = rest.slice(found.length)
    if (closing.test(found) || !/^[ \u00A0]/.test(rest)) break
    rest = rest.slice(1)
  }
  return words
}

/** A name by its letters and digits, in whatever case. */
export const brandForm = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
const startOf = (words: readonly string[], count: number) => words.slice(0, count).join(' ')
const countKey = (words: readonly string[], count: number) => startOf(words, count).toLowerCase()

/** In how many of several lists each text is. */
function countLists(lists: readonly Iterable<string>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) {
    for (const text of new Set(list)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Domains by what their first label reads like, those of shops and companies only. The most cited comes first. */
function domainsByName(cited: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const domain of cited) {
    const name = brandForm(domain.split('.')[0] ?? '')
    if (['other', 'third_party'].includes(registryType(domain)) && !found.has(name)) {
      found.set(name, domain)
    }
  }
  return found
}

/** Standards, parts and systems that stand where products are compared, and are nobody's competitor. */
const standards = new Set(
  `ai android anc api bluetooth cpu crm cta dvd eq erp eu faq gps gpu hdmi hdr ios ip iot lcd led linux macos nas nfc oled
  amoled qled pdf pc ram roi seo saas sku ssd uk us usa usb usb-c uv vpn webos wifi wi-fi windows`.split(
    /\s+/,
  ),
)
const isStandard = (word: string) => standards.has(word.toLowerCase()) || /^IP[X\d]\d$/.test(word)

/** Endings of words, with what may stand in their place: the dictionary leaves out "repairs" and "warmest". */
const inflections: readonly (readonly [RegExp, readonly string[]])[] = [
  [/ies$/, ['y']],
  [/s$/, ['']],
  [/es$/, ['']],
  [/(?:ing|ed|er|est)$/, ['', 'e']],
  [/(.)\1(?:ing|ed|er|est)$/, ['$1']],
]
/** A shorter stem is found in too many names. */
const shortestStem = 4

/** Whether a word is another form of a word of the dictionary: a plural, or a form of a verb or an adjective. */
const isInflected = (word: string) =>
  inflections.some(
    ([ending, stems]) =>
      ending.test(word) &&
      stems
        .map((stem) => word.replace(ending, stem))
        .some((stem) => stem.length >= shortestStem && isDictionaryWord(stem)),
  )

type IsOrdinary = (word: string) => boolean

/** Whether a word, or each part of a compound, is in the dictionary in some form, or is in these answers in lower case. */
function ordinaryWords(texts: readonly string[]): IsOrdinary {
  const lower = new Set(
    texts.flatMap(
      (text) => text.match(/(?<![\p{L}\p{N}@/.-])\p{Ll}+(?![\p{L}\p{N}@/]|\.\p{L})/gu) ?? [],
    ),
  )
  const isKnown = (part: string) => isDictionaryWord(part) || isInflected(part) || lower.has(part)
  return (word) =>
    isStandard(word) ||
    word
      .toLowerCase()
      .split(/[-–’']/)
      .every((part) => part === '' || isKnown(part))
}

interface Read {
  readonly counts: ReadonlyMap<string, number>
  readonly domains: ReadonlyMap<string, string>
  readonly isOrdinary: IsOrdinary
}

/** The brand among the words in front of a line: a product's name goes on behind it. */
function brandIn(words: readonly string[], { counts, domains, isOrdinary }: Read): string | null {
  for (let count = Math.min(mostWords, words.length); count > 0; count--) {
    if (domains.has(brandForm(startOf(words, count)))) return startOf(words, count)
  }
  let count = 1
  while (count < mostWords && count < words.length) {
    const next = words[count] ?? ''
    const isOfName =
      (counts.get(countKey(words, count + 1)) ?? 0) >=
      nearlyAlways * (counts.get(countKey(words, count)) ?? 0)
    const last = words[count - 1] ?? ''
    const isBegun = words.slice(0, count).some((word) => !isOrdinary(word))
    const isWanted = joining.test(last) || !isBegun || !isOrdinary(next)
    if (!isOfName || !isWanted || /\p{N}/u.test(next)) break
    count++
  }
  const taken = words.slice(0, count)
  while (lone.test(taken.at(-1) ?? '')) taken.pop()
  return taken.every(isOrdinary) ? null : taken.join(' ')
}

/**
 * Brands that answers put in front of list items, headings and rows, by rule: no word of a dictionary, no word that these
 * answers write in lower case, no tracked brand, and in two answers or more. The most mentioned come first.
 * @param cited registrable domains that the answers cite, the most cited first
 * @param tracked brands that the project tracks
 */
export function seenBrands(
  answers: readonly ReadAnswer[],
  cited: readonly string[],
  tracked: readonly Brand[],
): SeenBrand[] {
  const texts = answers.map(({ text, platform }) => readableText(text, platform))
  const fronts = texts.map((text) =>
    text
      .split('\n')
      .map(inFrontOf)
      .filter((words) => words.length > 0),
  )
  const starts = fronts.map((lines) =>
    lines.flatMap((words) => [1, 2, 3].map((count) => countKey(words, count))),
  )
  const trackedDomains = new Set(tracked.flatMap(({ domains }) => domains))
  const read: Read = {
    counts: countLists(starts),
    domains: domainsByName(cited.filter((domain) => !trackedDomains.has(domain))),
    isOrdinary: ordinaryWords(texts),
  }
  const named = fronts.map((lines) =>
    lines.flatMap((words) => brandIn(words, read) ?? []).filter((name) => name.length > 1),
  )
  const inFront = countLists(named.map((names) => names.map(brandForm)))
  const spellings = countLists(named)
  const matcher = compileBrands(tracked)
  const byForm = new Map<string, string>()
  for (const [name] of [...spellings].sort(([, a], [, b]) => b - a)) {
    const form = brandForm(name)
    const isFew = (inFront.get(form) ?? 0) < fewestAnswers
    if (isFew || byForm.has(form) || matcher.places(name).length > 0) continue
    byForm.set(form, name)
  }
  const candidates = [...byForm].map(([form, name]) => ({
    id: form,
    isOwn: false,
    names: [{ text: name, caseSensitive: name.length < 3 }],
    domains: [],
  }))
  const mentions = compileBrands(candidates)
  const mentioned = countLists(
    answers.map(({ text, platform }) =>
      mentions.find(text, platform).map(({ brandId }) => brandId),
    ),
  )
  return [...byForm]
    .map(([form, name]) => ({
      name,
      domain: read.domains.get(form) ?? null,
      answers: mentioned.get(form) ?? 0,
      front: inFront.get(form) ?? 0,
    }))
    .filter(({ answers, front }) => answers >= fewestAnswers && front >= fewestInFront * answers)
    .sort((a, b) => b.answers - a.answers || (a.name < b.name ? -1 : 1))
    .map(({ name, domain, answers }) => ({ name, domain, answers }))
}
