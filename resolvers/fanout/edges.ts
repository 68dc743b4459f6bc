import type { PageArgs } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { type Asked, askedOf, keyOfScope, slicesOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import { requireFeature } from '../shared/plan.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { ownPagesOfEach, topQueries } from './fanout.sql.ts'
import { type FanoutQuery, fanoutWindow, type QueryCounts } from './fanout.ts'

type Row = QueryCounts & ManyRow & { readonly total: number }

const queryOf = (
  { query, repeats, promptsCount, lastSeenOn }: QueryCounts,
  projectId: string,
  asked: Asked,
) => {
  return { projectId, asked, query, repeats, promptsCount, lastSeenOn }
}

/**
 * A page of the sub-queries of the answers of each slice, most searches first, ties by text. One statement reads all.
 * @throws {Fault} `plan_upgrade_required`
 */
export async function queriesOfSlices(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: WindowArgs & FilterArgs & PageArgs,
): Promise<(readonly FanoutQuery[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, fanoutWindow, first.now)
  for (const { project } of scopes) requireFeature(project.plan, 'queryFanout')
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<Row>(first.warehouse, {
      id: 'fanout.of-each',
      settled: true,
      sql: topQueries(facts),
      params: { ...params, limit, offset },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const asked = askedOf(scope, range, args)
    return rows.map((row) => ({ ...queryOf(row, scope.project.id, asked), total: row.total }))
  })
}

/** More than one list can name. */
const all = 1_000_000

/**
 * Sub-queries by their text, with 0 searches where no answer in the window has the sub-query.
 * @throws {Fault} `plan_upgrade_required`
 */
export async function queriesByText(
  wanted: readonly { readonly scope: ProjectScope; readonly query: string }[],
  args: WindowArgs & FilterArgs,
): Promise<(FanoutQuery | Error)[]> {
  const scopes = slicesOf(wanted)
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, fanoutWindow, first.now)
  for (const { project } of scopes) requireFeature(project.plan, 'queryFanout')
  const queries = [...new Set(wanted.map(({ query }) => query))]
  const found = await rowsOfMany<Row & { names: string[] }>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<Row & { names: string[] }>(first.warehouse, {
      id: 'fanout.by-text',
      settled: true,
      sql: topQueries(facts, true),
      params: { ...params, queries, limit: all, offset: 0 },
    })
  })
  const byScope = new Map(scopes.map((scope, i) => [keyOfScope(scope), found[i] ?? []]))
  return wanted.map(({ scope, query }) => {
    const rows = byScope.get(keyOfScope(scope)) ?? []
    if (rows instanceof Error) return rows
    const row = rows.find(({ names }) => names.includes(query))
    const counts = row ?? { query, repeats: 0, promptsCount: 0, lastSeenOn: null }
    return queryOf(counts, scope.project.id, askedOf(scope, range, args))
  })
}

/** How many cited URLs of the own site are looked up among its known pages. */
const mostPages = 10

/** The URLs of the own site that the answers of each slice cite, most answers first. One statement reads all. */
export async function ownPagesOf(
  scopes: readonly ProjectScope[],
  args: WindowArgs & FilterArgs,
): Promise<(readonly string[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const projects = new Map(scopes.map(({ project }) => [project.id, project]))
  const pairs = [...projects.values()].flatMap((project) =>
    brandDomains(project).map((domain) => [project.id, domain] as const),
  )
  const found = await rowsOfMany<ManyRow & { url: string }>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<ManyRow & { url: string }>(first.warehouse, {
      id: 'fanout.own-pages',
      settled: true,
      sql: ownPagesOfEach(facts),
      params: {
        ...params,
        ownProjects: pairs.map(([project]) => project),
        ownDomains: pairs.map(([, domain]) => domain),
        most: mostPages,
      },
    })
  })
  return found.map((rows) => (rows instanceof Error ? rows : rows.map(({ url }) => url)))
}
