import lexicon from '../../data/tone-lexicon.json' with { type: 'json' }

/** Weights of the words of praise and of blame in a piece of text, with the number of its words. */
export interface Opinion {
  readonly good: number
  readonly bad: number
  readonly words: number
}

interface Phrase {
  readonly words: readonly string[]
  /** Above zero for praise, below zero for blame, zero for neither. */
  readonly weight: number
}

const weights = { strong: 2, plain: 1, weak: 0.4 } as const

/** Phrases by their first word, the longest first. */
const phrases = new Map<string, Phrase[]>()

function learn(texts: readonly string[], weight: number): void {
  for (const text of texts) {
    const words = text.split(' ')
    const [first = ''] = words
    phrases.set(first, [...(phrases.get(first) ?? []), { words, weight }])
  }
}

learn(lexicon.neither, 0)
for (const [strength, weight] of Object.entries(weights)) {
  learn(lexicon.positive[strength as keyof typeof weights], weight)
  learn(lexicon.negative[strength as keyof typeof weights], -weight)
}

/** What was and no longer is: "no longer reliable" blames, "used to be slow" does not. */
const former = new Set(lexicon.former)
learn(lexicon.former, -weights.plain)
for (const known of phrases.values()) known.sort((a, b) => b.words.length - a.words.length)

const negators = new Set(lexicon.negators)
/** Verbs of which blame is the object: "detects breaches". */
const shields = new Set(lexicon.shields)
const word = /[\p{L}\p{N}]+(?:'\p{L}+)*/gu

/** Stands in the place of names, character by character. It is a capital letter, as a sentence begins with one. */
export const nameSign = '\u10a0'

/** The words of a text in lower case, without names. A hyphen parts words: "easy-to-use" is three. */
export function wordsOf(text: string): string[] {
  const named = text.includes(nameSign) ? text.replaceAll(nameSign, ' ') : text
  const lower = named.toLowerCase()
  return (lower.includes('’') ? lower.replaceAll('’', "'") : lower).match(word) ?? []
}

function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  return phrases
    .get(words[at] ?? '')
    ?.find((phrase) => phrase.words.every((part, index) => words[at + index] === part))
}

/** A negator turns the opinion within this number of words after it. */
const reach = 3
/** Blame within this number of words after a shield is no blame. */
const shelter = 6
/** Weight of praise that is denied, as blame: "not great" is less than "bad". */
const denied = 0.75
/** Weight of blame that is denied, as praise: "no problems". */
const excused = 0.5

const isNegator = (words: readonly string[], at: number) =>
  negators.has(words[at] ?? '') || negators.has(`${words[at]} ${words[at + 1]}`)

/** Whether praise or blame stands within the reach of a negator. */
function opinionFollows(words: readonly string[], from: number): boolean {
  const after = Array.from({ length: reach }, (_, index) => phraseAt(words, from + index))
  return after.some((found) => found !== undefined && found.weight !== 0)
}

/** Weighs the words of one clause. Negation binds within the clause. */
export function opinionOf(words: readonly string[]): Opinion {
  let [good, bad, negator, shield] = [0, 0, -1 - reach, -1 - shelter]
  for (let at = 0; at < words.length; ) {
    const found = phraseAt(words, at)
    const isDenied = at - negator <= reach && words[negator + 1] !== 'only'
    if (found === undefined || found.weight === 0) {
      // Two of them affirm: "never without", "not without".
      if (found === undefined && isNegator(words, at)) {
        negator = negator >= 0 && at - negator === 1 ? -1 - reach : at
      }
      if (found === undefined && shields.has(words[at] ?? '')) shield = at
      at += found?.words.length ?? 1
      continue
    }
    const { weight } = found
    const isFormer = former.has(found.words.join(' '))
    if (isFormer && opinionFollows(words, at + found.words.length)) {
      at += found.words.length
      negator = at - 1
      continue
    }
    if (weight > 0 && isDenied) bad += weight * denied
    else if (weight > 0) good += weight
    else if (at - shield <= shelter) bad += 0
    else if (isDenied) good -= weight * excused
    else bad -= weight
    // "Lacks" blames by itself, and turns the praise after it.
    if (negators.has(words[at] ?? '')) negator = at
    at += found.words.length
  }
  return { good, bad, words: words.filter((it) => /\p{L}{2}/u.test(it)).length }
}
