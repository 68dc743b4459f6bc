import lexicon from '../../data/tone-lexicon.json' with { type: 'json' }
import { wordsOf } from './opinions.ts'

/** What stands after a label: praise after "Pros:", blame after "Cons:", facts after "Price:"; else unknown. */
export type LabelKind = 'praise' | 'blame' | 'detail' | 'unknown'

const kinds = new Map<string, LabelKind>([
  ...lexicon.labels.detail.map((label) => [label, 'detail'] as const),
  ...lexicon.labels.praise.map((label) => [label, 'praise'] as const),
  ...lexicon.labels.blame.map((label) => [label, 'blame'] as const),
])

export interface Label {
  readonly kind: LabelKind
  /** Length of the label with the signs around it. */
  readonly length: number
}

const labelled = /^[^\p{L}\p{N}]{0,20}(\p{L}[^:.!?|;\n]{0,70}?)[\s*_]{0,4}:(?![/\d])[*_]{0,3}/u

/** The label at the start of a text. */
export function labelOf(text: string): Label | null {
  const found = labelled.exec(text)
  if (found === null) return null
  const name = wordsOf(found[1] ?? '').join(' ')
  return { kind: kinds.get(name) ?? 'unknown', length: found[0].length }
}

const titles = new Map<string, 'praise' | 'blame'>([
  ...lexicon.titles.praise.map((title) => [title, 'praise'] as const),
  ...lexicon.titles.blame.map((title) => [title, 'blame'] as const),
])

/** What a title or label says of the brands that it lists: "Skip" is blame above a list, and in no sentence. */
export const titleOf = (words: readonly string[]): 'praise' | 'blame' | undefined =>
  titles.get(words.join(' '))

/** The first words of parts that speak of no brand, by their first word. */
const sections = new Map<string, string[][]>()
for (const section of lexicon.sections) {
  const words = section.split(' ')
  const [first = ''] = words
  sections.set(first, [...(sections.get(first) ?? []), words])
}

/** Whether a text begins a part that gives general advice. */
export function beginsSection(words: readonly string[]): boolean {
  const known = sections.get(words[0] ?? '') ?? []
  return known.some((section) => section.every((part, at) => words[at] === part))
}

const continuations = new Set(lexicon.continuations)

/** Whether a sentence can go on about the brand of the one before: "It lacks". Other names begin something else. */
export function goesOn(text: string, words: readonly string[]): boolean {
  const isSentence = /^[^\p{L}\p{N}]{0,20}\p{Lu}/u.test(text)
  return !isSentence || continuations.has(words[0] ?? '')
}
