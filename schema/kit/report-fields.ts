import type { Pagination } from '../../core/pagination.ts'
import type { DateRange } from '../../core/window.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { builder, type Types } from './builder.ts'

export const projectReference = builder.objectRef<ProjectScope>('ProjectReference').implement({
  description: 'Which project an answer is about.',
  fields: (t) => ({
    id: t.id({ description: 'UUID.', resolve: (scope) => scope.project.id }),
    name: t.string({ description: 'The brand.', resolve: (scope) => scope.project.name }),
    domain: t.string({
      description: "The brand's main domain.",
      resolve: (scope) => scope.project.domain,
    }),
  }),
})

type PageFields = PothosSchemaTypes.ObjectFieldBuilder<Types, Pagination>

const pageFields = (t: PageFields) => ({
  limit: t.expose('limit', { type: 'SafeInt', description: 'Page size used.' }),
  offset: t.expose('offset', { type: 'SafeInt', description: 'Row offset used.' }),
  returnedCount: t.expose('returnedCount', {
    type: 'SafeInt',
    description: 'Rows in this page.',
  }),
  totalCount: t.expose('totalCount', {
    type: 'SafeInt',
    nullable: true,
    description: 'Rows in the list; null where an exact total is not cheap.',
  }),
  hasMore: t.exposeBoolean('hasMore', { description: 'Whether more rows follow.' }),
  nextOffset: t.expose('nextOffset', {
    type: 'SafeInt',
    description: 'Pass it as the next `offset`.',
  }),
})

export const paginationBlock = builder.objectRef<Pagination>('Pagination').implement({
  description: 'Where a page stands in its list.',
  fields: pageFields,
})

/** The block of the list of competitors, which has an alias for old clients. */
export const paginationWithTotal = builder
  .objectRef<Pagination & { readonly total: number }>('PaginationWithTotal')
  .implement({
    description: 'Where a page stands in its list.',
    fields: (t) => ({
      ...pageFields(t),
      total: t.expose('total', {
        type: 'SafeInt',
        description: 'Alias of `totalCount`, kept for old clients.',
      }),
    }),
  })

export const dateRangeBlock = builder.objectRef<DateRange>('DateRange').implement({
  description: 'A window of UTC calendar days, both ends included.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'First day.' }),
    to: t.expose('to', { type: 'Date', description: 'Last day.' }),
  }),
})

/** What every report carries: the project in REST, and the window. */
export const frame = <Shape extends { scope: ProjectScope; dateRange: DateRange }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>,
) => ({
  project: () =>
    t.field({
      type: projectReference,
      view: 'rest',
      description: 'The project.',
      resolve: (report) => report.scope,
    }),
  dateRange: () =>
    t.field({
      type: dateRangeBlock,
      description: 'The window.',
      resolve: (report) => report.dateRange,
    }),
})

/** A key that is true on every answer of old: some clients check it. */
export const success = { view: 'rest', description: 'Always true.', resolve: () => true } as const
