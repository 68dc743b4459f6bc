import { isSignificant } from '../../core/intervals/paired.ts'
import { enoughEvidence, type Side, type Verdict, verdicts } from '../../core/marks/comparison.ts'
import { type MarkMetric, markMetrics } from '../../core/marks/marks.ts'
import { comparisonText, points } from '../../core/marks/words.ts'
import type { DatedComparison } from '../../resolvers/marks/comparison.ts'
import { builder } from '../kit/builder.ts'
import { intervalType } from '../kit/interval.ts'
import { wordsOf } from '../kit/words.ts'

export const markMetric = wordsOf<MarkMetric>(
  'MarkMetric',
  'A share of answers that is compared before and after a mark.',
  markMetrics,
)

const verdictWord = wordsOf<Verdict>(
  'MarkVerdict',
  'Whether something that was done helped.',
  verdicts,
)

const percentOf = (fraction: number | null) => (fraction === null ? null : points(fraction))

const side = builder.objectRef<Side>('MarkSide').implement({
  description: 'Prompts on one side of a comparison. Each prompt has the same weight.',
  fields: (t) => ({
    promptCount: t.expose('prompts', {
      type: 'Int',
      description: 'Prompts with answers before and after the mark.',
    }),
    before: t.float({
      nullable: true,
      description:
        'Mean over the prompts of the percent of answers that count, in the 56 days before the mark; null without prompts.',
      resolve: ({ before }) => percentOf(before),
    }),
    after: t.float({
      nullable: true,
      description:
        'Mean over the prompts of the percent of answers that count, in up to 182 days after the mark; null without prompts.',
      resolve: ({ after }) => percentOf(after),
    }),
  }),
})

export const comparisonType = builder.objectRef<DatedComparison>('MarkComparison').implement({
  description:
    'The prompts that a mark concerns against the other prompts, after it against before. What moves all prompts, such as another model, cancels out. The day of the mark belongs to neither.',
  fields: (t) => ({
    verdict: t.field({
      type: verdictWord,
      description: 'Whether it helped.',
      resolve: ({ verdict }) => verdict,
    }),
    text: t.string({
      description: 'The comparison in one or two sentences.',
      resolve: (it) => comparisonText(it, it.metric, it.since),
    }),
    metric: t.field({
      type: markMetric,
      description: 'The share of answers that is compared.',
      resolve: ({ metric }) => metric,
    }),
    concerned: t.field({
      type: side,
      description: 'The prompts that the mark concerns.',
      resolve: ({ concerned }) => concerned,
    }),
    others: t.field({
      type: side,
      description: 'The other prompts of the project.',
      resolve: ({ others }) => others,
    }),
    effect: t.float({
      nullable: true,
      description:
        'Change of the concerned prompts minus that of the others, in percentage points; null below 5 prompts or 30 answers on either side.',
      resolve: ({ effect }) => percentOf(effect),
    }),
    interval: t.field({
      type: intervalType,
      nullable: true,
      description: '95 % interval of `effect` over prompts; null when `effect` is null.',
      resolve: ({ interval }) => interval && { low: 100 * interval.low, high: 100 * interval.high },
    }),
    isSignificant: t.boolean({
      nullable: true,
      description:
        'Whether `interval` excludes 0 today. Whoever looks each day reads `verdict`, which stays right however often one looks. Null without an interval.',
      resolve: ({ interval }) => isSignificant(interval),
    }),
    evidence: t.float({
      nullable: true,
      description: `Most evidence of any day so far. ${enoughEvidence} is enough: without an effect, at most 5 % of comparisons ever reach it. Null where nothing was compared.`,
      resolve: ({ evidence }) => evidence,
    }),
    shownOn: t.expose('shownOn', {
      type: 'Date',
      nullable: true,
      description: 'UTC day on which the evidence was enough; null until then.',
    }),
    since: t.expose('since', {
      type: 'Date',
      nullable: true,
      description: 'UTC day on which the difference probably began; null until it is shown.',
    }),
  }),
})
