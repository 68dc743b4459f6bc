import type { OutputRef } from '@pothos/core'
import { type Bounds, fewPrompts } from '../../core/intervals/intervals.ts'
import { isOfFew, type Ratio, rounded } from '../../core/metrics.ts'
import { type Cell, type InCell, measured } from '../../resolvers/shared/samples/cell.ts'
import type { MeasureName } from '../../resolvers/shared/samples/measures.sql.ts'
import { builder } from './builder.ts'
import { intervalsOf } from './metric-intervals.ts'
import type { FieldsOf } from './report-fields.ts'

const caveat = builder.enumType('MetricCaveat', {
  description: 'Why the intervals of a ratio say less than they seem to, or are missing.',
  values: {
    few_prompts: {
      description: `Fewer than ${fewPrompts} prompts are behind the ratio: \`low\` and \`high\` are rough.`,
    },
    one_prompt: {
      description: 'One prompt is behind the ratio: `low` and `high` are null.',
    },
    no_spread: {
      description: 'All answers give the same number, so the spread is unknown. The ends are null.',
    },
    independent: {
      description:
        'The prompts of the ratio are not known: `low` and `high` take all answers for independent.',
    },
  },
})

const likeThese = 'It says where the ratio would lie if other prompts of this kind were asked.'
const again = 'It is for the same prompts, asked again on the same platforms.'

builder.objectType('Metric', {
  description:
    'A ratio with numerator, denominator and 95 % intervals. `low` and `high` are for other prompts like these, `basketLow` and `basketHigh` for the same prompts asked again. Only selected intervals are computed.',
  fields: (t) => {
    const end = (side: 'low' | 'high', of: 'questions' | 'basket', description: string) =>
      t.float({
        nullable: true,
        description,
        resolve: async (metric, _args, context, info) => {
          const found: Bounds | null = (await intervalsOf(context, metric, info))[of]
          return found?.[side] ?? null
        },
      })
    return {
      value: t.float({
        nullable: true,
        description:
          'The ratio, rounded to two decimals. Null without a base, or for a sentiment below 5 rated answers.',
        resolve: (ratio) => (isOfFew(ratio) ? null : rounded(ratio)),
      }),
      numerator: t.float({
        description: 'The number counted, or the sum that is averaged.',
        resolve: (ratio) => ratio.numerator,
      }),
      denominator: t.float({
        description: 'The base: the number that the numerator is a part of, or is averaged over.',
        resolve: (ratio) => ratio.denominator,
      }),
      low: end(
        'low',
        'questions',
        `Lower end of the 95 % interval for questions like these, in the unit of \`value\`. ${likeThese} Answers to one prompt are alike, so prompts are the sample. Null with fewer than two prompts.`,
      ),
      high: end(
        'high',
        'questions',
        'Upper end of the 95 % interval for questions like these; null when `low` is null.',
      ),
      basketLow: end(
        'low',
        'basket',
        `Lower end of the 95 % interval for exactly these questions, in the unit of \`value\`. ${again} Null when no prompt, and no platform, has two answers.`,
      ),
      basketHigh: end(
        'high',
        'basket',
        'Upper end of the 95 % interval for the same prompts. Null when `basketLow` is.',
      ),
      effectiveN: t.float({
        nullable: true,
        description:
          'Independent answers that would say as much about other prompts. Null below two prompts.',
        resolve: async (metric, _args, context, info) =>
          (await intervalsOf(context, metric, info)).effectiveN,
      }),
      designEffect: t.float({
        nullable: true,
        description:
          'How many times larger the variance is than that of independent answers, from 1. Null when `effectiveN` is.',
        resolve: async (metric, _args, context, info) =>
          (await intervalsOf(context, metric, info)).designEffect,
      }),
      caveat: t.field({
        type: caveat,
        nullable: true,
        description: 'Why the intervals say less than they seem to; null when nothing limits them.',
        resolve: async (metric, _args, context, info) =>
          (await intervalsOf(context, metric, info)).caveat,
      }),
    }
  },
})

type RatioField<Row> = {
  readonly description: string
  /**
   * What the ratio sums in the answers of the row, so that its interval knows that answers to one prompt are alike.
   * `independent` takes all that is counted for independent: of answers, that interval is too narrow.
   */
  readonly measure: MeasureName | 'independent'
  /** The answers of the ratio, where they are not those of the row. */
  readonly cellOf?: (row: Row) => Cell | undefined
} & (
  | { readonly nullable?: never; readonly resolve: (row: Row) => Ratio }
  | { readonly nullable: true; readonly resolve: (row: Row) => Ratio | null | undefined }
)

/** The type behind `metrics` of a row: one `Metric` for each of its ratios. */
export function metricsType<Row extends object>(
  name: string,
  description: string,
  ratios: Readonly<Record<string, RatioField<Row>>>,
) {
  return builder.objectRef<Row>(name).implement({
    description,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(ratios).map(([key, field]) => {
          const { description, measure, cellOf } = field
          const metric = <Found extends Ratio | null | undefined>(row: Row, ratio: Found) => {
            const cell = cellOf ? cellOf(row) : (row as InCell).cell
            return ratio && measure !== 'independent' ? measured(ratio, measure, cell) : ratio
          }
          return [
            key,
            field.nullable
              ? t.field({
                  type: 'Metric',
                  nullable: true,
                  description,
                  resolve: (row) => metric(row, field.resolve(row)),
                })
              : t.field({
                  type: 'Metric',
                  description,
                  resolve: (row) => metric(row, field.resolve(row)),
                }),
          ]
        }),
      ),
  })
}

/** `metrics` of a row, which REST does not have: its ratios with what they were made of. */
export const metricsField = <Row extends object, Ratios extends object>(
  t: FieldsOf<Row>,
  type: ReturnType<typeof metricsType<Ratios>>,
  ratiosOf: (row: Row) => Ratios | Promise<Ratios>,
) => {
  // Pothos computes the shape of a type only where it knows the type: here it is a parameter.
  const metrics: OutputRef = type
  return t.field({
    type: metrics,
    view: 'graph',
    description: 'The ratios with 95 % intervals.',
    resolve: (row) => ratiosOf(row),
  })
}
