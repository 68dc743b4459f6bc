import { average, type Ratio, share } from '../../core/metrics.ts'
import { fingerprint, type PageArgs, pagination } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, type WindowRule } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import { run } from '../../warehouse/run.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import { batched } from '../shared/batch.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, filtersIn, readFilters } from '../shared/filters.ts'
import { pageSnapshot } from '../shared/lists/snapshot.ts'
import { type PageSelection, type PageStatement, readMany } from '../shared/many.ts'
import { requireFeature } from '../shared/plan.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { modelCounts, promptPage, queryPage, topQueries } from './fanout.sql.ts'

/** The window of reports on sub-queries: 30 days by default, 180 at most. */
export const fanoutWindow: WindowRule = { defaultDays: 30, maxDays: 180 }

export interface FanoutArgs
  extends WindowArgs,
    PageArgs,
    Omit<FilterArgs, 'topicId' | 'promptId' | 'promptIds'> {
  /** One topic in REST. */
  topicId?: string | readonly string[] | null | undefined
  topQueriesLimit: number
}

/** Selects sub-queries, whatever the project, and a page of their prompts. */
interface FanoutSelection extends PageSelection {
  readonly topQueriesLimit: number
}

/** Reads the rows of several projects in one statement. All parts of a report share one snapshot. */
function readFanout<Row extends { projectId: string }>(
  scopes: readonly ProjectScope[],
  selection: FanoutSelection,
  statement: Omit<PageStatement, 'list'>,
): Promise<(readonly Row[] | Error)[]> {
  return readMany(scopes, selection, { ...statement, list: 'fanout' })
}

/** Sub-queries, and answers with at least one sub-query. */
export interface FanoutCounts extends InCell {
  readonly queries: number
  readonly answers: number
}

/** Sub-queries per answer with at least one sub-query. */
export function queriesPerResponse({
  queries,
  answers,
}: Pick<FanoutCounts, 'queries' | 'answers'>): Ratio {
  return average(queries, answers)
}

export interface FanoutPrompt extends FanoutCounts {
  readonly promptId: string
  readonly text: string
  /** Distinct sub-queries. */
  readonly uniqueQueries: number
}

/** A page of prompts, with the counts of all selected prompts. */
export interface FanoutPromptPage {
  readonly total: number
  readonly counts: FanoutCounts
  readonly prompts: readonly FanoutPrompt[]
}

type PromptFacts = Omit<FanoutPrompt, 'text' | 'cell'> & {
  readonly projectId: string
  readonly total: number
  readonly allQueries: number
  readonly allAnswers: number
  readonly place: number
}

async function textsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const prompts = await db.prompt.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, text: true },
  })
  return new Map(prompts.map(({ id, text }) => [id, text]))
}

/** A page of prompts per project: most sub-queries first, ties by id. */
async function promptsOfMany(
  scopes: readonly ProjectScope[],
  selection: FanoutSelection,
): Promise<(FanoutPromptPage | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const { limit, offset } = selection
  const found = await readFanout<PromptFacts>(scopes, selection, {
    id: 'fanout.prompts',
    sql: promptPage,
    params: { limit, offset },
  })
  const pages = found.map((rows) =>
    rows instanceof Error ? rows : { rows, page: rows.filter(({ place }) => place > offset) },
  )
  const ids = pages.flatMap((it) => (it instanceof Error ? [] : it.page.map((row) => row.promptId)))
  const texts = await textsOf(first.db, ids)
  return scopes.map((scope, i) => {
    const it = pages[i] ?? { rows: [], page: [] }
    if (it instanceof Error) return it
    const cell = wholeCell(scope.project.id, askedOf(scope, selection, selection))
    const { total = 0, allQueries: queries = 0, allAnswers: answers = 0 } = it.rows[0] ?? {}
    const prompts = it.page.map((row) => ({
      ...row,
      text: texts.get(row.promptId) ?? '',
      cell: { ...cell, by: 'prompt' as const, value: row.promptId },
    }))
    return { total, counts: { queries, answers, cell }, prompts }
  })
}

export interface FanoutQuery extends QueryCounts {
  readonly projectId: string
  readonly asked: Asked
}

export interface QueryCounts {
  /** The most frequent spelling. */
  readonly query: string
  readonly repeats: number
  readonly promptsCount: number
  /** UTC day; null without a search in the window. */
  readonly lastSeenOn: string | null
}

