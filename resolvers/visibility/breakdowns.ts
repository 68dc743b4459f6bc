import type { HistoryInterval } from '../../core/buckets.ts'
import { difference } from '../../core/metrics.ts'
import { fingerprint, type PageArgs, pagination } from '../../core/pagination.ts'
import { resolveWindow, yearWindow } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import { run } from '../../warehouse/run.ts'
import { askedOf } from '../shared/asked.ts'
import { groupByProject } from '../shared/by-project.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import { listMeaning } from '../shared/lists/meaning.ts'
import { pageSnapshot } from '../shared/lists/snapshot.ts'
import { ofTopic, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  beginReport,
  bestFirst,
  type CellCounts,
  type CompareArgs,
  type CountsByKey,
  noCounts,
  score,
  sum,
  type VisibilityArgs,
} from './counts.ts'
import { promptPage } from './visibility.sql.ts'
import { comparisonOf, historyRows } from './visibility.ts'

/** Visibility by day, week or month, for those with responses. */
export async function visibilityHistory(
  scope: ProjectScope,
  args: VisibilityArgs & { interval?: HistoryInterval | null | undefined },
) {
  const { range, countBy, cellsOf } = beginReport(scope, args)
  const history = await historyRows(countBy, range, args.interval)
  const total = sum(history.map((row) => row.counts))
  return {
    scope,
    dateRange: range,
    history,
    total: { ...total, cell: cellsOf(range, 'window')('') },
  }
}

/** A topic with its current prompts. */
export interface TopicPrompts {
  readonly id: string
  readonly name: string
  readonly projectId: string
  readonly promptIds: readonly string[]
}

/** The topics of each project with their prompts. */
export async function loadTopicPrompts(
  db: Db,
  projectIds: readonly string[],
): Promise<TopicPrompts[][]> {
  const rows = await db.topic.findMany({
    where: { projectId: { in: [...projectIds] } },
    select: { id: true, name: true, projectId: true, prompts: { select: { promptId: true } } },
  })
  const topics = rows.map(({ prompts, ...topic }) => ({
    ...topic,
    promptIds: prompts.map(({ promptId }) => promptId),
  }))
  return groupByProject(projectIds, topics)
}

function countsOfTopic({ promptIds }: TopicPrompts, byPrompt: CountsByKey) {
  return sum(promptIds.map((id) => byPrompt.get(id) ?? noCounts))
}

/**
 * Visibility by topic, best score first. A prompt of several topics counts under each. With a filter on topics only
 * these topics have rows.
 */
export async function visibilityByTopic(
  scope: ProjectScope,
  args: VisibilityArgs & CompareArgs,
  topicsOf: (projectId: string) => Promise<readonly TopicPrompts[]>,
) {
  const { range, countBy, cellsOf } = beginReport(scope, args)
  const whole = cellsOf(range, 'window')('')
  const comparison = args.compare ? comparisonOf(args.compare, range) : null
  const wholeBefore = comparison && cellsOf(comparison.dateRange, 'window')('')
  const [current, previous, all] = await Promise.all([
    countBy('presence', 'prompt'),
    comparison ? countBy('presence', 'prompt', comparison.dateRange) : null,
    topicsOf(scope.project.id),
  ])
  const asked = new Set(args.topicId?.map((id) => id.toLowerCase()))
  const topics = all
    .filter((topic) => asked.size === 0 || asked.has(topic.id))
    .map((topic) => {
      const found = countsOfTopic(topic, current)
      const before = previous && score(countsOfTopic(topic, previous))
      return {
        topicId: topic.id,
        topicName: topic.name,
        counts: { ...found, cell: ofTopic(whole, topic.id) },
        previousScore: before,
        previousCell: wholeBefore ? ofTopic(wholeBefore, topic.id) : undefined,
        scoreDelta: before && difference(score(found), before),
      }
    })
    .filter((row) => row.counts.responses > 0)
    .sort(bestFirst((row) => `${row.topicName} ${row.topicId}`))
  return { scope, dateRange: range, comparison, topics }
}

