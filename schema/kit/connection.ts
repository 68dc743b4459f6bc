import type {
  ImplementableObjectRef,
  InputFieldMap,
  InputShapeFromFields,
  ObjectRef,
} from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import type { ErrorCode } from '../../core/errors.ts'
import { fingerprint, makeCursor, type Pagination } from '../../core/pagination.ts'
import type { ProjectScope, RequestContext } from '../../resolvers/shared/scope.ts'
import type { AccessRule } from './access-rule.ts'
import { forwardArgs, type PageSize } from './args.ts'
import { readOfOwner, scopeOf } from './authorize.ts'
import { builder, type Types } from './builder.ts'
import type { Context } from './context.ts'
import { openPlace, placeIn, scopeAt } from './cursor.ts'
import { flatArgs, graphArgs, withInputNames } from './inputs.ts'
import type { FieldsOf } from './report-fields.ts'

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
 * `total`, if the page has one, runs only when a client asks for `totalCount`.
 */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total?: Later<number> | (() => Later<number>)
}

type Later<Value> = Value | Promise<Value>

interface ConnectionOptions<Page extends object, Row> {
  /** The type is `<name>Connection`; the name of the rows' type unless given. */
  readonly name?: string
  readonly description?: string
  /** The rows of a page; `rows` of the page unless given. */
  readonly rows?: (page: Page) => Later<readonly Row[]>
  /** The number of rows of the whole list; null when unknown. From `total` or `pagination` of the page unless given. */
  readonly total?: (page: Page) => Later<number | null>
  /** What the list says beside its rows, such as a summary. */
  readonly facts?: (t: FieldsOf<Page>) => object
}

/** The type of a list in the graph. */
export interface ConnectionType<Page extends object, Row> {
  readonly ref: ObjectRef<Types, object>
  readonly rows: (page: Page) => Later<readonly Row[]>
  readonly total: (page: Page) => Later<number | null>
}

/** Makes the connection of a type of rows, with the type of its edges. */
export function connectionOf<Row extends object, Page extends object = RowPage<Row>>(
  row: ObjectRef<Types, Row>,
  {
    name = row.name,
    description = 'A page of a list.',
    rows = (page) => (page as unknown as RowPage<Row>).rows,
    total = totalOf,
    facts,
  }: ConnectionOptions<Page, Row> = {},
): ConnectionType<Page, Row> {
  const ref = builder.connectionObject(
    {
      type: row,
      name: `${name}Connection`,
      description,
      fields: (t: FieldsOf<Connection>) => ({
        totalCount: t.field({
          type: 'SafeInt',
          nullable: true,
          description: 'Number of rows in the whole list; null where an exact count would be slow.',
          resolve: (page) => page.countRows(),
        }),
        ...facts?.(t as unknown as FieldsOf<Page>),
      }),
    } as never,
    { description: 'A row and its place in the list.' } as never,
  )
  return { ref: ref as never, rows, total }
}

/** Fields of a list in REST that a connection says in its own way. */
const pageFields = ['pagination', 'totalCount', 'hasMore', 'nextCursor']

interface ListOptions<Page extends object> {
  readonly description: string
  /** The name of the field with the rows, and of the rows in the page. */
  readonly rows: string & keyof Page
  /** The name of the connection without `Connection`; that of the rows' type unless given. */
  readonly name?: string
  readonly total?: (page: Page) => Later<number | null>
  readonly fields: (t: FieldsOf<Page>) => Record<string, object>
}

/**
 * Both types of a list. The object of REST has rows and pagination among its fields. The connection of the graph has
 * the other fields. For `report`: `report('ads', { ...adList, … })`.
 */
