import { sentimentsOf } from '../../core/text/answer-sentiment.ts'
import { languageOf } from '../../core/text/languages/detect.ts'
import { isExact } from '../../core/text/match-modes.ts'
import { compileBrands, type Mention } from '../../core/text/mentions.ts'
import { type Tone, toneOf, tones } from '../../core/text/sentiment.ts'
import { realData } from '../kit/real-data.ts'
import brands from './named-brands.json' with { type: 'json' }
import labels from './tone-labels.json' with { type: 'json' }

export type Half = 'tune' | 'kept'

/** A pair of a real answer and a brand, with the tone that a reader found. */
export interface Labelled {
  readonly text: string
  readonly prompt: string
  readonly platform: string
  readonly mentions: readonly Mention[]
  /** Index of the brand in `mentions`. */
  readonly brand: number
  /** `named` where the answer only names the brand; counted as neutral. */
  readonly label: Tone | 'named'
}

/** Gives each mention a tone, or null for none. */
export type Rater = (
  text: string,
  mentions: readonly Mention[],
  platform: string,
) => readonly (Tone | null | undefined)[]

/** The rules that the import counts with. */
export const lexicon: Rater = (text, mentions, platform) =>
  sentimentsOf(text, mentions, languageOf, platform).map((score) =>
    score === null ? null : toneOf(score),
  )

export const realAnswers = realData('data/answers-product-bench.jsonl')

const matcher = compileBrands(
  [...brands.brands, 'Crosley'].map((text) => ({
    id: text,
    isOwn: false,
    names: [{ text, caseSensitive: isExact(text, null) }],
    domains: [],
  })),
)

/** @throws Error where a label names a brand that its answer does not name */
export function labelled(half: Half): Labelled[] {
  const answers = realAnswers.lines.map(
    (line) => JSON.parse(line) as { text: string; prompt: string; platform: string },
  )
  return Object.entries(labels[half]).flatMap(([label, pairs]) =>
    pairs.map((pair) => {
      const space = pair.indexOf(' ')
      const answer = answers[Number(pair.slice(0, space))]
      if (answer === undefined) throw new Error(`no answer of ${pair}`)
      const mentions = matcher.find(answer.text, answer.platform)
      const brand = mentions.findIndex(({ brandId }) => brandId === pair.slice(space + 1))
      if (brand < 0) throw new Error(`the answer does not name ${pair}`)
      const { text, prompt, platform } = answer
      return { text, prompt, platform, mentions, brand, label: label as Labelled['label'] }
    }),
  )
}

interface Judged {
  readonly prompt: string
  readonly label: Tone
  readonly found: Tone
}

/** The tone that a rater finds in each pair. A mention without a tone counts as neutral. */
export function judged(pairs: readonly Labelled[], rate: Rater): Judged[] {
  return pairs.map(({ text, prompt, platform, mentions, brand, label }) => ({
    prompt,
    label: label === 'named' ? 'neutral' : label,
    found: rate(text, mentions, platform)[brand] ?? 'neutral',
  }))
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

export function accuracyOf(pairs: readonly Judged[]): number {
  return share(pairs.filter(({ label, found }) => label === found).length, pairs.length)
}

/** The mean F1 of the three tones. A tone that is neither labelled nor found does not count. */
export function macroF1Of(pairs: readonly Judged[]): number {
  const scores = tones.flatMap((tone) => {
    const labelled = pairs.filter(({ label }) => label === tone).length
    const found = pairs.filter((pair) => pair.found === tone).length
    const both = pairs.filter((pair) => pair.found === tone && pair.label === tone).length
    return labelled + found === 0 ? [] : [(2 * both) / (labelled + found)]
  })
  return share(
    scores.reduce((sum, score) => sum + score, 0),
    scores.length,
  )
}
