import { difference } from '../../core/metrics.ts'
import { isMoved, type Outcome } from '../../core/opportunities/outcome.ts'
import { builder } from '../kit/builder.ts'
import { intervalType } from '../kit/interval.ts'
import { outcomeMetric } from './words.ts'

export const outcomeType = builder.objectRef<Outcome>('OpportunityOutcome').implement({
  description: 'What came of an opportunity: a share of answers before it was done, and after.',
  fields: (t) => ({
    metric: t.field({
      type: outcomeMetric,
      description: 'The number that is compared.',
      resolve: ({ metric }) => metric,
    }),
    before: t.field({
      type: 'Metric',
      description: 'The share in the 30 days before that day.',
      resolve: ({ before }) => before,
    }),
    after: t.field({
      type: 'Metric',
      description: 'The share since that day, over 30 days at most.',
      resolve: ({ after }) => after,
    }),
    change: t.float({
      nullable: true,
      description: '`after` minus `before` in percentage points; null without answers in either.',
      resolve: ({ before, after }) => difference(after, before),
    }),
    interval: t.field({
      type: intervalType,
      nullable: true,
      description:
        '95 % interval of `change`, over prompts where there are enough, else over answers. Null without answers in either.',
      resolve: ({ interval }) => interval,
    }),
    isSignificant: t.boolean({
      nullable: true,
      description:
        'Whether `interval` excludes 0: otherwise the change is within normal variation. Null without an interval.',
      resolve: (outcome) => isMoved(outcome),
    }),
    text: t.exposeString('text', { description: 'The outcome in a sentence.' }),
  }),
})
