import { ownPagesOf, queriesByText, queriesOfSlices } from '../../resolvers/fanout/edges.ts'
import { fanoutWindow } from '../../resolvers/fanout/fanout.ts'
import { type Asked, askedIn } from '../../resolvers/shared/asked.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { answerRow } from '../answers/answers.ts'
import { filterArgs, windowArgs, windowArgsOf } from '../kit/args.ts'
import { readOfOwner, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { windowOf, withInputNames } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { sliceField, sliceList } from '../kit/slice-fields.ts'
import { sliceParents } from '../kit/slice-parents.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { topQuery } from './fanout.ts'

/** A sub-query by its text, with the numbers of what was asked for. */
export function queryBy(context: Context, project: ProjectScope, query: string, asked: Asked) {
  const { scope, args } = askedIn(project, asked)
  return together(context, 'fanout.by-text', { scope, query }, args, queriesByText)
}

const problems = ['plan_upgrade_required'] as const
const { fanoutQuery, ...others } = sliceParents

sliceList(Object.values(others), 'fanoutQueries', {
  type: connectionOf(topQuery, {
    description: 'Sub-queries, most searches first.',
    isCounted: true,
  }),
  description: (answers) =>
    `Sub-queries that AI platforms searched for before ${answers}. Needs a plan with query fanout.`,
  problems,
  size: { default: 10, max: 100 },
  args: { ...windowArgsOf(fanoutWindow), ...filterArgs },
  resolve: async (scope, args) => ({
    rows: await batched('fanout.of-each', scope, args, queriesOfSlices),
  }),
})

const window = windowOf(fanoutWindow)

builder.objectField(answerRow, 'fanoutQueries', (t) =>
  t.field({
    type: [topQuery],
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    problems,
    description: 'Sub-queries of the answer, in order. Needs a plan with query fanout.',
    args: window.args,
    resolve: (answer, given, context) =>
      withInputNames(async () => {
        const scope = await scopeOf(context, answer.projectId)
        const args = window.flat(given)
        const found = await Promise.all(
          (await answer.searchQueries()).map((query) =>
            together(context, 'fanout.by-text', { scope, query }, args, queriesByText),
          ),
        )
        // Spellings of one sub-query are one object.
        return [...new Map(found.map((row) => [row.query, row])).values()]
      }),
  }),
)

sliceField([fanoutQuery], 'page', {
  type: pageType,
  description: () => "The site's page that most answers with the sub-query cite; null for none.",
  args: { ...windowArgs, ...filterArgs },
  resolve: async (scope, given, context) => {
    const urls = await batched('fanout.own-pages', scope, given, ownPagesOf)
    const projectId = scope.project.id
    const pages = await Promise.all(
      urls.map((url) => pageLoaders(context).byUrl.load({ projectId, url })),
    )
    return pages.find((page) => page !== null)
  },
})
