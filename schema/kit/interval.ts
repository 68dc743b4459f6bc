import { roundFloat } from '../../core/metrics.ts'
import { builder } from './builder.ts'

/** Bounds in percentage points. They may be rounded already. */
interface Interval {
  readonly low: number
  readonly high: number
}

export const intervalType = builder.objectRef<Interval>('ChangeInterval').implement({
  description: 'The 95 % interval of a change or difference in percentage points.',
  fields: (t) => ({
    low: t.float({
      description: 'Lower end of the interval.',
      resolve: ({ low }) => roundFloat(low),
    }),
    high: t.float({
      description: 'Upper end of the interval.',
      resolve: ({ high }) => roundFloat(high),
    }),
  }),
})
