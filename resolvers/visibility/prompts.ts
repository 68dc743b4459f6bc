import { notFound } from '../../core/errors.ts'
import { type DateRange, previousWindow, type WindowArgs } from '../../core/window.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { ofTopic } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import type { TopicPrompts } from './breakdowns.ts'
import {
  beginReport,
  bestFirst,
  type CompareArgs,
  type CountsByKey,
  noCounts,
  sum,
} from './counts.ts'
import { historyRows } from './visibility.ts'

type TopicsOf = (projectId: string) => Promise<readonly TopicPrompts[]>

/** Prompts with responses, best score first, ties by id. */
function ranked(promptIds: readonly string[], byPrompt: CountsByKey) {
  return promptIds
    .map((promptId) => ({ promptId, counts: byPrompt.get(promptId) ?? noCounts }))
    .filter(({ counts }) => counts.responses > 0)
    .sort(bestFirst(({ promptId }) => promptId))
}

export interface RankingArgs extends WindowArgs, Pick<FilterArgs, 'platform' | 'obtained'> {
  topicId: string
}

/**
 * The ranks of a topic's prompts by score, now and in the previous window.
 * @throws {Fault} `not_found` for a topic of another project
 */
export async function promptRankings(
  scope: ProjectScope,
  { topicId, ...args }: RankingArgs,
  topicsOf: TopicsOf,
) {
  const { range, countBy } = beginReport(scope, args)
  const all = await topicsOf(scope.project.id)
  const topic = all.find(({ id }) => id === topicId.toLowerCase())
  if (topic === undefined) throw notFound(topicId)
  const [now, before] = await Promise.all([
    countBy('presence', 'prompt'),
    countBy('presence', 'prompt', previousWindow(range)),
  ])
  const places = new Map(
    ranked(topic.promptIds, before).map(({ promptId }, at) => [promptId, at + 1]),
  )
  const rows = ranked(topic.promptIds, now).map((row, at) => {
    const previousRank = places.get(row.promptId) ?? null
    const rankChange = previousRank === null ? null : previousRank - (at + 1)
    return { ...row, rank: at + 1, previousRank, rankChange }
  })
  const texts = await textsOf(
    scope,
    rows.map(({ promptId }) => promptId),
  )
  const prompts = rows.map((row) => ({ ...row, text: texts.get(row.promptId) ?? '' }))
  return { scope, dateRange: range, prompts }
}

export type RankedPrompt = Awaited<ReturnType<typeof promptRankings>>['prompts'][number]

async function textsOf({ db, project }: ProjectScope, ids: readonly string[]) {
  const prompts = await db.prompt.findMany({
    where: { projectId: project.id, id: { in: [...ids] } },
    select: { id: true, text: true },
  })
  return new Map(prompts.map(({ id, text }) => [id, text]))
}

/** Each topic with answers in the window, on each platform with answers in it. */
export async function topicHeatmap(
  scope: ProjectScope,
  args: WindowArgs & CompareArgs & Pick<FilterArgs, 'obtained'>,
  topicsOf: TopicsOf,
) {
  const { range, countBy, cellsOf, compared } = beginReport(scope, args)
  const [byBoth, all] = await Promise.all([
    countBy('presence', 'promptPlatform'),
    topicsOf(scope.project.id),
  ])
  const cellsIn = (counts: CountsByKey, days: DateRange) => {
    const cellOf = cellsOf(days, 'platform')
    return ({ id, promptIds }: TopicPrompts, platform: string) => ({
      ...sum(promptIds.map((promptId) => counts.get(`${promptId} ${platform}`) ?? noCounts)),
      cell: ofTopic(cellOf(platform), id),
    })
  }
  const countsOf = cellsIn(byBoth, range)
  const previousOf = async (topic: TopicPrompts, platform: string) => {
    if (compared === null) return null
    return cellsIn(await countBy('presence', 'promptPlatform', compared), compared)(topic, platform)
  }
  const platforms = [...new Set([...byBoth.keys()].map((key) => key.slice(key.indexOf(' ') + 1)))]
  platforms.sort()
  const topics = all
    .map((topic) => ({
      projectId: scope.project.id,
      topicId: topic.id,
      topicName: topic.name,
      cells: platforms.map((platform) => ({
        platform,
        counts: countsOf(topic, platform),
        previous: () => previousOf(topic, platform),
      })),
    }))
    .filter(({ cells }) => cells.some(({ counts }) => counts.responses > 0))
    .sort((a, b) => (`${a.topicName} ${a.topicId}` < `${b.topicName} ${b.topicId}` ? -1 : 1))
  return { scope, dateRange: range, platforms, topics }
}

export type HeatmapTopic = Awaited<ReturnType<typeof topicHeatmap>>['topics'][number]
export type HeatmapCell = HeatmapTopic['cells'][number]

export interface PromptHistoryArgs extends WindowArgs {
  promptId: string
  platform?: readonly string[] | null | undefined
}

/**
 * Visibility by day in the answers to one prompt.
 * @throws {Fault} `not_found` for a prompt of another project
 */
export async function promptHistory(scope: ProjectScope, args: PromptHistoryArgs) {
  const { range, countBy } = beginReport(scope, args)
  const history = await historyRows(countBy, range)
  return { scope, dateRange: range, promptId: args.promptId.toLowerCase(), history }
}

/** The ids of prompts that have answers in the window. */
export async function answeredPromptIds(scope: ProjectScope, args: WindowArgs) {
  const { countBy } = beginReport(scope, args)
  return [...(await countBy('presence', 'prompt')).keys()]
}
