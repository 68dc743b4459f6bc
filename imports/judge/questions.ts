import { hash } from 'node:crypto'
import { passagesOf } from '../../core/text/judge/passages.ts'
import { type Question, scoreOf, type Verdict } from '../../core/text/judge/prompt.ts'
import type { BrandMatcher } from '../../core/text/mentions.ts'
import type { Warehouse } from '../../warehouse/run.ts'
import { paced } from '../answers/paced.ts'
import {
  type AnswerToJudge,
  answersToJudge,
  type Judged,
  type Judgement,
  knownVerdicts,
  type PendingAnswer,
  pendingAnswers,
} from './judgements.ts'

const pageAnswers = 100
/** Questions of one call. More of them share the instructions, and are lost together when a reply is cut off. */
export const questionsPerCall = 20
const lastPlace = { answerId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', day: '2100-01-01' }

/** A mention to rate, before its verdict. */
type Target = Omit<Judgement, 'verdict' | 'sentiment'>

/** A passage to ask about, and the mentions that its verdict rates. */
export interface Ask extends Question {
  readonly targets: readonly Target[]
}

/** The unrated mentions of some answers. */
export interface QuestionPage {
  /** Mentions that need no call: the brand is only named, or the judge rated the same passage before. */
  readonly settled: readonly Judgement[]
  /** Each list is one call. */
  readonly calls: readonly (readonly Ask[])[]
}

export interface JudgedBrands {
  readonly matcher: BrandMatcher
  readonly names: ReadonlyMap<string, string>
}

export const ratedAs = (targets: readonly Target[], verdict: Verdict): Judgement[] =>
  targets.map((target) => ({ ...target, verdict, sentiment: scoreOf(verdict) }))

interface Found extends Question {
  readonly target: Target
}

/** The passages of an answer, one for each brand that it mentions; empty where it only names the brand. */
export function questionsIn(
  text: string,
  platform: string,
  { matcher, names }: JudgedBrands,
): Question[] {
  const mentions = matcher.find(text, platform)
  const passages = passagesOf(text, mentions, platform)
  return mentions.map(({ brandId }, at) => ({
    brand: names.get(brandId) ?? '',
    passage: passages[at] ?? '',
  }))
}

/** The passages of an answer about the brands that wait. A brand that is no longer found has none. */
function passagesIn(
  { answerId, day, brandIds }: PendingAnswer,
  { text, platform, loadSeq }: AnswerToJudge,
  { matcher, names }: JudgedBrands,
): Found[] {
  const mentions = matcher.find(text, platform)
  const passages = passagesOf(text, mentions, platform)
  return brandIds.map((brandId) => {
    const passage = passages[mentions.findIndex((mention) => mention.brandId === brandId)] ?? ''
    const brand = names.get(brandId) ?? ''
    const key = passage === '' ? '' : hash('sha256', JSON.stringify([brand, passage]), 'hex')
    const target = {
      day,
      answer_id: answerId,
      brand_id: brandId,
      load_seq: loadSeq,
      passage_hash: key.slice(0, 32),
    }
    return { brand, passage, target }
  })
}

async function pageOf(
  warehouse: Warehouse,
  judged: Judged,
  brands: JudgedBrands,
  pending: readonly PendingAnswer[],
): Promise<QuestionPage> {
  const answers = await answersToJudge(warehouse, judged, pending)
  const found: Found[] = []
  for await (const one of paced(pending, ({ answerId }) => answers.get(answerId)?.text ?? '')) {
    const answer = answers.get(one.answerId)
    if (answer) found.push(...passagesIn(one, answer, brands))
  }
  const byPassage = Map.groupBy(found, ({ target }) => target.passage_hash)
  const unnamed = (byPassage.get('') ?? []).map(({ target }) => target)
  byPassage.delete('')
  const known = await knownVerdicts(warehouse, judged, [...byPassage.keys()])
  const settled = ratedAs(unnamed, 'none')
  const asks: Ask[] = []
  for (const [key, same] of byPassage) {
    const targets = same.map(({ target }) => target)
    const verdict = known.get(key)
    const [first] = same
    if (verdict !== undefined) settled.push(...ratedAs(targets, verdict))
    else if (first) asks.push({ brand: first.brand, passage: first.passage, targets })
  }
  // A call is about one brand: whatever a passage asks of the model, no other brand is at hand.
  const calls = [...Map.groupBy(asks, ({ brand }) => brand).values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / questionsPerCall) }, (_, at) =>
      same.slice(at * questionsPerCall, (at + 1) * questionsPerCall),
    ),
  )
  return { settled, calls }
}

/** All mentions that the judge has not rated, the newest answers first, in pages so that memory holds one page. */
export async function* questionPages(
  warehouse: Warehouse,
  judged: Judged,
  brands: JudgedBrands,
): AsyncGenerator<QuestionPage, void> {
  let after: Pick<PendingAnswer, 'answerId' | 'day'> = lastPlace
  for (;;) {
    const pending = await pendingAnswers(warehouse, judged, after, pageAnswers)
    const last = pending.at(-1)
    if (last === undefined) return
    yield await pageOf(warehouse, judged, brands, pending)
    after = last
  }
}
