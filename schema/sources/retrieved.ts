import type { AnswerCitation } from '../../resolvers/answers/whole.ts'
import { askedIn } from '../../resolvers/shared/asked.ts'
import {
  type RetrievedUrl,
  retrievedUrls,
  timesRetrieved,
} from '../../resolvers/sources/retrieved.ts'
import type { UrlRow } from '../../resolvers/sources/urls.ts'
import { answerRow } from '../answers.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { readOfOwner, readOfProject, scopeOf } from '../kit/authorize.ts'
import { batched, together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { edgeList, sliceParents } from '../kit/edge.ts'
import { flatArgs, graphArgs, withInputNames } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { sourceUrl } from './urls.ts'

/**
 * What assistants read and did not cite, by `citations[].cited: false` of an import. No report on citations counts
 * it.
 */
const retrievedUrl = builder.objectRef<RetrievedUrl>('RetrievedUrl').implement({
  description: 'A URL that AI assistants read for answers which do not cite it.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The normalised URL.' }),
    domain: t.exposeString('domain', { description: 'Registrable domain of the URL.' }),
    title: t.string({
      nullable: true,
      description: 'Newest title of the page; null when no answer gave a title.',
      resolve: ({ title }) => title || null,
    }),
    responses: t.expose('responses', {
      type: 'SafeInt',
      description: 'Number of answers in the window for which the URL was read and not cited.',
    }),
    page: t.field({
      type: pageType,
      nullable: true,
      view: 'graph',
      description: 'The page of the own site at the URL; null for other sites.',
      resolve: ({ projectId, url }, _args, context) =>
        pageLoaders(context).byUrl.load({ projectId, url }),
    }),
  }),
})

const connection = connectionOf(retrievedUrl, {
  description: 'URLs that were read and not cited, most answers first, ties by URL.',
})
const list = {
  type: connection,
  size: { default: 10, max: 100 },
  args: { ...windowArgs, ...filterArgs },
} as const

const pageOf = (rows: readonly RetrievedUrl[], offset: number) => ({
  rows,
  // A page beyond the end has no row that holds the total.
  ...(rows[0] === undefined && offset > 0 ? {} : { total: rows[0]?.total ?? 0 }),
})

builder.objectField('Project', 'retrievedUrls', (t) =>
  t.field(
    connectionField({
      ...list,
      access: readOfProject,
      description:
        'URLs that AI assistants read for answers which do not cite them, most answers first, ties by URL. Counts imports that say so.',
      resolve: async (_project: object, args, context, scope) =>
        pageOf(
          await batched(context, 'sources.retrieved', scope, args, retrievedUrls),
          args.offset,
        ),
    }),
  ),
)

edgeList(Object.values(sliceParents), 'retrievedUrls', {
  ...list,
  description: (answers) =>
    `URLs read for and not cited in ${answers}, most answers first, ties by URL.`,
  resolve: async (scope, args, context) =>
    pageOf(await batched(context, 'sources.retrieved', scope, args, retrievedUrls), args.offset),
})

const answerRetrieval = builder.objectRef<AnswerCitation>('AnswerRetrieval').implement({
  description: 'A URL that the assistant read for an answer, and that the answer does not cite.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The URL, normalised.' }),
    domain: t.exposeString('domain', { description: 'Registrable domain of the URL.' }),
    title: t.string({
      nullable: true,
      description: 'Title of the page; null when the import names none.',
      resolve: ({ title }) => title || null,
    }),
    position: t.expose('position', {
      type: 'SafeInt',
      description: 'Place of the URL among the citations of the import, from 1.',
    }),
    page: t.field({
      type: pageType,
      nullable: true,
      view: 'graph',
      description: 'The page of the own site at the URL; null for other sites.',
      resolve: ({ projectId, url }, _args, context) =>
        pageLoaders(context).byUrl.load({ projectId, url }),
    }),
  }),
})

builder.objectField(answerRow, 'retrievedUrls', (t) =>
  t.field({
    type: [answerRetrieval],
    view: 'graph',
    description:
      'URLs that the assistant read for the answer and that the answer does not cite, by position.',
    resolve: (answer) => answer.retrievedUrls(),
  }),
)

const times =
  'Number of answers in the window for which AI assistants read the URL, and which do not cite it.'

builder.objectField(sourceUrl, 'retrieved', (t) =>
  t.field({
    type: 'SafeInt',
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: times,
    resolve: async (
      { projectId, url, asked: { domain: _within, ...asked } }: UrlRow,
      _args,
      context,
    ) => {
      const { scope, args } = askedIn(await scopeOf(context, projectId), asked)
      return together(context, 'sources.times-retrieved', { scope, url }, args, timesRetrieved)
    },
  }),
)

builder.objectField(pageType, 'retrieved', (t) =>
  t.field({
    type: 'SafeInt',
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: times.replace('the URL', 'the page'),
    args: graphArgs(list.args),
    resolve: ({ projectId, url }, given, context) =>
      withInputNames(async () => {
        const page = { scope: await scopeOf(context, projectId), url }
        const args = flatArgs(list.args, given)
        return together(context, 'sources.times-retrieved', page, args, timesRetrieved)
      }, list.args),
  }),
)