export type TopicRow = Awaited<ReturnType<typeof visibilityByTopic>>['topics'][number]

/** A tracked location. */
export type LocationRecord = Awaited<ReturnType<Db['location']['findMany']>>[number]

/** Visibility by tracked location, best score first. Answers without a location have no row. */
export async function visibilityByLocation(
  scope: ProjectScope,
  args: VisibilityArgs & CompareArgs,
  locationsOf: (projectId: string) => Promise<readonly LocationRecord[]>,
) {
  const { range, countBy, previousBy } = beginReport(scope, args)
  const [found, all] = await Promise.all([
    countBy('presence', 'location'),
    locationsOf(scope.project.id),
  ])
  const previousOf = previousBy('location')
  const locations = all
    .map(({ id, countryCode, city }) => ({
      locationId: id,
      countryCode,
      city,
      counts: found.get(id) ?? (noCounts as CellCounts),
      previous: previousOf(id),
    }))
    .filter((row) => row.counts.responses > 0)
    .sort(bestFirst((row) => `${row.countryCode} ${row.city ?? ''} ${row.locationId}`))
  return { scope, dateRange: range, locations }
}

export type LocationRow = Awaited<ReturnType<typeof visibilityByLocation>>['locations'][number]

interface PromptFacts {
  promptId: string
  responses: number
  named: number
  ranks: number
  total: number
  allResponses: number
  allNamed: number
  place: number
}

async function describePrompts({ db, project }: ProjectScope, ids: readonly string[]) {
  const prompts = await db.prompt.findMany({
    where: { projectId: project.id, id: { in: [...ids] } },
    select: {
      id: true,
      text: true,
      topics: { select: { topicId: true }, orderBy: { position: 'asc' }, take: 1 },
    },
  })
  return new Map(prompts.map((prompt) => [prompt.id, prompt]))
}

/** A page of visibility by prompt, for prompts with responses: best score first, ties by id. */
export async function visibilityByPrompt(
  scope: ProjectScope,
  { compare, ...args }: VisibilityArgs & PageArgs & CompareArgs,
) {
  const { limit, offset, ...narrowing } = args
  const range = resolveWindow(args, yearWindow, scope.now)
  const list = fingerprint('visibility.prompts', listMeaning(narrowing, yearWindow, scope.now))
  const snapshot = pageSnapshot(scope, list, offset)
  const filters = await readFilters(scope, args)
  const { previousBy } = beginReport(scope, { ...args, compare })
  const rows = await run<PromptFacts>(scope.warehouse, {
    id: 'visibility.prompts',
    settled: true,
    sql: promptPage(factsWhere(filters, snapshot)),
    params: {
      ...factParams(scope.project.id, range, filters, snapshot),
      analysis: scope.project.analysis,
      limit,
      offset,
    },
  })
  const previousOf = previousBy('prompt')
  const page = rows.filter((row) => row.place > offset)
  const known = await describePrompts(
    scope,
    page.map((row) => row.promptId),
  )
  const [first] = rows
  const whole = wholeCell(scope.project.id, askedOf(scope, range, args))
  return {
    scope,
    dateRange: range,
    total: {
      ...noCounts,
      responses: first?.allResponses ?? 0,
      named: first?.allNamed ?? 0,
      cell: whole,
    },
    prompts: page.map(({ promptId, responses, named, ranks }) => ({
      promptId,
      text: known.get(promptId)?.text ?? '',
      topicId: known.get(promptId)?.topics[0]?.topicId ?? null,
      counts: {
        ...noCounts,
        responses,
        named,
        ranks,
        cell: { ...whole, by: 'prompt' as const, value: promptId },
      },
      previous: previousOf(promptId),
    })),
    pagination: pagination({ limit, offset }, page.length, first?.total ?? 0),
  }
}

export type PromptRow = Awaited<ReturnType<typeof visibilityByPrompt>>['prompts'][number]
