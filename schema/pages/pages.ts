import type { PageArgs } from '../../core/pagination.ts'
import { type Page, page, pages } from '../../resolvers/pages/pages.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { pageArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { countMap, countMapSchema, keyCount } from '../kit/counts.ts'
import { lookup } from '../kit/lookup.ts'
import { reportFields } from '../kit/report-fields.ts'
import { type Audit, auditType } from './audit.ts'

type List = Awaited<ReturnType<typeof pages>>

const pageType = builder.objectRef<Page>('Page').implement({
  description: 'A page of the site that is known.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    slug: t.exposeString('slug', {
      description: 'The last part of its path; `home` of the front page.',
    }),
    url: t.exposeString('url', { description: 'Its normalised URL.' }),
    type: t.exposeString('type', {
      description: 'What kind of page it is: as it was imported, else told by its URL and title.',
    }),
    title: t.exposeString('title', { description: 'Its title; empty where it is not known.' }),
    description: t.exposeString('description', {
      description: 'Its description; empty where it is not known.',
    }),
    isTracked: t.exposeBoolean('isTracked', { description: 'Whether it is watched.' }),
    isBeingAudited: t.exposeBoolean('isBeingAudited', {
      description: 'Whether an audit that has not ended checks it.',
    }),
    openIssueCount: t.expose('openIssueCount', {
      type: 'SafeInt',
      description: 'What is wrong with it, as audits found.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it came to be known.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When this last changed.' }),
  }),
})

const summary = builder.objectRef<List['summary']>('PageSummary').implement({
  description: 'The pages of the site, on all pages of the list.',
  fields: (t) => ({
    totalPages: t.expose('totalPages', { type: 'SafeInt', description: 'How many are known.' }),
    trackedPages: t.expose('trackedPages', {
      type: 'SafeInt',
      description: 'How many are watched.',
    }),
    pagesWithIssues: t.expose('pagesWithIssues', {
      type: 'SafeInt',
      description: 'How many have something wrong with them, as audits found.',
    }),
    byType: t.field({
      type: 'JSON',
      view: 'rest',
      json: countMapSchema,
      description: 'How many are of each type.',
      resolve: ({ counts }) => countMap(counts),
    }),
    typeCounts: t.field({
      type: [keyCount],
      view: 'graph',
      description: 'How many are of each type, most first.',
      resolve: ({ counts }) => [...counts],
    }),
  }),
})

const pageList = builder.objectRef<List & { scope: ProjectScope }>('PageList').implement({
  description: 'The pages of the site.',
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.expose('summary', { type: summary, description: 'Counts of all of them.' }),
    pages: t.expose('pages', { type: [pageType], description: 'By URL.' }),
    pagination: reportFields.pagination(t, { view: 'graph' }),
  }),
})

report('pages', {
  type: pageList,
  description: 'The pages of the site that are known, as they were imported.',
  args: pageArgs({ default: 5000, max: 5000 }),
  resolve: async (scope, args) => ({ scope, ...(await pages(scope, args as PageArgs)) }),
})

const latestAudit: Audit | null = null

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
          description: 'The newest audit that checked the page; null when no audit did.',
          resolve: () => latestAudit,
        }),
      }),
    }),
  },
  find: page,
})
