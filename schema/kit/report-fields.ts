import type { Pagination } from '../../core/pagination.ts'
import type { DateRange } from '../../core/window.ts'
import { type CountedData, dataDays } from '../../resolvers/projects/data-days.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { comparisonMode } from './args.ts'
import { builder, type Types } from './builder.ts'
import { coverageField, type InReport } from './method/coverage.ts'
import { methodField } from './method/method.ts'

/** The `t` with which the fields of an object of this shape are made. */
export type FieldsOf<Shape extends object> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

export const projectReference = builder.objectRef<ProjectScope>('ProjectReference').implement({
  description: 'The project that a response is about.',
  fields: (t) => ({
    id: t.id({ description: 'UUID of the project.', resolve: (scope) => scope.project.id }),
    name: t.string({
      description: 'Name of the own brand.',
      resolve: (scope) => scope.project.name,
    }),
    domain: t.string({
      description: 'Main domain of the own brand.',
      resolve: (scope) => scope.project.domain,
    }),
  }),
})

const paginationFields = (t: FieldsOf<Pagination>) => ({
  limit: t.expose('limit', {
    type: 'Int',
    description: 'Rows that a page may have, after clamping.',
  }),
  offset: t.expose('offset', { type: 'Int', description: 'Rows that were skipped.' }),
  returnedCount: t.expose('returnedCount', {
    type: 'Int',
    description: 'Rows in this page.',
  }),
  totalCount: t.expose('totalCount', {
    type: 'Int',
    nullable: true,
    description: 'Rows in the whole list; null where an exact count would be slow.',
  }),
  hasMore: t.exposeBoolean('hasMore', { description: 'Whether more rows follow this page.' }),
  nextOffset: t.expose('nextOffset', {
    type: 'Int',
    description: 'The `offset` of the next page.',
  }),
})

const paginationBlock = builder.objectRef<Pagination>('Pagination').implement({
  description: 'Where a page begins and ends in its list.',
  fields: paginationFields,
})

/** The block of the list of competitors, which has an alias for old clients. */
export const paginationWithTotal = builder
  .objectRef<Pagination & { readonly total: number }>('PaginationWithTotal')
  .implement({
    description: 'Where a page begins and ends in its list.',
    fields: (t) => ({
      ...paginationFields(t),
      total: t.expose('total', {
        type: 'Int',
        description: 'Alias of `totalCount`, kept for old clients.',
      }),
    }),
  })

export const dateRangeBlock = builder.objectRef<DateRange>('DateRange').implement({
  description: 'A window of UTC calendar days, both ends included.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'First day of the window, inclusive.' }),
    to: t.expose('to', { type: 'Date', description: 'Last day of the window, inclusive.' }),
  }),
})

type Compared = typeof comparisonMode.$inferType
interface ComparedWindow {
  readonly mode: Compared
  readonly dateRange: DateRange
}
type Later<Value> = Value | Promise<Value>

/** A report, or a part of one. */
interface InProject {
  readonly scope: ProjectScope
}

const countedMeanings: Readonly<Record<CountedData, string>> = {
  answers: 'answers',
  crawls: 'crawler hits',
  sessions: 'sessions of web analytics',
  search: 'rows of the search console',
  bingSearch: 'rows of Bing Webmaster Tools',
}

/** The days that have data of the project of a report; null without any. */
function daysOf({ scope }: InProject, of: CountedData) {
  const { slice: _slice, pinned: _pinned, ...whole } = scope
  return batched('dataDays', whole, { of }, dataDays)
}

/** Where data are, for a report without any in its window. Reports of one request take one statement. */
export const dataAvailable = <Report extends InProject>(
  t: FieldsOf<Report>,
  of: CountedData = 'answers',
  countedIn: (report: Report) => CountedData = () => of,
) => {
  const rows = countedMeanings[of]
  return t.field({
    type: dateRangeBlock,
    nullable: true,
    view: 'graph',
    description: `First and last day with ${rows}; null without any.`,
    resolve: (report) => daysOf(report, countedIn(report)),
  })
}

