import type { InputFieldMap, InputShapeFromFields } from '@pothos/core'
import type { z } from 'zod'
import type { ErrorCode } from '../../../core/errors.ts'
import { makeCursor, type SortKey } from '../../../core/pagination.ts'
import { sizeOf } from '../../../resolvers/shared/lists/budget.ts'
import type { ProjectScope, RequestContext } from '../../../resolvers/shared/scope.ts'
import type { AccessRule } from '../access-rule.ts'
import { forwardArgs, type PageSize } from '../args.ts'
import { readOfOwner, scopeOf } from '../authorize.ts'
import type { Context } from '../context.ts'
import { flatArgs, graphArgs, withInputNames } from '../inputs.ts'
import type { MadeField } from '../made-field.ts'
import type { ConnectionType, Later } from './connection.ts'
import { openPlace, placeIn, scopeAt } from './cursor.ts'
import { meaningOf } from './meaning.ts'
import { pagesOf } from './whole.ts'

interface Asked<Row> {
  /** How many of the rows the response takes. */
  taken(rows: readonly unknown[]): number
  readonly first: number
  readonly offset: number
  /** The cursor of a row, and its number from 1. */
  cursorAt(row: Row, place: number): string
}

interface Read<Row> {
  readonly shown: readonly Row[]
  readonly hasMore: boolean
}

/** The page of a resolver, which has read one row more than `first`, as a connection. */
function connectionFrom<Page extends object, Row>(
  { rows, total, isCounted }: ConnectionType<Page, Row>,
  page: Page,
  { first, offset, cursorAt, taken }: Asked<Row>,
) {
  let found: Later<Read<Row>> | undefined
  const { isCut } = page as { isCut?: boolean }
  const shownOf = (read: readonly Row[]): Read<Row> => {
    const asked = read.slice(0, first)
    const shown = isCut === undefined ? asked.slice(0, taken(asked)) : asked
    return { shown, hasMore: isCut || read.length > shown.length }
  }
  const withRows = <Value>(use: (read: Read<Row>) => Value): Later<Value> => {
    if (found === undefined) {
      const all = rows(page)
      found = all instanceof Promise ? all.then(shownOf) : shownOf(all)
    }
    return found instanceof Promise ? found.then(use) : use(found)
  }
  const cursorOf = (read: readonly Row[], i: number) => {
    const row = read[i]
    return row === undefined ? null : cursorAt(row, offset + i + 1)
  }
  const edge = (node: Row, i: number) => ({
    node,
    // Signed only when asked for.
    get cursor() {
      return cursorAt(node, offset + i + 1)
    },
  })
  return {
    ...page,
    get edges() {
      return withRows(({ shown }) => shown.map(edge))
    },
    // graphql-jit awaits objects, and no leaves.
    get pageInfo() {
      return withRows(({ shown, hasMore }) => ({
        hasPreviousPage: offset > 0,
        hasNextPage: hasMore,
        get startCursor() {
          return cursorOf(shown, 0)
        },
        get endCursor() {
          return cursorOf(shown, shown.length - 1)
        },
      }))
    },
    // A page beyond the end has no row that holds the number: all rows are before it.
    countRows: () =>
      isCounted
        ? withRows(({ shown }) => (shown[0] as { total?: number } | undefined)?.total ?? offset)
        : total(page),
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
  /** 0 where the list goes on after a row. */
  readonly offset: number
  /** The sort values of the row that the page follows, in a list of the catalog. */
  readonly afterKey?: SortKey | undefined
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
  /** What the arguments must be, where REST takes them in a body too. */
  readonly body?: z.ZodObject | undefined
  readonly nullable?: boolean
  /** Distinguishes the list from the same list of another parent; the parent's `id` unless given. */
  readonly idOf?: (parent: Parent) => string
  /** Flat arguments that the parent decides, such as its window, where the client gives the list none. */
  readonly inherited?: (parent: Parent, given: object) => object
  /** The word for the parent, where its window and filters are the defaults of the list. */
  readonly made?: string | undefined
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

/** A field that is a list. Its scope is the project of the parent unless given. */
export function connectionField<
  Parent extends object,
  Page extends object,
  Row,
  Args extends InputFieldMap = Record<never, never>,
  Scope extends RequestContext = ProjectScope,
>(options: ConnectionField<Parent, Page, Row, Args, Scope>): MadeField<Parent> {
  const {
    type,
    description,
    size: pageSize,
    args = {} as Args,
    problems,
    body,
    nullable = true,
    resolve,
    made,
  } = options
  const { access = readOfOwner, idOf = idOfOwner, inherited } = options
  // Without `scope` the parent is an `Owner`, and `Scope` a project: TypeScript has no default by another parameter.
  const scopeIn = options.scope ?? (scopeOfOwner as never)
  const { limit: _limit, offset: _offset, cursor: _cursor, ...unpaged }: InputFieldMap = args
  return {
    type: type.ref,
    nullable,
    description,
    access,
    ...(problems && { problems }),
    body,
    view: 'graph',
    args: { ...graphArgs(unpaged, made), ...forwardArgs(pageSize) },
    resolve: (parent, { first: size, ...given }, context, { parentType, fieldName }) =>
      withInputNames(
        async () => {
          const { after, ...filters } = given
          const first = Number(size)
          const { cursorSecret } = context.services
          const current = await scopeIn(parent, context)
          const listAt = (now: Date) =>
            meaningOf(`${parentType.name}.${fieldName}`, idOf(parent), {
              args,
              given: filters,
              now,
            })
          const place = after == null ? undefined : openPlace(cursorSecret, String(after), listAt)
          const scope = place ? scopeAt(current, place) : current
          const identity = listAt(scope.now)
          const { sortKey } = type
          const offset = place?.offset ?? 0
          const at = { limit: first + 1, offset: sortKey ? 0 : offset, afterKey: place?.key }
          const asked = {
            ...inherited?.(parent, filters),
            ...flatArgs(args, given),
            ...(type.isWhole ? {} : { ...at, isCountedLater: true }),
          }
          const within = 'project' in scope ? { ...scope, filteredBy: asked } : scope
          const page = await resolve(
            parent,
            // Pothos has no shape for arguments that are a parameter: `args` has checked them.
            asked as InputShapeFromFields<Args> & PageAsked,
            context,
            within,
          )
          const list = type.isWhole ? pagesOf(type, at) : type
          const cursorAt = (row: Row, number: number) => {
            const key = sortKey && { key: sortKey(row) }
            return makeCursor(cursorSecret, identity, { ...placeIn(scope, number), ...key })
          }
          const taken = (rows: readonly unknown[]) =>
            scope.bytes?.take(rows.map((row) => sizeOf(row))) ?? rows.length
          return connectionFrom(list, page, { first, offset, cursorAt, taken })
        },
        args,
        given,
      ),
  }
}
