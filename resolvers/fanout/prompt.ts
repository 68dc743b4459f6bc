import { fingerprint, type PageArgs, pagination } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import { requireFeature } from '../shared/plan.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { pageSnapshot } from '../shared/snapshot.ts'
import { queryPage } from './fanout.sql.ts'
import { fanoutWindow } from './fanout.ts'

export interface PromptFanoutArgs extends WindowArgs, PageArgs {
  promptId: string
}

export interface PromptFanoutQuery {
  /** In its most frequent spelling. */
  readonly query: string
  readonly repeats: number
  readonly lastSeenMs: number
}

type QueryFacts = PromptFanoutQuery & { readonly total: number; readonly place: number }

/**
 * What platforms searched for before they answered one prompt, most repeated first, ties by text.
 * @throws {Fault} `not_found` for a prompt that is not of this project; then `plan_upgrade_required` on a plan
 *   without query fanout
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
