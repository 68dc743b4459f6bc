import type { PageArgs } from '../../core/pagination.ts'
import { type Page, page, pages } from '../../resolvers/pages/pages.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { auditType } from '../audits/audit.ts'
import { pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { countMap, countMapSchema, keyCount } from '../kit/counts.ts'
import { listOf } from '../kit/lists/connection.ts'
import { lookup } from '../kit/lookup.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { pageLoaders } from './loaders.ts'

type List = Awaited<ReturnType<typeof pages>>

export const pageType = builder.objectRef<Page>('Page').implement({
  description: 'A known page of the site.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the page.' }),
    slug: t.exposeString('slug', {
      description: 'Last part of the path of the page; `home` for the front page.',
    }),
    url: t.exposeString('url', { description: 'Normalised URL of the page.' }),
    type: t.exposeString('type', {
      description: 'Kind of page: as imported, else detected by URL and title.',
    }),
    title: t.exposeString('title', { description: 'Title of the page; empty when unknown.' }),
    description: t.exposeString('description', {
      description: 'Description of the page; empty when unknown.',
    }),
    isTracked: t.exposeBoolean('isTracked', { description: 'Whether the page is tracked.' }),
    isBeingAudited: t.exposeBoolean('isBeingAudited', {
      description: 'Whether an audit in progress has yet to check the page.',
    }),
    openIssueCount: t.expose('openIssueCount', {
      type: 'Int',
      description: 'Open issues of the page, as audits found.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the page became known.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time when the page last changed.',
    }),
  }),
})

const summary = builder.objectRef<List['summary']>('PageSummary').implement({
  description: 'Counts of the pages of the site, over all pages of the list.',
  fields: (t) => ({
    totalPages: t.expose('totalPages', {
      graphName: 'pageCount',
      type: 'Int',
      description: 'Known pages.',
    }),
    trackedPages: t.expose('trackedPages', {
      graphName: 'trackedPageCount',
      type: 'Int',
      description: 'Tracked pages.',
    }),
    pagesWithIssues: t.expose('pagesWithIssues', {
      type: 'Int',
      description: 'Pages with open issues, as audits found.',
    }),
    byType: t.field({
      type: 'JSON',
      view: 'rest',
      json: countMapSchema,
      description: 'Pages by type.',
      resolve: ({ counts }) => countMap(counts),
    }),
    typeCounts: t.field({
      type: [keyCount],
      view: 'graph',
      description: 'Pages by type, most first.',
      resolve: ({ counts }) => [...counts],
    }),
  }),
})

const pageList = listOf(builder.objectRef<List & { scope: ProjectScope }>('PageList'), pageType, {
  description: 'Known pages of the site by URL, with counts.',
  rows: 'pages',
  sortKey: ({ url }) => [url],
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.expose('summary', {
      type: summary,
      description: 'Counts over all known pages of the site.',
    }),
    pages: t.expose('pages', {
      type: [pageType],
      description: 'Pages of the site, sorted by URL.',
    }),
    pagination: reportFields.pagination(t, { view: 'graph' }),
  }),
})

/** More pages than a response takes: in REST the list ends at its bytes, and the header `Link` leads on. */
const allPages = { default: 100_000, max: 100_000 }

report('pages', {
  ...pageList,
  description: 'Known pages of the site, as imported.',
  args: pageArgs(allPages, { default: 5000, max: 5000 }),
  resolve: async (scope, args) => ({ scope, ...(await pages(scope, args as PageArgs)) }),
})

lookup('page', {
  description: 'One page of the site.',
  id: ['pageId', 'Id of the page.'],
  type: pageType,
  rest: {
    field: 'getPage',
    type: builder.objectRef<Page>('PageReply').implement({
      description: 'One page of the site with the result of its latest audit.',
      fields: (t) => ({
        page: t.field({
          type: pageType,
          description: 'The page of the site.',
          resolve: (row) => row,
        }),
        latestAudit: t.field({
          type: auditType,
          nullable: true,
          description: 'The newest completed audit that judged the page; null when none did.',
          resolve: ({ id }, _args, context) => pageLoaders(context).latestAudit.load(id),
        }),
      }),
    }),
  },
  find: page,
})
