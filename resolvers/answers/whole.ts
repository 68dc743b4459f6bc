import { parsePrice } from '../../core/prices.ts'
import type { RankBasis } from '../../core/text/ranks/numbered.ts'
import { type Tone, toneOf } from '../../core/text/sentiment.ts'
import { run } from '../../warehouse/run.ts'
import type { Filters } from '../shared/filters.ts'
import { ownRatings } from '../shared/judged.ts'
import { lazily } from '../shared/lazily.ts'
import { factsOf } from '../shared/many.ts'
import type { NarrowingArgs } from '../shared/narrowing.ts'
import { requireFeature } from '../shared/plan.ts'
import type { ProjectScope, Snapshot } from '../shared/scope.ts'
import {
  ads,
  citations,
  mentions,
  products,
  retrievedUrls,
  searchQueries,
  texts,
} from './answers.sql.ts'

/** The short columns of an answer. */
export interface AnswerKey {
  readonly answerId: string
  /** UTC day. */
  readonly answerDay: string
  readonly promptId: string
  readonly platform: string
  /** Empty when unknown. */
  readonly model: string
  readonly locationId: string | null
  readonly collectedAtMs: number
  /** About what the answer adds to a response. */
  readonly sizeBytes: number
}

/** The short columns of an answer of a project, read at a snapshot. */
export interface AnswerOfProject {
  readonly scope: ProjectScope
  readonly snapshot: Snapshot
  readonly key: AnswerKey
}

export interface AnswerCitation {
  readonly projectId: string
  readonly url: string
  readonly domain: string
  readonly title: string
  readonly position: number
}

export interface AnswerMention {
  readonly projectId: string
  readonly brandId: string
  readonly name: string
  readonly isBrand: boolean
  readonly occurrences: number
  readonly rank: number
  /** What gave the rank. */
  readonly rankBasis: RankBasis
  readonly sentiment: Tone | null
}

/** What answers were looked for by, which their snippets show. */
export type LookedFor = Pick<NarrowingArgs, 'search' | 'brands' | 'sentiment'>

/** A product that an answer shows. */
export interface AnswerProduct {
  readonly id: string
  readonly name: string
  /** Null when the answer names none. */
  readonly brand: string | null
  /** Place among the products of the answer, from 1. */
  readonly rank: number
  readonly price: number | null
  /** ISO 4217. */
  readonly currency: string | null
}

interface ProductFacts {
  readonly productId: string
  readonly place: number
  readonly product: string
  readonly maker: string
  readonly priceText: string
}

function productOf({ productId, place, product, maker, priceText }: ProductFacts): AnswerProduct {
  const { amount = null, currency = null } = parsePrice(priceText) ?? {}
  const brand = maker || null
  return { id: productId, name: product, brand, rank: place, price: amount, currency }
}

/** An ad that an answer shows. A text is empty when the ad has none. */
export interface AnswerAd {
  readonly adId: string
  readonly place: number
  readonly name: string
  readonly site: string
  readonly headline: string
  readonly address: string
}

export const unfiltered: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
}

/** All days that the warehouse can store. */
export const anyDay = { from: '1970-01-01', to: '2148-12-31' }

type OfAnswer<Row> = Row & { answerId: string }

/** Reads one part of answers, such as citations, by answer id: one statement for the answers of all projects. */
function partReader(found: readonly AnswerOfProject[]) {
  const days = found.map(({ key }) => key.answerDay).sort()
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' }
  // The ids suffice; days and prompts lead the order keys and narrow the scan.
  const promptIds = [...new Set(found.map(({ key }) => key.promptId))]
  const filters = { ...unfiltered, promptIds }
  const projects = new Map(found.map((answer) => [answer.scope.project.id, answer]))
  const scopes = [...projects.values()].map(({ scope: { project }, snapshot }) => {
    return { projectId: project.id, snapshot, analysis: project.analysis }
  })
  const { where, params: ofFacts } = factsOf({ filters, scopes, slices: null }, range)
  const params = {
    ...ofFacts,
    answerIds: [...new Set(found.map(({ key }) => key.answerId))],
    ...ownRatings(found.map(({ scope }) => scope)).params,
  }
  return async <Row>(id: string, sql: (facts: string) => string) => {
    const [first] = found
    if (first === undefined) return new Map<string, OfAnswer<Row>[]>()
    const query = { id, settled: true, sql: sql(where), params }
    const rows = await run<OfAnswer<Row>>(first.scope.warehouse, query)
    return Map.groupBy(rows, (row) => row.answerId)
  }
}

