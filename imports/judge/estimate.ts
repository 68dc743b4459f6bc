import { dollars, tokenCost } from '../../core/collecting/providers/cost.ts'
import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { messagesOf } from '../../core/text/judge/prompt.ts'
import type { Db } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { requireProject } from '../loads/lock.ts'
import { readJudged } from './judge.ts'
import { countPending, newestAnswers } from './judgements.ts'
import { questionsIn, questionsPerCall } from './questions.ts'

/** Answers of a project that say how many passages the next ones have. */
const sampled = 200
/** Bytes of a token, in texts of many languages: English has more characters in one, and others longer characters. */
const bytesPerToken = 4
/** A rating with its quote, as JSON. */
const tokensPerRating = 32
/** Fewer passages say too little of what the next ones take. */
const leastMeasured = 100

/** What answers have to rate, where a project has none yet: an assumption, until the project has answers to count. */
const typical = { passagesPerAnswer: 2.4, inputTokensPerPassage: 150 }

interface Sample {
  /** By answers, those that mention no tracked brand among them. */
  readonly passagesPerAnswer: number
  /** By mentions: a brand that is only named has no passage. */
  readonly passagesPerMention: number
  readonly inputTokensPerPassage: number
}

const tokensOf = (text: string) => Buffer.byteLength(text) / bytesPerToken

async function sampleOf(
  stores: { readonly db: Db; readonly warehouse: Warehouse },
  projectId: string,
): Promise<Sample> {
  const project = await requireProject(stores.db, projectId)
  const { judged, brands } = await readJudged(stores.db, project, '')
  const answers = await newestAnswers(stores.warehouse, judged, sampled)
  const found = answers.flatMap(({ text, platform }) => questionsIn(text, platform, brands))
  const questions = found.flatMap(({ brand, passage }) => (passage ? [{ brand, passage }] : []))
  if (questions.length === 0) return { ...typical, passagesPerMention: 1 }
  const calls = Array.from({ length: Math.ceil(questions.length / questionsPerCall) }, (_, at) =>
    messagesOf(questions.slice(at * questionsPerCall, (at + 1) * questionsPerCall)),
  )
  const tokens = calls.flat().reduce((sum: number, { content }) => sum + tokensOf(content), 0)
  return {
    passagesPerAnswer: questions.length / answers.length,
    passagesPerMention: questions.length / found.length,
    inputTokensPerPassage: tokens / questions.length,
  }
}

export interface EstimateOf {
  readonly projectId: string
  readonly provider: AskedProvider
  readonly model: string
  readonly version: string
  /** What the version has taken so far. */
  readonly taken?:
    | { readonly passages: number; readonly inputTokens: number; readonly outputTokens: number }
    | undefined
}

/** What a model takes for the answers of a project. */
export interface SentimentEstimate {
  /** US dollars for 1,000 answers as the newest ones; null for a model without a known price. */
  readonly costPerThousand: number | null
  /** Whether the tokens are those that the model has taken so far, and not an estimate. */
  readonly isMeasured: boolean
  readonly inputTokensPerThousand: number
  readonly outputTokensPerThousand: number
  /** Answers, and mentions in them, that the model has not rated. */
  readonly pendingAnswers: number
  readonly pendingMentions: number
  /** US dollars for them; null for a model without a known price. */
  readonly pendingCost: number | null
}

/** @throws {Fault} `not_found` */
export async function estimateSentiment(
  stores: { readonly db: Db; readonly warehouse: Warehouse },
  { projectId, provider, model, version, taken }: EstimateOf,
): Promise<SentimentEstimate> {
  const { db, warehouse } = stores
  const [sample, { judged }] = await Promise.all([
    sampleOf(stores, projectId),
    readJudged(db, await requireProject(db, projectId), version),
  ])
  const pending = await countPending(warehouse, judged)
  const isMeasured = taken !== undefined && taken.passages >= leastMeasured
  const perPassage = isMeasured
    ? { input: taken.inputTokens / taken.passages, output: taken.outputTokens / taken.passages }
    : { input: sample.inputTokensPerPassage, output: tokensPerRating }
  const tokensFor = (passages: number) => ({
    inputTokens: Math.ceil(passages * perPassage.input),
    outputTokens: Math.ceil(passages * perPassage.output),
  })
  // Some models have a price for a call beside that of its tokens, which the list counts once.
  const ofCall = await tokenCost(provider, model, { inputTokens: 0, outputTokens: 0 })
  const costOfPassages = async (passages: number) => {
    const ofTokens = await tokenCost(provider, model, tokensFor(passages))
    if (ofTokens === null) return null
    const calls = Math.ceil(passages / questionsPerCall)
    return dollars(ofTokens + (calls - 1) * (ofCall ?? 0))
  }
  const passages = {
    ofThousand: 1000 * sample.passagesPerAnswer,
    ofPending: pending.mentions * sample.passagesPerMention,
  }
  const ofThousand = tokensFor(passages.ofThousand)
  return {
    costPerThousand: await costOfPassages(passages.ofThousand),
    isMeasured,
    inputTokensPerThousand: ofThousand.inputTokens,
    outputTokensPerThousand: ofThousand.outputTokens,
    pendingAnswers: pending.answers,
    pendingMentions: pending.mentions,
    pendingCost: await costOfPassages(passages.ofPending),
  }
}
