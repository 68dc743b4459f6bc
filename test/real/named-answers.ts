import { isExact } from '../../core/text/match-modes.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { realData } from '../kit/real-data.ts'
import labels from './named-brands.json' with { type: 'json' }

/** The real answers of both runs. The labels are of the first run. */
export const realAnswers = realData('data/answers-product-bench.jsonl')

const matcher = compileBrands(
  labels.brands.map((text) => ({
    id: text,
    isOwn: false,
    names: [{ text, caseSensitive: isExact(text, null) }],
    domains: [],
  })),
)

/** Pairs of an answer and a brand: found and labelled, found alone, labelled alone. */
export interface Named {
  readonly right: number
  readonly wrong: number
  readonly missed: number
}

/**
 * Who is named in each labelled answer, against the labels. Even places are the development half.
 * @throws Error where labels and answers differ in number
 */
export function namedAnswers(): Named[] {
  const answers = realAnswers.lines
    .map((line) => JSON.parse(line) as { text: string; platform: string; run: number })
    .filter(({ run }) => run === 1)
  if (answers.length !== labels.named.length) throw new Error(`${answers.length} answers`)
  return answers.map(({ text, platform }, index) => {
    const named = new Set(labels.named[index])
    const found = matcher.find(text, platform).map(({ brandId }) => brandId)
    const right = found.filter((brand) => named.has(brand)).length
    return { right, wrong: found.length - right, missed: named.size - right }
  })
}

const sum = (all: readonly Named[], of: keyof Named) =>
  all.reduce((total, each) => total + each[of], 0)

/** Precision, recall and F1 of some answers, and their labelled pairs. */
export function scoresOf(answers: readonly Named[]) {
  const [right, wrong, missed] = [
    sum(answers, 'right'),
    sum(answers, 'wrong'),
    sum(answers, 'missed'),
  ]
  return {
    pairs: right + missed,
    precision: right / (right + wrong),
    recall: right / (right + missed),
    f1: (2 * right) / (2 * right + wrong + missed),
  }
}
