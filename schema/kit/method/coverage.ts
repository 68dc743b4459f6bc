import type { DateRange } from '../../../core/window.ts'
import { askedOf, type ReportScope } from '../../../resolvers/shared/asked.ts'
import { batched } from '../../../resolvers/shared/batch.ts'
import { type Coverage, coverageOf } from '../../../resolvers/shared/method/coverage.ts'
import { builder, type Types } from '../builder.ts'
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

/** A report, with what says which answers it counts. */
export interface InReport {
  readonly scope: ReportScope
  readonly dateRange: DateRange
}

/** The scope of the answers that a report counts, with its window and filters. */
export function answersOf({ scope, dateRange }: InReport) {
  const { slice: _slice, ...asked } = askedOf(scope, dateRange, scope.filteredBy ?? {})
  return { scope, asked }
}

/** Completeness of the window of a report, by provider. Reports of one request take one statement. */
export const coverageField = <Report extends InReport>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Report>,
) =>
  t.field({
    type: [coverageType],
    nullable: true,
    view: 'graph',
    description: 'Questions of runs by provider. Null for a set of answers.',
    resolve: (report) => {
      const { scope, asked } = answersOf(report)
      return batched('coverage', scope, asked, coverageOf)
    },
  })
