import type { Lexicon } from './lexicon.ts'

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

const word = /[\p{L}\p{N}]+(?:'\p{L}+)*/gu

/** Stands in the place of names, character by character. It is a capital letter, as a sentence begins with one. */
export const nameSign = '\u10a0'

/** The words of a text in lower case, without names. A hyphen parts words: "easy-to-use" is three. */
export function wordsOf(text: string): string[] {
  const named = text.includes(nameSign) ? text.replaceAll(nameSign, ' ') : text
  const lower = named.toLowerCase()
  return (lower.includes('’') ? lower.replaceAll('’', "'") : lower).match(word) ?? []
}

/** The same for a language whose apostrophes part words: "l'aide" is two. */
export const elidedWordsOf = (text: string): string[] => wordsOf(text.replace(/['’]/g, ' '))

/** The texts that a text with marked words stands for. */
export function formsOf(text: string, forms: Lexicon['forms']): string[] {
  return text.split(' ').reduce<string[]>(
    (texts, part) => {
      const endings = forms[part.slice(-1)]
      const stem = endings ? part.slice(0, -1) : part
      return texts.flatMap((begun) =>
        (endings ?? ['']).map((ending) => (begun === '' ? '' : `${begun} `) + stem + ending),
      )
    },
    [''],
  )
}

/** A negator turns the opinion within this number of words after it. */
const reach = 3
/** Blame within this number of words after a shield is no blame. */
const shelter = 6
/** Weight of praise that is denied, as blame: "not great" is less than "bad". */
const denied = 0.75
/** Weight of blame that is denied, as praise: "no problems". */
const excused = 0.5

/** The opinion of what was and is over: praise that is gone is blame. */
export const turned = ({ good, bad, words }: Opinion): Opinion => ({
  good: bad * excused,
  bad: good * denied,
  words,
})

/** The opinion of faults that are mended. */
export const mendedOf = ({ good, bad, words }: Opinion): Opinion => ({
  good: good + bad * excused,
  bad: 0,
  words,
})

const holds = (words: readonly string[], phrase: readonly string[]) =>
  words.some((_, at) => phrase.every((part, index) => words[at + index] === part))

/** Weighs the words of clauses in one language. */
export class Opinions {
  /** By their first word, the longest first. */
  readonly #phrases = new Map<string, Phrase[]>()
  readonly #former: ReadonlySet<string>
  readonly #past: readonly (readonly string[])[]
  readonly #dismissals: readonly (readonly string[])[]
  readonly #negators: ReadonlySet<string>
  readonly #verbs: ReadonlySet<string>
  readonly #shields: ReadonlySet<string>
  readonly #menders: ReadonlySet<string>
  readonly #toMend: ReadonlySet<string>
  readonly #mended: RegExp
  readonly #forms: Lexicon['forms']

  constructor(lexicon: Lexicon) {
    this.#forms = lexicon.forms
    const set = (texts: readonly string[]) =>
      new Set(texts.flatMap((text) => formsOf(text, lexicon.forms)))
    this.#learn(lexicon.neither, 0)
    for (const [strength, weight] of Object.entries(weights)) {
      this.#learn(lexicon.positive[strength as keyof typeof weights], weight)
      this.#learn(lexicon.negative[strength as keyof typeof weights], -weight)
    }
    this.#learn(lexicon.former, -weights.plain)
    for (const known of this.#phrases.values()) {
      known.sort((a, b) => b.words.length - a.words.length)
    }
    this.#former = set(lexicon.former)
    this.#past = lexicon.past.map((text) => text.split(' '))
    this.#dismissals = lexicon.dismissals.map((text) => text.split(' '))
    this.#negators = set(lexicon.negators)
    this.#verbs = set(lexicon.verbs)
    this.#shields = set([...lexicon.shields, ...lexicon.menders, ...lexicon.toMend])
    this.#menders = set(lexicon.menders)
    this.#toMend = set(lexicon.toMend)
    this.#mended = new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${lexicon.mended.join('|')})(?![\p{L}\p{N}])`,
      'gu',
    )
  }

  #learn(texts: readonly string[], weight: number): void {
    for (const text of texts.flatMap((marked) => formsOf(marked, this.#forms))) {
      const words = text.split(' ')
      const [first = ''] = words
      this.#phrases.set(first, [...(this.#phrases.get(first) ?? []), { words, weight }])
    }
  }

  #phraseAt(words: readonly string[], at: number): Phrase | undefined {
    return this.#phrases
      .get(words[at] ?? '')
      ?.find((phrase) => phrase.words.every((part, index) => words[at + index] === part))
  }

  #isNegator(words: readonly string[], at: number): boolean {
    return (
      this.#negators.has(words[at] ?? '') || this.#negators.has(`${words[at]} ${words[at + 1]}`)
    )
  }

  /** Whether praise or blame stands within the reach of a negator. */
  #opinionFollows(words: readonly string[], from: number): boolean {
    const after = Array.from({ length: reach }, (_, index) => this.#phraseAt(words, from + index))
    return after.some((found) => found !== undefined && found.weight !== 0)
  }

  /** Whether a negator after a verb of opinion turns it: "empfehle ich nicht". */
  #isDeniedAfter(words: readonly string[], at: number, next: number): boolean {
    if (!this.#verbs.has(words[at] ?? '')) return false
    for (let after = next; after < Math.min(words.length, next + reach + 1); after++) {
      if (this.#isNegator(words, after)) return !this.#opinionFollows(words, after + 1)
    }
    return false
  }

  /** Whether words speak of a time that is over: "formerly". */
  isPast(words: readonly string[]): boolean {
    return this.#past.some((phrase) => holds(words, phrase))
  }

  /** Whether words set aside what others blame: "wrongly", "unfounded". */
  dismisses(words: readonly string[]): boolean {
    return this.#dismissals.some((phrase) => holds(words, phrase))
  }

  /** Whether words say that the fault before them is mended: "has been fixed". */
  isMended(words: readonly string[]): boolean {
    const text = words.join(' ')
    return [...text.matchAll(this.#mended)].some(({ index }) => {
      const at = text.slice(0, index).split(' ').length - 1
      return !Array.from({ length: reach }, (_, back) => at - 1 - back).some((before) =>
        this.#isNegator(words, before),
      )
    })
  }

  /** Whether a verb of mending is denied: "has not fixed", "did not fix". */
  #isUndone(words: readonly string[], at: number, negator: number): boolean {
    const word = words[at] ?? ''
    return at - negator <= (this.#menders.has(word) ? reach : this.#toMend.has(word) ? 1 : 0)
  }

  /** Weighs the words of one clause. Negation binds within the clause. */
  of(words: readonly string[]): Opinion {
    let [good, bad, negator, shield] = [0, 0, -1 - reach, -1 - shelter]
    // "Lacks" blames by itself, and turns the praise after it but no blame.
    let isBlame = false
    for (let at = 0; at < words.length; ) {
      const found = this.#phraseAt(words, at)
      const next = at + (found?.words.length ?? 1)
      if (found === undefined || found.weight === 0) {
        // Two of them affirm: "never without", "not without".
        if (found === undefined && this.#isNegator(words, at)) {
          negator = negator >= 0 && at - negator === 1 ? -1 - reach : at
          isBlame = false
        }
        if (found === undefined && this.#shields.has(words[at] ?? '')) {
          // "Has not fixed the crashes" leaves the blame whole.
          if (this.#isUndone(words, at, negator)) negator = -1 - reach
          else shield = at
        }
        at = next
        continue
      }
      const { weight } = found
      const isDenied =
        (at - negator <= reach && words[negator + 1] !== 'only' && !(isBlame && weight < 0)) ||
        this.#isDeniedAfter(words, at, next)
      const isFormer = this.#former.has(found.words.join(' '))
      if (isFormer && this.#opinionFollows(words, next)) {
        at = next
        negator = at - 1
        isBlame = false
        continue
      }
      if (weight > 0 && isDenied) bad += weight * denied
      else if (weight > 0) good += weight
      else if (at - shield <= shelter)
        good -= this.#menders.has(words[shield] ?? '') ? weight * excused : 0
      else if (isDenied) good -= weight * excused
      else bad -= weight
      if (this.#negators.has(words[at] ?? '')) {
        negator = at
        isBlame = true
      }
      at = next
    }
    return { good, bad, words: words.filter((it) => /\p{L}{2}/u.test(it)).length }
  }
}