/** The most repeated sub-queries per project. */
async function queriesOfMany(
  scopes: readonly ProjectScope[],
  selection: FanoutSelection,
): Promise<(readonly FanoutQuery[] | Error)[]> {
  const found = await readFanout<QueryCounts & { projectId: string }>(scopes, selection, {
    id: 'fanout.queries',
    sql: (_where, facts) => topQueries(facts),
    params: { limit: selection.topQueriesLimit, offset: 0 },
  })
  return found.map((rows, i) => {
    const scope = scopes[i]
    if (rows instanceof Error || scope === undefined) return rows as Error
    const asked = askedOf(scope, selection, selection)
    return rows.map((row) => ({ ...row, asked }))
  })
}

export interface FanoutModel extends InCell {
  readonly modelName: string
  readonly responses: number
  readonly responsesWithFanout: number
  readonly queries: number
}

/** 100 · answers with sub-queries ⁄ answers of the model. */
export function fanoutRate({ responses, responsesWithFanout }: FanoutModel): Ratio {
  return share(responsesWithFanout, responses)
}

/** Answers and sub-queries by model per project, most sub-queries first. */
async function modelsOfMany(
  scopes: readonly ProjectScope[],
  selection: FanoutSelection,
): Promise<(readonly FanoutModel[] | Error)[]> {
  const found = await readFanout<FanoutModel & { projectId: string }>(scopes, selection, {
    id: 'fanout.models',
    sql: modelCounts,
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const whole = wholeCell(scope.project.id, askedOf(scope, selection, selection))
    return rows.map(
      (row): FanoutModel => ({
        ...row,
        cell: { ...whole, by: 'model', value: row.modelName },
      }),
    )
  })
}

/**
 * The sub-queries that platforms searched for before answering. Each part is counted when a field reads it.
 * @throws {Fault} as `readFilters` does; then `plan_upgrade_required` on a plan without query fanout
 */
export async function queryFanout(scope: ProjectScope, args: FanoutArgs) {
  const { limit, offset, topQueriesLimit, topicId } = args
  const range = resolveWindow(args, fanoutWindow, scope.now)
  const filters = filtersIn({ ...args, topicId: topicId == null ? null : [topicId].flat() })
  await readFilters(scope, filters)
  requireFeature(scope.project.plan, 'queryFanout')
  const selection: FanoutSelection = { ...range, ...filters, limit, offset, topQueriesLimit }
  const page = () => batched('fanout.prompts', scope, selection, promptsOfMany)
  return {
    scope,
    dateRange: range,
    page,
    prompts: async () => (await page()).prompts,
    topQueries: () => batched('fanout.queries', scope, selection, queriesOfMany),
    models: () => batched('fanout.models', scope, selection, modelsOfMany),
    async pagination() {
      const { prompts, total } = await page()
      return pagination({ limit, offset }, prompts.length, total)
    },
  }
}

export type FanoutReport = Awaited<ReturnType<typeof queryFanout>>

export interface PromptFanoutArgs extends WindowArgs, PageArgs {
  promptId: string
}

export interface PromptFanoutQuery {
  /** The most frequent spelling. */
  readonly query: string
  readonly repeats: number
  readonly lastSeenMs: number
}

type QueryFacts = PromptFanoutQuery & { readonly total: number; readonly place: number }

/**
 * The sub-queries of one prompt, most repeated first, ties by text.
 * @throws {Fault} `not_found` for a prompt of another project; then `plan_upgrade_required` on a plan without
 *   query fanout
 */
export async function promptFanout(scope: ProjectScope, args: PromptFanoutArgs) {
  const { limit, offset } = args
  const range = resolveWindow(args, fanoutWindow, scope.now)
  const promptId = args.promptId.toLowerCase()
  const filters = await readFilters(scope, { promptId })
  requireFeature(scope.project.plan, 'queryFanout')
  const list = fingerprint('fanout.prompt', { ...range, promptId })
  const snapshot = pageSnapshot(scope, list, offset)
  const rows = await run<QueryFacts>(scope.warehouse, {
    id: 'fanout.prompt',
    frozen: true,
    sql: queryPage(factsWhere(filters, snapshot)),
    params: { ...factParams(scope.project.id, range, filters, snapshot), limit, offset },
  })
  const queries: PromptFanoutQuery[] = rows.filter(({ place }) => place > offset)
  return {
    scope,
    promptId,
    queries,
    pagination: pagination({ limit, offset }, queries.length, rows[0]?.total ?? 0),
    dateRange: range,
  }
}
