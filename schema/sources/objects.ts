import { yearWindow } from '../../core/window.ts'
import { type Asked, askedIn } from '../../resolvers/shared/asked.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import {
  citedUrls,
  contentsOf,
  domainsOf,
  type ListedUrl,
  urlsByName,
  urlsOfDomains,
} from '../../resolvers/sources/objects.ts'
import type { DomainRow } from '../../resolvers/sources/sources.ts'
import type { UrlAsked, UrlRow } from '../../resolvers/sources/urls.ts'
import { answerCitation } from '../answers/answers.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { readOfOwner, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { windowOf, withInputNames } from '../kit/inputs.ts'
import { connectionField } from '../kit/lists/field.ts'
import { sliceList } from '../kit/slice-fields.ts'
import { sliceParents } from '../kit/slice-parents.ts'
import { pageAtUrl } from '../pages/at-url.ts'
import { sourceContentType } from './content.ts'
import { citedDomain } from './edges.ts'
import { sourceDomain } from './sources.ts'
import { sourceUrl, sourceUrlList } from './urls.ts'

/** A cited URL by its name, with the numbers of what was asked for; null where no answer cites it. */
export function urlBy(context: Context, project: ProjectScope, url: string, asked: UrlAsked) {
  const { scope, args } = askedIn(project, asked)
  return together(context, 'sources.url', { scope, url }, args, urlsByName)
}

/** The same of a domain. */
export function domainBy(context: Context, project: ProjectScope, domain: string, asked: Asked) {
  const { scope, args } = askedIn(project, asked)
  return together(context, 'sources.domain', { scope, domain }, args, domainsOf)
}

const listOfUrls = (urls: readonly ListedUrl[], offset: number) => ({
  urls: [...urls],
  // A page beyond the end has no row that holds the total: all rows are before it.
  totalUrls: urls[0]?.total ?? offset,
  hasMore: false,
  nextCursor: null,
})

const { page, sourceUrl: ofUrl, sourceDomain: ofDomain, ...others } = sliceParents
const cited = [page, ofUrl, ofDomain]

// What is cited itself shares its answers with other URLs: `urls` of a domain are its own.
for (const [parents, name] of [
  [Object.values(others), 'citedUrls'],
  [cited, 'coCitedUrls'],
] as const) {
  sliceList(parents, name, {
    type: sourceUrlList.connection,
    description: (answers) => `URLs cited in ${answers}, most answers first.`,
    size: { default: 10, max: 100 },
    args: { ...windowArgs, ...filterArgs },
    resolve: async (scope, args) =>
      listOfUrls(await batched('sources.urls-of-each', scope, args, citedUrls), args.offset),
  })
}

builder.objectFields(sourceDomain, (t) => ({
  urls: t.field(
    connectionField({
      type: sourceUrlList.connection,
      description: 'URLs of the domain that answers cite, most answers first.',
      size: { default: 10, max: 100 },
      idOf: ({ projectId, domain, asked }: DomainRow) => JSON.stringify([projectId, domain, asked]),
      resolve: async ({ domain, asked }, { limit, offset }, context, project) => {
        const { scope, args } = askedIn(project, asked)
        const page = { ...args, limit, offset }
        const of = { scope, domain }
        const found = await together(context, 'sources.domain-urls', of, page, urlsOfDomains)
        return listOfUrls(found, offset)
      },
    }),
  ),
}))

const domainField = {
  type: sourceDomain,
  nullable: true,
  view: 'graph',
  access: readOfOwner,
} as const

const domainOfRow = async (
  { projectId, domain, asked }: Pick<DomainRow, 'projectId' | 'domain' | 'asked'>,
  _args: object,
  context: Context,
) => domainBy(context, await scopeOf(context, projectId), domain, asked)

builder.objectField(citedDomain, 'sourceDomain', (t) =>
  t.field({
    ...domainField,
    description: 'The domain with all its numbers, in the same answers.',
    resolve: domainOfRow,
  }),
)

builder.objectFields(sourceUrl, (t) => ({
  sourceDomain: t.field({
    ...domainField,
    description: 'The domain of the URL, in the window and after the filters of the URL.',
    resolve: ({ asked: { domain: _within, ...asked }, ...row }: UrlRow, args, context) =>
      domainOfRow({ ...row, asked }, args, context),
  }),
  page: t.field(pageAtUrl('The page of the own site at the URL; null for other sites.')),
  content: t.field({
    type: sourceContentType,
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: 'The stored text of the page; null when no text is stored.',
    resolve: async ({ projectId, url }, _args, context) => {
      const page = { scope: await scopeOf(context, projectId), url }
      return together(context, 'sources.contents', page, {}, contentsOf)
    },
  }),
}))

const window = windowOf(yearWindow)

const urlIn = (
  context: Context,
  projectId: string,
  url: string,
  given: Parameters<typeof window.flat>[0],
) =>
  withInputNames(async () => {
    const parent = { scope: await scopeOf(context, projectId), url }
    return together(context, 'sources.url', parent, window.flat(given), urlsByName)
  })

builder.objectField(answerCitation, 'sourceUrl', (t) =>
  t.field({
    type: sourceUrl,
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: "The URL among the project's sources; null when not cited in the window.",
    args: window.args,
    resolve: ({ projectId, url }, given, context) => urlIn(context, projectId, url, given),
  }),
)

builder.objectField(sourceContentType, 'sourceUrl', (t) =>
  t.field({
    type: sourceUrl,
    nullable: true,
    view: 'graph',
    description: 'The URL with its numbers; null when no answer in the window cites it.',
    args: window.args,
    resolve: (content, given, context) => urlIn(context, content.projectId, content.url, given),
  }),
)
