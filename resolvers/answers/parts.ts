import { type Tone, toneOf } from '../../core/text/sentiment.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import type { Filters } from '../shared/filters.ts'
import type { ProjectScope, Snapshot } from '../shared/scope.ts'
import { citations, mentions, searchQueries, texts } from './answers.sql.ts'

/** An answer without what is long or hangs on it. */
export interface AnswerKey {
  readonly answerId: string
  /** UTC day. */
  readonly answerDay: string
  readonly promptId: string
  readonly platform: string
  /** The empty string where none is known. */
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

export const unfiltered: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
}

type OfAnswer<Row> = Row & { answerId: string }

/** Reads what hangs on the answers of a page, by answer. */
function partReader(scope: ProjectScope, snapshot: Snapshot, keys: readonly AnswerKey[]) {
  const days = keys.map((key) => key.answerDay).sort()
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' }
  // The ids say it all; days and prompts lead the order keys, and spare the engine what is not near.
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

/** The tracked brands among those named, with their names. */
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
 * The answers whole, in the order of `keys`. Texts, citations and mentions are read at once; prompts and search
 * queries when the first answer of the page is asked for them, then for all of it.
 */
export async function wholeAnswers(
  scope: ProjectScope,
  snapshot: Snapshot,
  keys: readonly AnswerKey[],
) {
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
