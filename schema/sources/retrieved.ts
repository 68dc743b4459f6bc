import type { AnswerCitation } from '../../resolvers/answers/whole.ts'
import { askedIn } from '../../resolvers/shared/asked.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import {
  type RetrievedUrl,
  retrievedUrls,
  timesRetrieved,
} from '../../resolvers/sources/retrieved.ts'
import type { UrlRow } from '../../resolvers/sources/urls.ts'
import { answerRow } from '../answers/answers.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { readOfOwner, readOfProject, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { sliceList } from '../kit/slice-fields.ts'
import { sliceParents } from '../kit/slice-parents.ts'
import { pageAtUrl } from '../pages/at-url.ts'
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
    retrievedIn: t.expose('responses', {
      type: 'Int',
      description: 'Answers in the window for which the URL was read and not cited.',
    }),
    page: t.field(pageAtUrl('The page of the own site at the URL; null for other sites.')),
  }),
})

const connection = connectionOf(retrievedUrl, {
  description: 'URLs that were read and not cited, most answers first.',
  isCounted: true,
})
const args = { ...windowArgs, ...filterArgs }

const list = {
  type: connection,
  size: { default: 10, max: 100 },
  args,
} as const

const listOf = async (scope: ProjectScope, asked: Parameters<typeof retrievedUrls>[1]) => ({
  rows: await batched('sources.retrieved', scope, asked, retrievedUrls),
})

builder.objectField('Project', 'retrievedUrls', (t) =>
  t.field(
    connectionField({
      ...list,
      access: readOfProject,
      description: 'URLs that AI assistants read for answers and did not cite, most answers first.',
      resolve: (_project: object, asked, _context, scope) => listOf(scope, asked),
    }),
  ),
)

sliceList(Object.values(sliceParents), 'retrievedUrls', {
  ...list,
  description: (answers) => `URLs read for and not cited in ${answers}, most answers first.`,
  resolve: listOf,
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
      type: 'Int',
      description: 'Place of the URL among the citations of the import, from 1.',
    }),
    page: t.field(pageAtUrl('The page of the own site at the URL; null for other sites.')),
  }),
})

builder.objectField(answerRow, 'retrievedUrls', (t) =>
  t.field({
    type: [answerRetrieval],
    view: 'graph',
    description: 'URLs that the assistant read and the answer does not cite, by position.',
    resolve: (answer) => answer.retrievedUrls(),
  }),
)

builder.objectField(sourceUrl, 'retrievedIn', (t) =>
  t.field({
    type: 'Int',
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description:
      'Answers in the window for which AI assistants read the URL, and which do not cite it.',
    resolve: async (
      { projectId, url, asked: { domain: _within, ...asked } }: UrlRow,
      _args,
      context,
    ) => {
      const of = askedIn(await scopeOf(context, projectId), asked)
      const parent = { scope: of.scope, url }
      return together(context, 'sources.times-retrieved', parent, of.args, timesRetrieved)
    },
  }),
)