/** Advice for a report without data in its window, with the days that have data. */
export async function adviceWithDays(
  report: InProject,
  advice: string,
  of: CountedData = 'answers',
): Promise<string> {
  const days = await daysOf(report, of)
  if (days === null) return advice
  return `${advice} The project has ${countedMeanings[of]} from ${days.from} to ${days.to}.`
}

/** Fields that reports share, each made with the `t` of the report: `...reportFields.window(t)`. */
export const reportFields = {
  /** REST alone names the project: a GraphQL query has named it. */
  project: <Report extends { readonly scope: ProjectScope }>(t: FieldsOf<Report>) =>
    t.field({
      type: projectReference,
      view: 'rest',
      description: 'The project that the report is about.',
      resolve: ({ scope }) => scope,
    }),
  dateRange: <Report extends { readonly dateRange: DateRange }>(t: FieldsOf<Report>) =>
    t.field({
      type: dateRangeBlock,
      description: 'Days that the report covers.',
      resolve: ({ dateRange }) => dateRange,
    }),
  /** The window. In the graph also the days that have data of this kind, and for answers how they were collected. */
  window: <Report extends InReport>(t: FieldsOf<Report>, of?: CountedData) => ({
    dateRange: reportFields.dateRange(t),
    dataAvailable: dataAvailable(t, of),
    ...(of === undefined ? { coverage: coverageField(t), method: methodField(t) } : {}),
  }),
  /** Counted before the field is selected, or only then. */
  pagination: <Report extends { readonly pagination: Pagination | (() => Later<Pagination>) }>(
    t: FieldsOf<Report>,
    options: { readonly view?: 'graph'; readonly description?: string } = {},
  ) =>
    t.field({
      type: paginationBlock,
      description: 'Where the page begins and ends.',
      ...options,
      resolve: ({ pagination }) => (typeof pagination === 'function' ? pagination() : pagination),
    }),
  hasMore: <Report extends { readonly hasMore: boolean }>(t: FieldsOf<Report>) =>
    t.boolean({
      description: 'Whether more rows follow this page.',
      resolve: ({ hasMore }) => hasMore,
    }),
  nextCursor: <Report extends { readonly nextCursor: string | null }>(t: FieldsOf<Report>) =>
    t.string({
      nullable: true,
      description: 'The `cursor` of the next page; null on the last page.',
      resolve: ({ nextCursor }) => nextCursor,
    }),
  /** `mode` and `dateRange` of the earlier window that a report is compared with. */
  comparedWindow: <Comparison extends ComparedWindow>(t: FieldsOf<Comparison>) => ({
    mode: t.field({
      type: comparisonMode,
      description: 'How the compared window was chosen.',
      resolve: ({ mode }) => mode,
    }),
    dateRange: t.field({
      type: dateRangeBlock,
      description: 'The compared window.',
      resolve: ({ dateRange }) => dateRange,
    }),
  }),
  /** The compared window in the graph, where each change is beside its number. */
  comparison: <Report extends { readonly comparison: ComparedWindow | null }>(
    t: FieldsOf<Report>,
  ) =>
    t.field({
      type: comparedWindowType,
      nullable: true,
      view: 'graph',
      graphName: 'comparison',
      description: 'The earlier window that changes are since; null without `compare`.',
      resolve: ({ comparison }) => comparison,
    }),
}

const comparedWindowType = builder.objectRef<ComparedWindow>('Comparison').implement({
  description: 'The earlier window that a report is compared with.',
  fields: (t) => reportFields.comparedWindow(t),
})

/** A field that is null unless the report has `condition`; REST then leaves the key out. */
export const onlyWith = (condition: string, meaning: string) => ({
  nullable: true as const,
  omitNull: true as const,
  description: `${meaning} Null without ${condition}.`,
  restDescription: `${meaning} Present only with ${condition}.`,
})

/** The same of numbers that may be null beside `compare`, where REST writes them. */
export const onlyCompared = (meaning: string) => ({
  ...onlyWith('`compare`', meaning),
  omitNull: { unless: 'compare' } as const,
})

/** A key that REST has always answered with true: some clients check it. */
export const success = { view: 'rest', description: 'Always true.', resolve: () => true } as const
