import type { GraphQLResolveInfo } from 'graphql'
import type { Bounds } from '../../core/intervals/intervals.ts'
import { isSignificant } from '../../core/intervals/paired.ts'
import { difference, isOfFew, type Ratio, rounded, share } from '../../core/metrics.ts'
import {
  type Cell,
  type InCell,
  type Measured,
  measured,
} from '../../resolvers/shared/samples/cell.ts'
import { changesOf } from '../../resolvers/shared/samples/changes.ts'
import type { MeasureName } from '../../resolvers/shared/samples/measures.sql.ts'
import { scopeOf } from './authorize.ts'
import { together } from './batch.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { intervalType } from './interval.ts'
import { cellId, reportOf } from './metric-intervals.ts'
import type { FieldsOf } from './report-fields.ts'

/** A ratio in a window and in the one that it is compared with. */
interface Change {
  readonly now: Measured
  readonly before: Measured
}

const metricChange = builder.objectRef<Change>('MetricChange').implement({
  description:
    'The change of a ratio between two windows, and whether chance alone can have made it.',
  fields: (t) => ({
    previous: t.field({
      type: 'Metric',
      description: 'The ratio in the earlier window, with its numerator and denominator.',
      resolve: ({ before }) => before,
    }),
    change: t.float({
      nullable: true,
      description:
        'The ratio now minus the ratio before; percentage points of a percentage. Null where either has too few answers.',
      resolve: ({ now, before }) =>
        isOfFew(now) || isOfFew(before) ? null : difference(now, before),
    }),
    interval: t.field({
      type: intervalType,
      nullable: true,
      description:
        '95 % interval of `change`, over prompts in both windows. Null below 5 prompts or 30 answers.',
      resolve: (change, _args, context, info) => intervalOf(context, change, info),
    }),
    isSignificant: t.boolean({
      nullable: true,
      description: 'Whether `interval` excludes 0. Null when `interval` is null.',
      resolve: async (change, _args, context, info) =>
        isSignificant(await intervalOf(context, change, info)),
    }),
  }),
})

async function intervalOf(
  context: Context,
  { now, before }: Change,
  asking: Pick<GraphQLResolveInfo, 'path'>,
): Promise<Bounds | null> {
  if (!now.sampled || !before.sampled) return null
  const { cell, measure } = now.sampled
  const { slice, ...window } = cell.asked
  const { from, to } = before.sampled.cell.asked
  const scope = await scopeOf(context, cell.projectId)
  const found = await together(
    context,
    `changes ${reportOf(asking)}`,
    { scope: slice ? { ...scope, slice } : scope, value: cell.value, object: cell.object },
    { ...window, measure, by: cell.by, compared: { from, to } },
    changesOf,
    cellId,
  )
  return found && { low: now.scale * found.low, high: now.scale * found.high }
}

/** A count in two windows. */
interface CountsOfWindows {
  readonly now: number
  readonly before: number
}

/** The change of a count; null where the compared window was not read. */
export const changeSince = (now: number, before: number | null | undefined) =>
  before == null ? null : { now, before }

const countChangeType = (name: string, type: 'Int' | 'SafeInt') =>
  builder.objectRef<CountsOfWindows>(name).implement({
    description:
      'The change of a count between two windows. A count follows the number of answers, hits or sessions, so it has no interval.',
    fields: (t) => ({
      previous: t.field({
        type,
        description: 'The count in the earlier window.',
        resolve: ({ before }) => before,
      }),
      change: t.field({
        type,
        description: 'The count now minus the count before.',
        resolve: ({ now, before }) => now - before,
      }),
      percent: t.float({
        nullable: true,
        description: '`change` in percent of `previous`; null where `previous` is 0.',
        resolve: ({ now, before }) => rounded(share(now - before, before)),
      }),
    }),
  })

const countChange = {
  Int: countChangeType('CountChange', 'Int'),
  SafeInt: countChangeType('LargeCountChange', 'SafeInt'),
}

/** Rows of the two windows. */
interface Windows<Row> {
  readonly now: Row
  readonly before: Row
}

/** A count of a row, whose change is a field: "the number of answers". */
interface CountOf<Row> {
  readonly what: string
  readonly resolve: (row: Row) => number | Promise<number>
}

/** The type behind `changes`: one `MetricChange` for each ratio of a row, and one `CountChange` for each count. */
export function changesType<Row extends InCell>(
  name: string,
  ratios: Readonly<
    Record<string, { description: string; measure: MeasureName; resolve: (row: Row) => Ratio }>
  >,
  counts: Readonly<Record<string, CountOf<Row>>> = {},
) {
  return builder.objectRef<Windows<Row>>(name).implement({
    description: 'Changes since the compared window; those of ratios with their intervals.',
    fields: (t) => {
      const ratioFields = Object.entries(ratios).map(([key, { description, measure, resolve }]) => [
        key,
        t.field({
          type: metricChange,
          description,
          resolve: ({ now, before }: Windows<Row>) => ({
            now: measured(resolve(now), measure, now.cell),
            before: measured(resolve(before), measure, before.cell),
          }),
        }),
      ])
      const countFields = Object.entries(counts).map(([key, { what, resolve }]) => [
        key,
        t.field({
          type: countChange.Int,
          description: `Change of ${what}.`,
          resolve: async ({ now, before }: Windows<Row>) => ({
            now: await resolve(now),
            before: await resolve(before),
          }),
        }),
      ])
      return Object.fromEntries([...ratioFields, ...countFields])
    },
  })
}

/** A row's ratio in two windows; `before` is null without a comparison. */
interface RowChange {
  readonly now: Ratio
  readonly before: Ratio | null
  readonly cell: Cell | undefined
  readonly previousCell: Cell | undefined
}

/** A field with the change of a row's ratio; null without a comparison. The answers are read when it is asked for. */
export const changeField = <Row extends object>(
  t: FieldsOf<Row>,
  measure: MeasureName,
  description: string,
  changeOf: (row: Row) => RowChange | Promise<RowChange>,
) =>
  t.field({
    type: metricChange,
    nullable: true,
    view: 'graph',
    description,
    resolve: async (row: Row) => {
      const { now, before, cell, previousCell } = await changeOf(row)
      if (before === null) return null
      return {
        now: measured(now, measure, cell),
        before: measured(before, measure, previousCell),
      }
    },
  })

/** The change of a ratio that is not of answers, and has no interval. */
export const unsampledChange = <Row extends object>(
  t: FieldsOf<Row>,
  description: string,
  changeOf: (row: Row) => { readonly now: Ratio; readonly before: Ratio },
) =>
  t.field({ type: metricChange, view: 'graph', description, resolve: (row: Row) => changeOf(row) })

/** A field with the change of a row's count; null without a comparison. */
export const countChangeField = <Row extends object>(
  t: FieldsOf<Row>,
  what: string,
  changeOf: (
    row: Row,
    context: Context,
  ) => CountsOfWindows | null | Promise<CountsOfWindows | null>,
  type: keyof typeof countChange = 'Int',
) =>
  t.field({
    type: countChange[type],
    nullable: true,
    view: 'graph',
    description: `Change of ${what} since the earlier window. Null without \`compare\`.`,
    resolve: (row: Row, _args, context) => changeOf(row, context),
  })

export const changesMeaning = 'Changes of ratios since the compared window with their intervals.'

/** Why a change of a rank has no interval. */
export const rankMeaning = 'A rank has no interval: compare those of `metrics`.'
