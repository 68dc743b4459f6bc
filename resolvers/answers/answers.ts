import { notFound } from '../../core/errors.ts'
import { fingerprint, type PageArgs, pagination } from '../../core/pagination.ts'
import { type Tone, toneOf } from '../../core/text/sentiment.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, type Filters, readFilters } from '../shared/filters.ts'
import { isUuid } from '../shared/ids.ts'
import type { ProjectScope, Snapshot } from '../shared/scope.ts'
import { currentSnapshot, pageSnapshot } from '../shared/snapshot.ts'
import {
  answerById,
  answerCount,
  answerPage,
  citations,
  mentions,
  searchQueries,
  texts,
} from './answers.sql.ts'

/** The short columns of an answer. */
interface AnswerKey {
  readonly answerId: string
  /** UTC day. */
  readonly answerDay: string
  readonly promptId: string
  readonly platform: string
  /** Empty when unknown. */
  readonly model: string
  readonly locationId: string | null
  readonly collectedAtMs: number
}

export interface AnswerCitation {
  readonly url: string
  readonly domain: string
  readonly title: string
  readonly position: number
}

export interface AnswerMention {
  readonly brandId: string
  readonly name: string
  readonly isBrand: boolean
  readonly occurrences: number
  readonly rank: number
  readonly sentiment: Tone | null
}

const unfiltered: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
}

type OfAnswer<Row> = Row & { answerId: string }

/** Reads one part of the answers of a page, such as citations, by answer id. */
function partReader(scope: ProjectScope, snapshot: Snapshot, keys: readonly AnswerKey[]) {
  const days = keys.map((key) => key.answerDay).sort()
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' }
  // The ids suffice; days and prompts lead the order keys and narrow the scan.
  const filters = { ...unfiltered, promptIds: [...new Set(keys.map((key) => key.promptId))] }
  const params = {
    ...factParams(scope.project.id, range, filters, snapshot),
    analysis: scope.project.analysis,
    answerIds: keys.map((key) => key.answerId),
  }
  return async <Row>(id: string, sql: (facts: string) => string) => {
    const rows = await run<OfAnswer<Row>>(scope.warehouse, {
      id,
      sql: sql(factsWhere(filters, snapshot)),
      params,
    })
    return Map.groupBy(rows, (row) => row.answerId)
  }
}

function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

async function promptTexts(
  scope: ProjectScope,
  keys: readonly AnswerKey[],
): Promise<Map<string, string>> {
  const prompts = await scope.db.prompt.findMany({
    where: { projectId: scope.project.id, id: { in: [...new Set(keys.map((it) => it.promptId))] } },
    select: { id: true, text: true },
  })
  return new Map(prompts.map(({ id, text }) => [id, text]))
}

interface MentionFacts {
  brandId: string
  occurrences: number
  rank: number
  sentiment: number | null
}

/** Mentions of tracked brands, with the brand's name. */
function trackedMentions(
  { project }: ProjectScope,
  found: readonly MentionFacts[],
): AnswerMention[] {
  const names = new Map([project, ...project.competitors].map(({ id, name }) => [id, name]))
  return found.flatMap(({ brandId, occurrences, rank, sentiment }) => {
    const name = names.get(brandId)
    if (name === undefined) return []
    const isBrand = brandId === project.id
    const tone = sentiment === null ? null : toneOf(sentiment)
    return [{ brandId, name, isBrand, occurrences, rank, sentiment: tone }]
  })
}

/**
 * Complete answers in the order of `keys`. Texts, citations and mentions are read at once. Prompt texts and search
 * queries are read for the whole page on first use.
 */
async function wholeAnswers(scope: ProjectScope, snapshot: Snapshot, keys: readonly AnswerKey[]) {
  if (keys.length === 0) return []
  const read = partReader(scope, snapshot, keys)
  const [text, cited, named] = await Promise.all([
    read<{ text: string }>('answers.texts', texts),
    read<AnswerCitation>('answers.citations', citations),
    read<MentionFacts>('answers.mentions', mentions),
  ])
  const queries = lazily(() => read<{ query: string }>('answers.search-queries', searchQueries))
  const prompts = lazily(() => promptTexts(scope, keys))
  return keys.map(({ answerId, promptId, platform, model, locationId, collectedAtMs }) => {
    const mentioned = trackedMentions(scope, named.get(answerId) ?? [])
    const own = mentioned.find((mention) => mention.isBrand)
    return {
      id: answerId,
      promptId,
      platform,
      model,
      locationId,
      text: text.get(answerId)?.[0]?.text ?? '',
      brandMentioned: own !== undefined,
      position: own?.rank ?? null,
      sentiment: own?.sentiment ?? null,
      mentions: mentioned,
      citations: cited.get(answerId) ?? [],
      collectedAt: new Date(collectedAtMs).toISOString(),
      promptText: async () => (await prompts()).get(promptId) ?? '',
      searchQueries: async () => ((await queries()).get(answerId) ?? []).map((row) => row.query),
    }
  })
}

export type AnswerRow = Awaited<ReturnType<typeof wholeAnswers>>[number]

export interface AnswerListArgs extends WindowArgs, FilterArgs, PageArgs {
  mentioned?: boolean | null | undefined
}

/**
 * Answers, newest first, ties by id.
 * @throws {Fault} `not_found` for a prompt that is not of this project
 */
export async function answers(scope: ProjectScope, args: AnswerListArgs) {
  const { limit, offset, ...asked } = args
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, args)
  const snapshot = pageSnapshot(scope, fingerprint('answers', asked), offset)
  const facts = factsWhere(filters, snapshot)
  const mentioned = args.mentioned ?? null
  const params = {
    ...factParams(scope.project.id, range, filters, snapshot),
    analysis: scope.project.analysis,
  }
  const [keys, [count]] = await Promise.all([
    run<AnswerKey>(scope.warehouse, {
      id: 'answers.page',
      sql: answerPage(facts, mentioned),
      params: { ...params, limit, offset },
    }),
    run<{ total: number }>(scope.warehouse, {
      id: 'answers.count',
      sql: answerCount(facts, mentioned),
      params,
    }),
  ])
  return {
    scope,
    answers: await wholeAnswers(scope, snapshot, keys),
    pagination: pagination({ limit, offset }, keys.length, count?.total ?? 0),
    dateRange: range,
  }
}

/** All days that the warehouse can store. */
const anyDay = { from: '1970-01-01', to: '2148-12-31' }

/**
 * One answer, whatever its day.
 * @throws {Fault} `not_found`
 */
export async function answer(scope: ProjectScope, answerId: string): Promise<AnswerRow> {
  if (!isUuid(answerId)) throw notFound()
  const snapshot = currentSnapshot(scope)
  const keys = await run<AnswerKey>(scope.warehouse, {
    id: 'answers.one',
    sql: answerById(factsWhere(unfiltered, snapshot)),
    params: {
      ...factParams(scope.project.id, anyDay, unfiltered, snapshot),
      answer: answerId,
    },
  })
  const [found] = await wholeAnswers(scope, snapshot, keys)
  if (!found) throw notFound()
  return found
}
