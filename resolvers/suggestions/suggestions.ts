import { idOf } from '../../core/ids.ts'
import { fingerprint, type PageArgs, pagination } from '../../core/pagination.ts'
import { counted } from '../../core/text/counted.ts'
import { resolveWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { mostFirst } from '../shared/count-map.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type Filters, readFilters } from '../shared/filters.ts'
import { filterMeaning } from '../shared/lists/meaning.ts'
import { pageSnapshot } from '../shared/lists/snapshot.ts'
import { platformNamesIn } from '../shared/platform-names.ts'
import type { ProjectScope, Snapshot } from '../shared/scope.ts'
import { suggestionDetails, suggestionPage, wordings } from './suggestions.sql.ts'

/** The days that suggestions look back. */
export const suggestionDays = 90

const suggestionWindow = { defaultDays: suggestionDays, maxDays: suggestionDays }

export interface SuggestionArgs extends PageArgs {
  topicId?: readonly string[] | null | undefined
  /** True lists those that somebody dismissed, in place of all others. */
  isDismissed?: boolean | null | undefined
}

/** The id of a suggestion, by its case-folded text. */
export const suggestionId = (projectId: string, compared: string) =>
  idOf(projectId, 'suggestion', compared)

interface Candidate {
  /** The case-folded text. */
  readonly compared: string
  /** The most frequent spelling. */
  readonly text: string
  /** Answers whose platform searched for it. */
  readonly responses: number
  readonly spellings: readonly string[]
  readonly total: number
  readonly place: number
}

interface Details {
  readonly compared: string
  /** Answers by prompt, and by platform. */
  readonly prompts: Readonly<Record<string, number>>
  readonly platforms: Readonly<Record<string, number>>
  readonly firstSeenMs: number
}

interface TopicName {
  readonly id: string
  readonly name: string
}

/** The WHERE clause over the facts of the window, and its values. */
interface Facts {
  readonly where: string
  readonly params: Readonly<Record<string, unknown>>
}

function factsOf(scope: ProjectScope, filters: Filters, snapshot: Snapshot): Facts {
  const range = resolveWindow({}, suggestionWindow, scope.now)
  return {
    where: factsWhere(filters, snapshot),
    params: factParams(scope.project.id, range, filters, snapshot),
  }
}

/** Every current and earlier wording of the project's prompts, sorted. */
export async function wordingsOf({ db, project }: ProjectScope): Promise<string[]> {
  const known = await db.$queryRawUnsafe<{ text: string }[]>(wordings, project.id)
  return known.map(({ text }) => text).sort()
}

async function dismissedIn({ db, project }: ProjectScope): Promise<string[]> {
  const rows = await db.dismissedSuggestion.findMany({
    where: { projectId: project.id },
    orderBy: { id: 'asc' },
    select: { text: true },
  })
  return rows.map(({ text }) => text)
}

async function candidates(
  scope: ProjectScope,
  facts: Facts,
  isDismissed: boolean,
  page: PageArgs,
): Promise<Candidate[]> {
  const [texts, dismissed] = await Promise.all([wordingsOf(scope), dismissedIn(scope)])
  return run<Candidate>(scope.warehouse, {
    id: 'suggestions.page',
    frozen: true,
    sql: suggestionPage(facts.where, isDismissed),
    params: { ...facts.params, ...page, wordings: texts, dismissed },
  })
}

async function detailsOf(
  scope: ProjectScope,
  facts: Facts,
  page: readonly Candidate[],
): Promise<Map<string, Details>> {
  if (page.length === 0) return new Map()
  const rows = await run<Details>(scope.warehouse, {
    id: 'suggestions.details',
    frozen: true,
    sql: suggestionDetails(facts.where),
    params: { ...facts.params, spellings: page.flatMap(({ spellings }) => spellings) },
  })
  return new Map(rows.map((row) => [row.compared, row]))
}

/** The first topic of each prompt, within the topic filter. */
async function firstTopics(
  { db, project }: ProjectScope,
  promptIds: readonly string[],
  asked: readonly string[] | null | undefined,
): Promise<Map<string, TopicName>> {
  const prompts = await db.prompt.findMany({
    where: { projectId: project.id, id: { in: [...promptIds] } },
    select: {
      id: true,
      topics: {
        ...(asked && asked.length > 0 ? { where: { topicId: { in: [...asked] } } } : {}),
        orderBy: [{ position: 'asc' }, { topicId: 'asc' }],
        take: 1,
        select: { topic: { select: { id: true, name: true } } },
      },
    },
  })
  return new Map(
    prompts.flatMap(({ id, topics: [first] }) => (first ? [[id, first.topic] as const] : [])),
  )
}

/** The topic with most answers to its prompts, ties by id; null when no prompt has a topic. */
function topicOf(
  prompts: Details['prompts'],
  topics: ReadonlyMap<string, TopicName>,
): TopicName | null {
  const counts: Record<string, number> = {}
  const names = new Map<string, TopicName>()
  for (const [promptId, answers] of Object.entries(prompts)) {
    const topic = topics.get(promptId)
    if (topic === undefined) continue
    names.set(topic.id, topic)
    counts[topic.id] = (counts[topic.id] ?? 0) + answers
  }
  const [first] = mostFirst(counts)
  return (first !== undefined && names.get(first)) || null
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

function reasonOf(responses: number, prompts: number, names: readonly string[]): string {
  return `Asked in ${counted(responses, 'answer')} to ${counted(prompts, 'prompt')} on ${listed.format(names)}; no prompt tracks it.`
}

/**
 * A page of sub-queries that at least two answers share and that no prompt has, or had, as its wording, without those
 * that somebody dismissed, or those alone. Most shared first, ties by text.
 * @throws {Fault} `not_found` for a topic of another project
 */
export async function suggestedPrompts(
  scope: ProjectScope,
  { topicId, isDismissed, limit, offset }: SuggestionArgs,
) {
  const filters = await readFilters(scope, { topicId })
  const list = fingerprint('suggestions', {
    ...filterMeaning({ topicId }),
    // Cursors of the usual list stay as they were.
    isDismissed: isDismissed || null,
  })
  const snapshot = pageSnapshot(scope, list, offset)
  const facts = factsOf(scope, filters, snapshot)
  const rows = await candidates(scope, facts, isDismissed === true, { limit, offset })
  const page = rows.filter(({ place }) => place > offset)
  const details = await detailsOf(scope, facts, page)
  const promptIds = new Set([...details.values()].flatMap((it) => Object.keys(it.prompts)))
  const topics = await firstTopics(scope, [...promptIds], topicId)
  const shown = [...details.values()].flatMap(({ platforms }) => Object.keys(platforms))
  const nameOf = await platformNamesIn(scope.db, scope.project.id, new Set(shown))
  const suggestions = page.flatMap(({ compared, text, responses }) => {
    const found = details.get(compared)
    if (found === undefined) return []
    const platformIds = mostFirst(found.platforms)
    const promptsCount = Object.keys(found.prompts).length
    return {
      projectId: scope.project.id,
      id: suggestionId(scope.project.id, compared),
      text,
      topic: topicOf(found.prompts, topics),
      reason: reasonOf(responses, promptsCount, platformIds.map(nameOf)),
      createdAt: new Date(found.firstSeenMs),
      responses,
      promptsCount,
      platforms: platformIds,
    }
  })
  return {
    scope,
    suggestions,
    pagination: pagination({ limit, offset }, page.length, rows[0]?.total ?? 0),
  }
}

export type Suggestion = Awaited<ReturnType<typeof suggestedPrompts>>['suggestions'][number]