async function promptTexts(found: readonly AnswerOfProject[]): Promise<Map<string, string>> {
  const [first] = found
  if (first === undefined) return new Map()
  const prompts = await first.scope.db.prompt.findMany({
    where: {
      projectId: { in: [...new Set(found.map(({ scope }) => scope.project.id))] },
      id: { in: [...new Set(found.map(({ key }) => key.promptId))] },
    },
    select: { id: true, text: true },
  })
  return new Map(prompts.map(({ id, text }) => [id, text]))
}

interface MentionFacts {
  brandId: string
  occurrences: number
  rank: number
  rankBasis: RankBasis
  sentiment: number | null
}

/** Mentions of tracked brands, with the brand's name. */
function trackedMentions(
  { project }: ProjectScope,
  found: readonly MentionFacts[],
): AnswerMention[] {
  const names = new Map([project, ...project.competitors].map(({ id, name }) => [id, name]))
  return found.flatMap(({ brandId, sentiment, ...counted }) => {
    const name = names.get(brandId)
    if (name === undefined) return []
    const isBrand = brandId === project.id
    const tone = sentiment === null ? null : toneOf(sentiment)
    const projectId = project.id
    return [{ projectId, brandId, name, isBrand, ...counted, sentiment: tone }]
  })
}

/**
 * Complete answers in the order of `found`, of one project or of several. Texts, citations and mentions are read at
 * once. Prompt texts and search queries are read for all answers on first use.
 * @param shown what the answers were looked for by
 */
export async function wholeAnswers(found: readonly AnswerOfProject[], shown: LookedFor = {}) {
  if (found.length === 0) return []
  const read = partReader(found)
  const { isJudged } = ownRatings(found.map(({ scope }) => scope))
  const [text, cited, named] = await Promise.all([
    read<{ text: string }>('answers.texts', texts),
    read<Omit<AnswerCitation, 'projectId'>>('answers.citations', citations),
    read<MentionFacts>('answers.mentions', mentions(isJudged)),
  ])
  const queries = lazily(() => read<{ query: string }>('answers.search-queries', searchQueries))
  const withProducts = lazily(() => read<ProductFacts>('answers.products', products))
  const advertised = lazily(() => read<AnswerAd>('answers.ads', ads))
  const retrieved = lazily(() =>
    read<Omit<AnswerCitation, 'projectId'>>('answers.retrieved', retrievedUrls),
  )
  const prompts = lazily(() => promptTexts(found))
  return found.map(({ scope, key }) => {
    const { answerId, promptId, platform, model, locationId, collectedAtMs } = key
    const projectId = scope.project.id
    const mentioned = trackedMentions(scope, named.get(answerId) ?? [])
    const own = mentioned.find((mention) => mention.isBrand)
    return {
      id: answerId,
      projectId,
      promptId,
      platform,
      model,
      locationId,
      text: text.get(answerId)?.[0]?.text ?? '',
      lookedFor: { search: shown.search, brands: shown.brands, sentiment: shown.sentiment },
      brandMentioned: own !== undefined,
      position: own?.rank ?? null,
      sentiment: own?.sentiment ?? null,
      mentions: mentioned,
      citations: (cited.get(answerId) ?? []).map((row): AnswerCitation => ({ projectId, ...row })),
      collectedAt: new Date(collectedAtMs).toISOString(),
      promptText: async () => (await prompts()).get(promptId) ?? '',
      /**
       * Null when the import did not look for products.
       * @throws {Fault} `plan_upgrade_required` when there are some, on a plan without shopping analytics
       */
      products: async () => {
        const rows = (await withProducts()).get(answerId)?.filter((row) => row.productId !== '')
        if (rows?.length) requireFeature(scope.project.plan, 'shopping')
        return rows?.map(productOf) ?? null
      },
      /** Null when the import did not look for ads. */
      ads: async () => (await advertised()).get(answerId)?.filter((row) => row.adId !== '') ?? null,
      retrievedUrls: async () =>
        ((await retrieved()).get(answerId) ?? []).map(
          (row): AnswerCitation => ({ projectId, ...row }),
        ),
      searchQueries: async () => ((await queries()).get(answerId) ?? []).map((row) => row.query),
    }
  })
}

export type AnswerRow = Awaited<ReturnType<typeof wholeAnswers>>[number]
