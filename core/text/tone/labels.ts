import type { Lexicon } from './lexicon.ts'
import { formsOf, wordsOf } from './opinions.ts'

/** What stands after a label: praise after "Pros:", blame after "Cons:", facts after "Price:"; else unknown. */
export type LabelKind = 'praise' | 'blame' | 'detail' | 'unknown'

export interface Label {
  readonly kind: LabelKind
  /** Length of the label with the signs around it. */
  readonly length: number
}

const labelled = /^[^\p{L}\p{N}]{0,20}(\p{L}[^:.!?|;\n]{0,70}?)[\s*_]{0,4}:(?![/\d])[*_]{0,3}/u

/** The labels, titles and first words of one language. */
export class Labels {
  readonly #kinds: ReadonlyMap<string, LabelKind>
  readonly #titles: ReadonlyMap<string, 'praise' | 'blame'>
  /** The first words of parts that speak of no brand, by their first word. */
  readonly #sections = new Map<string, string[][]>()
  readonly #continuations: ReadonlySet<string>

  constructor(lexicon: Lexicon) {
    const { labels, titles, forms } = lexicon
    const of = <Kind extends LabelKind>(texts: readonly string[], kind: Kind) =>
      texts.flatMap((text) => formsOf(text, forms)).map((text) => [text, kind] as const)
    this.#kinds = new Map<string, LabelKind>([
      ...of(labels.detail, 'detail'),
      ...of(labels.praise, 'praise'),
      ...of(labels.blame, 'blame'),
    ])
    this.#titles = new Map([...of(titles.praise, 'praise'), ...of(titles.blame, 'blame')])
    for (const section of lexicon.sections) {
      const words = section.split(' ')
      const [first = ''] = words
      this.#sections.set(first, [...(this.#sections.get(first) ?? []), words])
    }
    this.#continuations = new Set(lexicon.continuations.flatMap((text) => formsOf(text, forms)))
  }

  /** The label at the start of a text. */
  of(text: string): Label | null {
    const found = labelled.exec(text)
    if (found === null) return null
    const name = wordsOf(found[1] ?? '').join(' ')
    return { kind: this.#kinds.get(name) ?? 'unknown', length: found[0].length }
  }

  /** What a title or label says of the brands that it lists: "Skip" is blame above a list, and in no sentence. */
  titleOf(words: readonly string[]): 'praise' | 'blame' | undefined {
    return this.#titles.get(words.join(' '))
  }

  /** Whether a text begins a part that gives general advice. */
  beginsSection(words: readonly string[]): boolean {
    const known = this.#sections.get(words[0] ?? '') ?? []
    return known.some((section) => section.every((part, at) => words[at] === part))
  }

  /** Whether a sentence can go on about the brand of the one before: "It lacks". Other names begin something else. */
  goesOn(text: string, words: readonly string[]): boolean {
    const isSentence = /^[^\p{L}\p{N}]{0,20}\p{Lu}/u.test(text)
    return !isSentence || this.#continuations.size === 0 || this.#continuations.has(words[0] ?? '')
  }
}
