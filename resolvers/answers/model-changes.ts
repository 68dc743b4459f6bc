import type { PageArgs } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { modelDays } from './model-changes.sql.ts'

export type ModelChangesArgs = WindowArgs & FilterArgs & PageArgs

interface Row extends ManyRow {
  readonly platformId: string
  readonly modelId: string
  readonly firstDay: string
  readonly answers: number
}

/** The first day on which an AI platform answered with a model, after others. */
export interface ModelChange {
  readonly projectId: string
  readonly platform: string
  readonly model: string
  /** The model that had answered first until then, latest first day. */
  readonly previous: string
  readonly date: string
  /** Answers of the model in the window. */
  readonly answers: number
  readonly total: number
}

const firstEver = '2000-01-01'

/** The changes of one platform: each model but those of its first day. */
function changesOf(models: readonly Row[]) {
  const [first] = models
  return models.flatMap((row) => {
    const before = models.filter(({ firstDay }) => firstDay < row.firstDay).at(-1)
    return before && row !== first ? [{ row, previous: before.modelId }] : []
  })
}

/** The models whose first answer of their AI platform is in the window, while others answered before: by day. */
export async function modelChangesOfMany(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: ModelChangesArgs,
): Promise<(readonly ModelChange[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, { from: firstEver, to: range.to })
    return run<Row>(first.warehouse, {
      id: 'answers.model-changes',
      settled: true,
      sql: modelDays(facts),
      params: { ...params, since: range.from },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const inOrder = rows.toSorted((a, b) =>
      `${a.firstDay} ${a.platformId} ${a.modelId}` < `${b.firstDay} ${b.platformId} ${b.modelId}`
        ? -1
        : 1,
    )
    const changes = [...Map.groupBy(inOrder, ({ platformId }) => platformId).values()]
      .flatMap(changesOf)
      .filter(({ row }) => row.firstDay >= range.from)
      .toSorted((a, b) => inOrder.indexOf(a.row) - inOrder.indexOf(b.row))
    return changes.slice(offset, offset + limit).map(({ row, previous }) => ({
      projectId: scope.project.id,
      platform: row.platformId,
      model: row.modelId,
      previous,
      date: row.firstDay,
      answers: row.answers,
      total: changes.length,
    }))
  })
}
