import { type Direction, resolved, SchemaComparison } from './compat-schemas.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { Json, Parts } from './schemas.ts'

/** An intended change that would break a client. */
export interface DeclaredChange {
  /** The line of {@link breakingChanges} for this change; `*` stands for any text, where one decision changes many places. */
  readonly change: string
  readonly why: string
}

interface Pair {
  readonly before: OpenApiDocument
  readonly after: OpenApiDocument
  readonly schemas: SchemaComparison
}

type Media = Readonly<Record<string, { readonly schema: Json }>>

function mediaChanges({ schemas }: Pair, place: string, nodes: [Json, Json], way: Direction) {
  const [was, is] = nodes.map(({ content = {} }) => content as Media) as [Media, Media]
  return Object.entries(was).flatMap(([type, { schema }]) => {
    const now = is[type]
    if (!now) return [`${place}: no ${type} any more`]
    return schemas.changes(`${place} body`, schema, now.schema, way)
  })
}

function parameterChanges(pair: Pair, place: string, [was, is]: [Json, Json]): string[] {
  const where = `${place}: ${was.in} parameter ${was.name}`
  const isStyled = was.style !== is.style || was.explode !== is.explode
  return [
    ...(!was.required && is.required ? [`${where}: is required now`] : []),
    ...(isStyled ? [`${where}: is written in another way`] : []),
    ...pair.schemas.changes(where, was.schema as Json, is.schema as Json, 'sent'),
  ]
}

function parametersChanges(pair: Pair, place: string, [was, is]: [Json, Json]): string[] {
  const read = (document: OpenApiDocument, { parameters = [] }: Json) =>
    new Map(
      (parameters as Json[]).map((parameter) => {
        const known = resolved(document, parameter)
        return [`${known.in} parameter ${known.name}`, known]
      }),
    )
  const [before, after] = [read(pair.before, was), read(pair.after, is)]
  const lost = [...before].flatMap(([name, parameter]) => {
    const now = after.get(name)
    return now ? parameterChanges(pair, place, [parameter, now]) : [`${place}: ${name}: removed`]
  })
  const asked = [...after].filter(([name, { required }]) => required && !before.has(name))
  return [...lost, ...asked.map(([name]) => `${place}: ${name}: is required now`)]
}

function bodyChanges(pair: Pair, place: string, [was, is]: [Json, Json]): string[] {
  const [before = {}, after = {}] = [was.requestBody as Json, is.requestBody as Json]
  const isAsked = !before.required && after.required
  return [
    ...(isAsked ? [`${place}: a body is required now`] : []),
    ...mediaChanges(pair, `${place}: request`, [before, after], 'sent'),
  ]
}

function headerChanges(pair: Pair, place: string, [was, is]: [Json, Json]): string[] {
  const [before, after] = [was, is].map(({ headers = {} }) => headers as Parts)
  return Object.entries(before ?? {}).flatMap(([name, header]) => {
    const now = after?.[name]
    if (!now) return [`${place}: header ${name} removed`]
    const [old, current] = [resolved(pair.before, header), resolved(pair.after, now)]
    const isLess = old.required && !current.required
    return [
      ...(isLess ? [`${place}: header ${name} can be absent now`] : []),
      ...pair.schemas.changes(
        `${place}: header ${name}`,
        old.schema as Json,
        current.schema as Json,
        'got',
      ),
    ]
  })
}

function responseChanges(pair: Pair, place: string, [was, is]: [Json, Json]): string[] {
  const [before, after] = [was, is].map(({ responses = {} }) => responses as Parts)
  return Object.entries(before ?? {}).flatMap(([status, response]) => {
    const now = after?.[status]
    if (!now) return [`${place}: ${status} removed`]
    const nodes: [Json, Json] = [resolved(pair.before, response), resolved(pair.after, now)]
    return [
      ...headerChanges(pair, `${place} ${status}`, nodes),
      ...mediaChanges(pair, `${place} ${status}`, nodes, 'got'),
    ]
  })
}

/** Changes from `before` to `after` that break clients, one line each. Additions do not break clients. */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const pair = { before, after, schemas: new SchemaComparison(before, after) }
  const changes = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const place = `${method.toUpperCase()} ${path}`
      const is = after.paths[path]?.[method]
      if (!is) return [`${place}: removed`]
      const isRenamed = was.operationId !== is.operationId
      return [
        ...(isRenamed ? [`${place}: ${was.operationId} became ${is.operationId}`] : []),
        ...parametersChanges(pair, place, [was, is]),
        ...bodyChanges(pair, place, [was, is]),
        ...responseChanges(pair, place, [was, is]),
      ]
    }),
  )
  return [...new Set(changes)]
}
