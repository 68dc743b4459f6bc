import { type Ratio, rounded, wilson } from '../../core/metrics.ts'
import { builder } from './builder.ts'
import type { FieldsOf } from './report-fields.ts'

builder.objectType('Metric', {
  description:
    'A ratio with its numerator and denominator, which separate 1 of 2 from 500 of 1,000. Percentages run from 0 to 100.',
  fields: (t) => ({
    value: t.float({
      nullable: true,
      description:
        'The ratio, rounded to two decimals; null when the denominator is 0, and for sentiment below 5.',
      resolve: (ratio) => (ratio.denominator < (ratio.fewest ?? 1) ? null : rounded(ratio)),
    }),
    numerator: t.float({
      description: 'The number counted, or the sum that is averaged.',
      resolve: (ratio) => ratio.numerator,
    }),
    denominator: t.float({
      description: 'The base: the number that the numerator is a part of, or is averaged over.',
      resolve: (ratio) => ratio.denominator,
    }),
    low: t.float({
      nullable: true,
      description:
        'Lower end of the 95 % Wilson interval in percent. Null unless the numerator counts a subset of the denominator.',
      resolve: (ratio) => wilson(ratio)?.low ?? null,
    }),
    high: t.float({
      nullable: true,
      description: 'Upper end of the 95 % Wilson interval in percent; null when `low` is null.',
      resolve: (ratio) => wilson(ratio)?.high ?? null,
    }),
  }),
})

type RatioField<Row> = { readonly description: string } & (
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
        Object.entries(ratios).map(([key, ratio]) => [
          key,
          t.field({ type: 'Metric', ...ratio } as never),
        ]),
      ),
  })
}

/** `metrics` of a row, which REST does not have: its ratios with what they were made of. */
export const metricsField = <Row extends object, Ratios extends object>(
  t: FieldsOf<Row>,
  type: ReturnType<typeof metricsType<Ratios>>,
  ratiosOf: (row: Row) => Ratios | Promise<Ratios>,
) =>
  t.field({
    type,
    view: 'graph',
    description: 'Each ratio with its numerator, denominator and 95 % interval.',
    resolve: ratiosOf as never,
  })
