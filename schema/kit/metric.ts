import { rounded, wilson } from '../../core/metrics.ts'
import { builder } from './builder.ts'

builder.objectType('Metric', {
  description:
    'A ratio with what it was made of, so that a reader can tell 1 of 2 from 500 of 1,000. Percentages run from 0 to 100.',
  fields: (t) => ({
    value: t.float({
      nullable: true,
      description: 'The ratio, rounded to two decimals; null without a denominator.',
      resolve: rounded,
    }),
    numerator: t.float({
      description: 'What is counted, or the sum that is averaged.',
      resolve: (ratio) => ratio.numerator,
    }),
    denominator: t.float({
      description: 'What it is counted out of, or averaged over.',
      resolve: (ratio) => ratio.denominator,
    }),
    low: t.float({
      nullable: true,
      description:
        'Lower end of the 95 % Wilson interval, in percent; null where the numerator does not count a subset of the denominator.',
      resolve: (ratio) => wilson(ratio)?.low ?? null,
    }),
    high: t.float({
      nullable: true,
      description: 'Upper end of the 95 % Wilson interval, in percent; null where `low` is null.',
      resolve: (ratio) => wilson(ratio)?.high ?? null,
    }),
  }),
})
