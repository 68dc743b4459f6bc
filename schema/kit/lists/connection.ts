import type { FieldMap, ImplementableObjectRef, ObjectRef } from '@pothos/core'
import type { CountedPagination, SortKey } from '../../../core/pagination.ts'
import { builder, type Types } from '../builder.ts'
import type { FieldsOf } from '../report-fields.ts'

/**
 * Lists of the graph: Relay connections, read forwards by `first` and `after`.
 *
 * 1. Make the type of the list once, beside the type of its rows. `connectionOf(answerRow)` is `AnswerConnection`. Its
 *    `facts` are the other fields, whose parent is what a resolver returns for a page.
 * 2. A report is a connection when it names that type: `report('answers', { …, connection })`. `listOf` makes it with
 *    the type of the same list in REST.
 * 3. A list of any other object is a field of its own. `size` has the default and the maximum of `first`:
 *    `builder.objectField('Topic', 'answers', (t) => t.field(connectionField({ type, description, size, args, resolve })))`
 *
 * The resolver of a list below many parents calls `together(context, 'Topic.answers', topic, args, ofTopics)`. `args`
 * has the window and the filters flat, `offset`, and `limit`: one row more than the client asked for. The connection
 * takes the extra row off, and knows by it whether more rows follow. So a statement for many parents is
 * `LIMIT {offset}, {limit} BY parent`, without a count. A cursor is part of `args`, so `together` never mixes pages of
 * different lists. The resolver's `scope` has the snapshot and the time of the first page.
 *
 * A list of the warehouse is stable, because its scope is: its cursor has the number of a row. A list of the catalog
 * changes between two pages, so it has a `sortKey`: its cursor has the sort values of a row. Its resolver gets them as
 * `afterKey`, and `offset` is 0. `resolvers/shared/lists/keyset.ts` makes the condition. Tables of the connector
 * are such lists too: crawls come at any time.
 *
 * A list that its resolver reads whole, such as the topics of a project, has `isWhole`: `whole.ts` cuts its pages, and
 * knows their number. Its resolver gets neither `limit` nor `offset`.
 *
 * `total` of a page runs only when a client asks for `totalCount`, where it is a function.
 */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  /** Absent where the list is read whole, or each row has the number. */
  readonly total?: Later<number> | (() => Later<number>)
  /** Whether the resolver read fewer rows than asked, since the response takes no more; absent where it does not check. */
  readonly isCut?: boolean
}

export type Later<Value> = Value | Promise<Value>

interface ConnectionOptions<Page extends object, Row> {
  /** The type is `<name>Connection`; the name of the rows' type unless given. */
  readonly name?: string
  readonly description?: string
  /** The rows of a page; `rows` of the page unless given. */
  readonly rows?: (page: Page) => Later<readonly Row[]>
  /** The number of rows of the whole list. From `total` or `pagination` of the page unless given. */
  readonly total?: (page: Page) => Later<number>
  /** The values that the list is sorted by, where its rows are of the catalog. Pages then follow a row, not a number. */
  readonly sortKey?: (row: Row) => SortKey
  /** The resolver gives all rows, and the connection cuts the page. */
  readonly isWhole?: boolean
  /** Each row has the number of rows of the whole list as `total`, from the statement of the page. */
  readonly isCounted?: boolean
  /** What the list says beside its rows, such as a summary. */
  readonly facts?: (t: FieldsOf<Page>) => FieldMap
}

/** The type of a list in the graph. */
export interface ConnectionType<Page extends object, Row> {
  readonly ref: ObjectRef<Types, Page>
  readonly rows: (page: Page) => Later<readonly Row[]>
  readonly total: (page: Page) => Later<number>
  sortKey?(row: Row): SortKey
  readonly isWhole?: boolean
  readonly isCounted?: boolean
}

/** Makes the connection of a type of rows, with the type of its edges. */
export function connectionOf<Row extends object, Page extends object = RowPage<Row>>(
  row: ObjectRef<Types, Row>,
  {
    name = row.name,
    description = 'A page of a list.',
    rows = rowsOf,
    total = totalOf,
    sortKey,
    isWhole = false,
    isCounted = false,
    facts,
  }: ConnectionOptions<Page, Row> = {},
): ConnectionType<Page, Row> {
  const node: ObjectRef<Types, unknown> = row
  const connection: ObjectRef<Types, unknown> = builder.connectionObject(
    { type: node, name: `${name}Connection`, description },
    { description: 'A row with its cursor.' },
  )
  // The object of a connection is the page of its resolver, with its edges and its count: see `connectionFrom`.
  const ref = connection as ObjectRef<Types, Page>
  const counted = connection as ObjectRef<Types, Connection>
  builder.objectField(counted, 'totalCount', (t) =>
    t.field({
      type: 'Int',
      description: 'Rows of the whole list.',
      resolve: (page) => page.countRows(),
    }),
  )
  if (facts) builder.objectFields(ref, facts)
  return { ref, rows, total, isWhole, isCounted, ...(sortKey && { sortKey }) }
}

/** Fields of a list in REST that a connection says in its own way. */
const pageFields = ['pagination', 'totalCount', 'hasMore', 'nextCursor']

interface ListOptions<Page extends object, Row> {
  readonly description: string
  /** The name of the field with the rows, and of the rows in the page. */
  readonly rows: string & keyof Page
  /** The name of the connection without `Connection`; that of the rows' type unless given. */
  readonly name?: string
  readonly total?: (page: Page) => Later<number>
  /** As of a connection. */
  readonly sortKey?: (row: Row) => SortKey
  readonly isWhole?: boolean
  readonly isCounted?: boolean
  readonly fields: (t: FieldsOf<Page>) => FieldMap
}

/**
 * Both types of a list. The object of REST has rows and pagination among its fields. The connection of the graph has
 * the other fields. For `report`: `report('ads', { ...adList, … })`.
 */
export function listOf<Page extends object, Row extends object>(
  list: ImplementableObjectRef<Types, Page>,
  row: ObjectRef<Types, Row>,
  {
    description,
    rows,
    name,
    total,
    sortKey,
    isWhole = false,
    isCounted = false,
    fields,
  }: ListOptions<Page, Row>,
) {
  const type = list.implement({ description, fields })
  const connection = connectionOf<Row, Page>(row, {
    description,
    isWhole,
    isCounted,
    ...(name === undefined ? {} : { name }),
    ...(total === undefined ? {} : { total }),
    ...(sortKey === undefined ? {} : { sortKey }),
    rows: (page) => {
      const found: unknown = page[rows]
      return (typeof found === 'function' ? found() : found) as Later<readonly Row[]>
    },
    facts: (t) =>
      Object.fromEntries(
        Object.entries(fields(t)).filter(([key]) => key !== rows && !pageFields.includes(key)),
      ),
  })
  return { type, connection }
}

/** What a page says of its number: every list knows it, and most by a statement that runs when a client asks. */
interface Counted extends Required<Pick<RowPage<unknown>, 'total'>> {
  readonly pagination?: CountedPagination | (() => Later<CountedPagination>)
}

function rowsOf<Row>(page: object): Later<readonly Row[]> {
  return (page as RowPage<Row>).rows
}

function totalOf(page: object): Later<number> {
  const { total, pagination } = page as Counted
  if (typeof pagination === 'function') {
    return Promise.resolve(pagination()).then(({ totalCount }) => totalCount)
  }
  if (pagination) return pagination.totalCount
  return typeof total === 'function' ? total() : total
}

export interface Connection {
  countRows(): Later<number>
}
