import { type AnswersArgs, answersOfMany } from '../../resolvers/answers/edges.ts'
import type { Asked } from '../../resolvers/shared/asked.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { NarrowingArgs } from '../../resolvers/shared/narrowing.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { connectionField, type PageAsked } from '../kit/lists/field.ts'
import { sliceList } from '../kit/slice-fields.ts'
import { sliceParents } from '../kit/slice-parents.ts'
import { locationType } from '../locations/locations.ts'
import { pageAtUrl } from '../pages/at-url.ts'
import { locationOf, platformOf } from '../projects/members.ts'
import { platformType } from '../projects/platforms.ts'
import { answerArgs, answerCitation, answerConnection, answerRow } from './answers.ts'

builder.objectFields(answerRow, (t) => ({
  platform: t.field({
    type: platformType,
    view: 'graph',
    description: 'The AI platform that answered.',
    resolve: ({ projectId, platform }, _args, context) => platformOf(context, projectId, platform),
  }),
  location: t.field({
    type: locationType,
    nullable: true,
    view: 'graph',
    description: 'The tracked location of the answer; null for none.',
    resolve: ({ projectId, locationId }, _args, context) =>
      locationOf(context, projectId, locationId),
  }),
}))

builder.objectField(answerCitation, 'page', (t) =>
  t.field(pageAtUrl('The page of the own site at the cited URL; null for other sites.')),
)

/** A page of the answers of a slice. All slices that are asked for under the same arguments take one statement. */
const answersBy = (scope: ProjectScope, given: AnswersArgs & PageAsked) =>
  batched('answers', scope, given, answersOfMany)

interface AnswersOfRow<Row> {
  readonly description: string
  readonly idOf: (row: Row) => string
  readonly askedOf: (row: Row) => Asked & NarrowingArgs
}

/** A list of the answers behind a row of a report, which decides their window and filters. */
export const answersOfRow = <Row extends { readonly projectId: string }>({
  description,
  idOf,
  askedOf,
}: AnswersOfRow<Row>) => {
  const argsOf = (row: Row) => {
    const { slice: _slice, ...asked } = askedOf(row)
    return asked
  }
  return connectionField({
    type: answerConnection,
    description,
    size: { default: 10, max: 100 },
    idOf: (row: Row) => JSON.stringify([row.projectId, idOf(row), askedOf(row)]),
    inherited: argsOf,
    scope: async (row: Row, context) => {
      const scope = await scopeOf(context, row.projectId)
      const { slice } = askedOf(row)
      return slice ? { ...scope, slice } : scope
    },
    resolve: (_row: Row, given, _context, scope) => answersBy(scope, given),
  })
}

sliceList(Object.values(sliceParents), 'answers', {
  type: answerConnection,
  description: (answers) => `A${answers.slice(1)}, newest first.`,
  size: { default: 10, max: 100 },
  args: { ...windowArgs, ...filterArgs, ...answerArgs },
  resolve: (scope, given) => answersBy(scope, given as typeof given & AnswersArgs),
})