export function listOf<Page extends object, Row extends object>(
  list: ImplementableObjectRef<Types, Page>,
  row: ObjectRef<Types, Row>,
  { description, rows, name, total, fields }: ListOptions<Page>,
) {
  const type = list.implement({ description, fields: fields as never })
  const connection = connectionOf<Row, Page>(row, {
    description,
    ...(name === undefined ? {} : { name }),
    ...(total === undefined ? {} : { total }),
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

function totalOf(page: object): Later<number | null> {
  const { total, pagination } = page as {
    total?: RowPage<unknown>['total']
    pagination?: Pagination | (() => Later<Pagination>)
  }
  if (typeof pagination === 'function') {
    return Promise.resolve(pagination()).then(({ totalCount }) => totalCount)
  }
  if (pagination) return pagination.totalCount
  return typeof total === 'function' ? total() : (total ?? null)
}

interface Connection {
  countRows(): Later<number | null>
}

interface Asked {
  readonly first: number
  readonly offset: number
  cursorAt(offset: number): string
}

/** The page of a resolver, which has read one row more than `first`, as a connection. */
function connectionFrom<Page extends object, Row>(
  { rows, total }: ConnectionType<Page, Row>,
  page: Page,
  { first, offset, cursorAt }: Asked,
) {
  let found: Later<readonly Row[]> | undefined
  const withRows = <Value>(use: (read: readonly Row[]) => Value): Later<Value> => {
    found ??= rows(page)
    return found instanceof Promise ? found.then(use) : use(found)
  }
  const edge = (node: Row, i: number) => ({
    node,
    // Signed only when asked for.
    get cursor() {
      return cursorAt(offset + i + 1)
    },
  })
  return {
    ...page,
    get edges() {
      return withRows((read) => read.slice(0, first).map(edge))
    },
    pageInfo: {
      hasPreviousPage: offset > 0,
      get hasNextPage() {
        return withRows((read) => read.length > first)
      },
      get startCursor() {
        return withRows((read) => (read.length > 0 ? cursorAt(offset + 1) : null))
      },
      get endCursor() {
        return withRows((read) =>
          read.length > 0 ? cursorAt(offset + Math.min(read.length, first)) : null,
        )
      },
    },
    countRows: () => total(page),
  }
}

/** An object of a project, or the project. */
type Owner = ProjectScope | OfProject

interface OfProject {
  readonly projectId: string
  readonly id?: string
}

/** What page to read, beside the arguments of the list. */
export interface PageAsked {
  /** One more than the client asked for. */
  readonly limit: number
  readonly offset: number
  readonly after?: string | null
  /** A resolver that also serves REST counts the list only when its pagination is asked for. */
  readonly isCountedLater: true
}

interface ConnectionField<
  Parent,
  Page extends object,
  Row,
  Args extends InputFieldMap,
  Scope extends RequestContext,
> {
  readonly type: ConnectionType<Page, Row>
  readonly description: string
  readonly size: PageSize
  readonly args?: Args
  readonly access?: AccessRule
  readonly problems?: readonly ErrorCode[]
  readonly nullable?: boolean
  /** Distinguishes the list from the same list of another parent; the parent's `id` unless given. */
  readonly idOf?: (parent: Parent) => string
  /** The project or the slice whose data the list shows; the parent's project unless given. */
  readonly scope?: (parent: Parent, context: Context) => Later<Scope>
  readonly resolve: (
    parent: Parent,
    args: InputShapeFromFields<Args> & PageAsked,
    context: Context,
    scope: Scope,
  ) => Later<Page>
}

function idOfOwner(parent: object): string {
  const { project, projectId = '', id } = parent as Partial<ProjectScope & OfProject>
  return project?.id ?? `${projectId} ${id ?? ''}`
}

const scopeOfOwner = (parent: Owner, context: Context) =>
  'project' in parent ? parent : scopeOf(context, parent.projectId)

/** The options of a field that is a list, for `t.field`: see above. */
export function connectionField<
  Parent extends object,
  Page extends object,
  Row,
  Args extends InputFieldMap = Record<never, never>,
  Scope extends RequestContext = ProjectScope,
>(options: ConnectionField<Parent, Page, Row, Args, Scope>): never {
  const { type, description, size, args = {} as Args, problems, nullable = true, resolve } = options
  const { access = readOfOwner, idOf = idOfOwner } = options
  const scopeIn = options.scope ?? (scopeOfOwner as never)
  const { limit: _limit, offset: _offset, cursor: _cursor, ...unpaged }: InputFieldMap = args
  const field = {
    type: type.ref,
    nullable,
    description,
    access,
    problems,
    view: 'graph',
    args: { ...graphArgs(unpaged), ...forwardArgs(size) },
    resolve: (
      parent: Parent,
      { first, ...given }: { first: number; after?: string | null },
      context: Context,
      { parentType, fieldName }: GraphQLResolveInfo,
    ) =>
      withInputNames(async () => {
        const { after, ...filters } = given
        const { cursorSecret } = context.services
        const list = fingerprint(`${parentType.name}.${fieldName}`, {
          ...filters,
          of: idOf(parent),
        })
        const current = await scopeIn(parent, context)
        const place = after == null ? undefined : openPlace(cursorSecret, list, after)
        const scope = place ? scopeAt(current, place) : current
        const offset = place?.offset ?? 0
        const asked = { ...flatArgs(args, given), limit: first + 1, offset, isCountedLater: true }
        const page = await resolve(parent, asked as never, context, scope)
        const cursorAt = (row: number) => makeCursor(cursorSecret, list, placeIn(scope, row))
        return connectionFrom(type, page, { first, offset, cursorAt })
      }, args),
  }
  return field as never
}
