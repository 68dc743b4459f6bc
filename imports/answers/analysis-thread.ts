import { LRUCache } from 'lru-cache'
import { sentimentsOf } from '../../core/text/answer-sentiment.ts'
import { languageOf } from '../../core/text/languages/detect.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import {
  type Brand,
  type BrandMatcher,
  compileBrands,
  type Mention,
} from '../../core/text/mentions.ts'

/** The parts of an answer from which brands are counted. */
export interface AnalysableAnswer {
  readonly text: string
  readonly platform: string
}

/** How an answer names a brand. */
export interface CountedMention
  extends Pick<Mention, 'brandId' | 'isOwn' | 'occurrences' | 'rank' | 'rankBasis'> {
  /** -1 to 1; null without an opinion, or where no tone was asked for. */
  readonly sentiment: number | null
}

export interface AnalysisTask {
  /** Names the brands: tasks with the same id have the same ones. */
  readonly brandsId: string
  readonly brands: readonly Brand[]
  readonly answers: readonly AnalysableAnswer[]
  readonly withTone: boolean
}

/** Those of imports that run at the same time. */
const matchers = new LRUCache<string, BrandMatcher>({ max: 8 })

async function matcherOf({ brandsId, brands }: AnalysisTask): Promise<BrandMatcher> {
  const matcher = matchers.get(brandsId) ?? compileBrands(brands, await foreignWords())
  matchers.set(brandsId, matcher)
  return matcher
}

/** Counts the brands that each answer names. */
export async function analyse(task: AnalysisTask): Promise<CountedMention[][]> {
  const matcher = await matcherOf(task)
  return task.answers.map(({ text, platform }) => {
    const found = matcher.find(text, platform)
    const tones = task.withTone ? sentimentsOf(text, found, languageOf, platform) : []
    return found.map(({ brandId, isOwn, occurrences, rank, rankBasis }, index) => ({
      brandId,
      isOwn,
      occurrences,
      rank,
      rankBasis,
      sentiment: tones[index] ?? null,
    }))
  })
}
