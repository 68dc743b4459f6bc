import type { DateRange } from '../../../core/window.ts'
import { askedOf } from '../../../resolvers/shared/asked.ts'
import { batched } from '../../../resolvers/shared/batch.ts'
import { type Coverage, coverageOf } from '../../../resolvers/shared/method/coverage.ts'
import { scopeOf } from '../authorize.ts'
import { builder, type Types } from '../builder.ts'
import type { Context } from '../context.ts'
import { countedBy } from '../lists/counted.ts'
import { projectOf } from '../lists/owner.ts'
import { answerProvider } from './providers.ts'

const coverageType = builder.objectRef<Coverage>('Coverage').implement({
  description:
    'How questions ended that runs asked at a provider. `asked` is the sum of the others.',
  fields: (t) => ({
    provider: t.field({
      type: answerProvider,
      description: 'Provider that was asked.',
      resolve: ({ provider }) => provider,
    }),
    asked: t.expose('asked', { type: 'Int', description: 'Questions.' }),
    waiting: t.expose('waiting', {
      type: 'Int',
      description: 'Questions of runs that have not ended: reports show no answer yet.',
    }),
    answered: t.expose('answered', {
      type: 'Int',
      description: 'Questions with an answer that reports count.',
    }),
    absent: t.expose('absent', {
      type: 'Int',
      description: 'Questions with a reply and no answer. No report counts them.',
    }),
    failed: t.expose('failed', {
      type: 'Int',
      description: 'Questions without a reply, with an error, or of a run that failed.',
    }),
    refused: t.expose('refused', {
      type: 'Int',
      description: 'Absent answers that the assistant refused to give.',
    }),
    filtered: t.expose('filtered', {
      type: 'Int',
      description: 'Absent answers that a filter of the provider held back.',
    }),
    empty: t.expose('empty', {
      type: 'Int',
      description: 'Absent answers whose reply had no text.',
    }),
    notShown: t.expose('notShown', {
      type: 'Int',
      description: 'Absent answers where the search showed no answer of an assistant.',
    }),
  }),
})

/** The scope of the answers that a report counts, with its window and filters. */
export async function answersOf(report: { readonly dateRange: DateRange }, context: Context) {
  const { scope: of, args = {} } = countedBy(report) ?? {}
  const scope = { ...(await scopeOf(context, projectOf(report))), ...of }
  const { slice: _slice, ...asked } = askedOf(scope, report.dateRange, args)
  return { scope, asked }
}

/** Completeness of the window of a report, by provider. Reports of one request take one statement. */
export const coverageField = <Report extends { readonly dateRange: DateRange }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Report>,
) =>
  t.field({
    type: [coverageType],
    nullable: true,
    view: 'graph',
    description: 'Questions that runs asked, by provider. Null for a set of answers.',
    resolve: async (report, _args, context) => {
      const { scope, asked } = await answersOf(report, context)
      return batched('coverage', scope, asked, coverageOf)
    },
  })
