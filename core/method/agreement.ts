import { type Obtained, waysToObtain } from '../collecting/obtained.ts'
import { type Bounds, intervalsOf, type Kind, type Sample } from '../intervals/intervals.ts'
import { pairedInterval } from '../intervals/paired.ts'

/** An answer to a question that was asked in several ways on the same day. */
export interface PairedAnswer {
  readonly promptId: string
  /** UTC day, `YYYY-MM-DD`. */
  readonly day: string
  readonly locationId: string
  /** The AI platform, whose page and API are one here. */
  readonly platform: string
  readonly obtained: Obtained
  readonly isOwnMentioned: boolean
  /** The brand that the answer mentions first; empty without one. */
  readonly firstBrand: string
  /** Each once. */
  readonly domains: readonly string[]
}

/** How often pairs of answers agree. */
export interface Agreeing {
  /** Questions that count: those in which one answer of a pair says something. */
  readonly questions: number
  /** From 0 to 1; null without such questions. */
  readonly rate: number | null
  /** The 95 % interval for other prompts like these; null below two prompts. */
  readonly interval: Bounds | null
}

/** How far two ways to obtain answers agree on one AI platform. */
export interface Agreement {
  readonly platform: string
  readonly ways: readonly [Obtained, Obtained]
  readonly prompts: number
  /** Prompts at a location on a day, with answers of both ways. */
  readonly questions: number
  /** Shares of the answers that mention the own brand, from 0 to 1; each question counts once. */
  readonly visibility: readonly [number, number]
  /** The 95 % interval of the difference, the second less the first; null below 5 prompts or 30 questions. */
  readonly difference: Bounds | null
  /** Both answers mention the own brand, or neither does. */
  readonly mentions: Agreeing
  /** The same brand comes first, where an answer mentions one. */
  readonly firsts: Agreeing
  /** Cited domains that are in both, of those in either. */
  readonly domains: Agreeing
}

type Pair = readonly [PairedAnswer, PairedAnswer]

/** All pairs of an answer of one way and an answer of another; of one way, each two answers once. */
function pairsOf(answers: readonly PairedAnswer[], [one, other]: Agreement['ways']): Pair[] {
  const first = answers.filter(({ obtained }) => obtained === one)
  if (one !== other) {
    const second = answers.filter(({ obtained }) => obtained === other)
    return first.flatMap((a) => second.map((b) => [a, b] as const))
  }
  return first.flatMap((a, at) => first.slice(at + 1).map((b) => [a, b] as const))
}

/** How far a pair agrees, from 0 to 1; null where neither answer says anything. */
type Measure = (pair: Pair) => number | null

const measures = {
  mentions: ([a, b]) => Number(a.isOwnMentioned === b.isOwnMentioned),
  firsts: ([a, b]) =>
    a.firstBrand === '' && b.firstBrand === '' ? null : Number(a.firstBrand === b.firstBrand),
  domains: ([a, b]) => {
    const all = new Set([...a.domains, ...b.domains])
    const both = a.domains.length + b.domains.length - all.size
    return all.size === 0 ? null : both / all.size
  },
} satisfies Record<string, Measure>

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** A question with its pairs. */
interface Question {
  readonly promptId: string
  readonly pairs: readonly Pair[]
}

/** The sums that an interval needs: each question counts once, however many pairs it has. */
function sampleOf(
  values: readonly { readonly promptId: string; readonly value: number }[],
): Sample {
  const byPrompt = [...Map.groupBy(values, ({ promptId }) => promptId).values()].map((own) => ({
    a: own.reduce((sum, { value }) => sum + value, 0),
    b: own.length,
  }))
  const sumOf = <Item>(items: readonly Item[], part: (item: Item) => number) =>
    items.reduce((sum, item) => sum + part(item), 0)
  return {
    a: sumOf(values, ({ value }) => value),
    b: values.length,
    prompts: byPrompt.length,
    ofAnswers: {
      aa: sumOf(values, ({ value }) => value ** 2),
      ab: sumOf(values, ({ value }) => value),
      bb: values.length,
    },
    ofPrompts: {
      aa: sumOf(byPrompt, ({ a }) => a ** 2),
      ab: sumOf(byPrompt, ({ a, b }) => a * b),
      bb: sumOf(byPrompt, ({ b }) => b ** 2),
      bbb: sumOf(byPrompt, ({ b }) => b ** 3),
      bbbb: sumOf(byPrompt, ({ b }) => b ** 4),
    },
    ofStrata: null,
  }
}

function agreeing(questions: readonly Question[], measure: Measure, kind: Kind): Agreeing {
  const values = questions.flatMap(({ promptId, pairs }) => {
    const found = pairs.flatMap((pair) => measure(pair) ?? [])
    return found.length === 0 ? [] : { promptId, value: meanOf(found) }
  })
  if (values.length === 0) return { questions: 0, rate: null, interval: null }
  const sample = sampleOf(values)
  return {
    questions: values.length,
    rate: sample.a / sample.b,
    interval: intervalsOf(sample, kind).questions,
  }
}

/** The share of answers that mention the own brand, on one side of the pairs of a question. */
const rateOn = ({ pairs }: Question, side: 0 | 1) =>
  meanOf(pairs.map((pair) => Number(pair[side].isOwnMentioned)))

function agreementOf(
  platform: string,
  ways: Agreement['ways'],
  questions: readonly Question[],
): Agreement {
  const byPrompt = [...Map.groupBy(questions, ({ promptId }) => promptId).values()]
  const fraction = (own: readonly Question[], side: 0 | 1) => ({
    n: own.reduce((sum, question) => sum + rateOn(question, side), 0),
    d: own.length,
  })
  const [first, second] = [fraction(questions, 0), fraction(questions, 1)]
  return {
    platform,
    ways,
    prompts: byPrompt.length,
    questions: questions.length,
    visibility: [first.n / first.d, second.n / second.d],
    difference: pairedInterval(
      byPrompt.map((own) => ({ before: fraction(own, 0), now: fraction(own, 1) })),
    ),
    mentions: agreeing(questions, measures.mentions, 'proportion'),
    firsts: agreeing(questions, measures.firsts, 'proportion'),
    domains: agreeing(questions, measures.domains, 'share'),
  }
}

/** Two ways, and each way with itself: the latter says how far answers agree that were obtained alike. */
const pairsOfWays: readonly Agreement['ways'][] = waysToObtain.flatMap((one, at) =>
  waysToObtain.slice(at).map((other) => [one, other] as const),
)

/**
 * How far the ways to obtain answers agree, by AI platform: the same prompt at the same location on the same UTC day.
 * A way is compared with itself where a question has two of its answers. Other ways first, most questions first.
 */
export function agreementsOf(answers: readonly PairedAnswer[]): Agreement[] {
  const byPlatform = Map.groupBy(answers, ({ platform }) => platform)
  return [...byPlatform]
    .flatMap(([platform, own]) => {
      const units = Map.groupBy(own, (it) => `${it.promptId} ${it.day} ${it.locationId}`)
      const questions = [...units.values()]
      return pairsOfWays.flatMap((ways) => {
        const paired = questions.flatMap((unit) => {
          const pairs = pairsOf(unit, ways)
          const [first] = unit
          return pairs.length === 0 || !first ? [] : { promptId: first.promptId, pairs }
        })
        return paired.length === 0 ? [] : agreementOf(platform, ways, paired)
      })
    })
    .sort(
      (a, b) =>
        Number(a.ways[0] === a.ways[1]) - Number(b.ways[0] === b.ways[1]) ||
        b.questions - a.questions ||
        a.platform.localeCompare(b.platform),
    )
}
