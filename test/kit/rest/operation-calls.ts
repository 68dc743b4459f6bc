import type { DemoService } from '../programs.ts'

/** What an OpenAPI document says, as far as a caller needs it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: {
    readonly parameters?: Readonly<Record<string, ApiParameter>>
    readonly schemas?: Readonly<Record<string, ApiSchema>>
  }
}

interface ApiOperation {
  readonly operationId: string
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: ApiSchema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

interface ApiParameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: ApiSchema
}

interface ApiSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly minimum?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly items?: ApiSchema
}

type Values = Readonly<Record<string, unknown>>

/** A call of one operation with arguments that it must take. */
export interface OperationCall {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** Each absent where there is nothing to say. */
  readonly params: { readonly path?: Values; readonly query?: Values }
  /** Absent where the operation takes none. */
  readonly body?: unknown
  /** The status that the document promises. */
  readonly success: number
}

const methods = new Set(['get', 'post', 'patch', 'put', 'delete'])

function followed<T extends { readonly $ref?: string }>(document: ApiDocument, it: T): T {
  const [, kind, name] = it.$ref?.match(/^#\/components\/(\w+)\/(.+)$/) ?? []
  if (!kind || !name) return it
  const found = document.components[kind as 'schemas']?.[name]
  if (!found) throw new Error(`the document lacks ${it.$ref}`)
  return found as T
}

/** The least that a schema takes: what is required, and of each the first that comes to mind. */
function least(document: ApiDocument, unread: ApiSchema): unknown {
  const schema = followed(document, unread)
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') return schema.items ? [least(document, schema.items)] : []
  // Nothing is 0 where 0 is allowed: no revision, for one.
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum || 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'string') return 'What is good?'
  const { required = [], properties = {} } = schema
  return Object.fromEntries(required.map((name) => [name, least(document, properties[name] ?? {})]))
}

/** What a call says of a parameter: what is known of it where it is required, and of numbers their default. */
function argumentOf({ name, required, schema }: ApiParameter, known: Values): unknown {
  if (!required) return schema.type === 'integer' ? schema.default : undefined
  const value = known[name] ?? schema.enum?.[0]
  if (value === undefined) return undefined
  return schema.type === 'array' ? [value] : value
}

/** A call of each operation. @throws where a required parameter has no value */
export function callsOf(document: ApiDocument, known: Values): OperationCall[] {
  const calls: OperationCall[] = []
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!methods.has(method)) continue
      calls.push(callOf(document, { path, method, operation }, known))
    }
  }
  return calls
}

function callOf(
  document: ApiDocument,
  { path, method, operation }: { path: string; method: string; operation: ApiOperation },
  known: Values,
): OperationCall {
  const { operationId, parameters = [], requestBody, responses } = operation
  const all = parameters.map((parameter) => followed(document, parameter))
  const given = (place: string) =>
    Object.fromEntries(
      all
        .filter((parameter) => parameter.in === place)
        .map((parameter) => [parameter.name, argumentOf(parameter, known)])
        .filter(([, value]) => value !== undefined),
    )
  const [inPath, inQuery] = [given('path'), given('query')]
  for (const { name, required } of all) {
    if (required && !(name in inPath) && !(name in inQuery)) {
      throw new Error(`${operationId} needs ${name}, which nothing gave`)
    }
  }
  const isSaid = (values: Values) => Object.keys(values).length > 0
  const params = {
    ...(isSaid(inPath) ? { path: inPath } : {}),
    ...(isSaid(inQuery) ? { query: inQuery } : {}),
  }
  const body = requestBody?.content['application/json']?.schema
  const success = Number(Object.keys(responses).find((status) => status.startsWith('2')))
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    params,
    success,
    ...(body ? { body: least(document, body) } : {}),
  }
}

/** The id of the first of each list in a body, by what a path calls it: `competitors` gives `competitorId`. */
function idsIn(body: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(body).flatMap(([name, list]): [string, unknown][] => {
    const first: unknown = Array.isArray(list) ? list[0] : undefined
    const id = first && typeof first === 'object' && 'id' in first ? first.id : undefined
    return id === undefined ? [] : [[`${name.replace(/s$/, '')}Id`, id]]
  })
}

/** What paths and queries name, found in the lists of a service that has one of each. */
export async function knownOf(
  service: Pick<DemoService, 'demoProjectId' | 'get' | 'key'>,
  document: ApiDocument,
): Promise<Values> {
  const projectId = service.demoProjectId
  const known: Record<string, unknown> = { projectId }
  const read = async (path: string) => {
    const response = await service.get(path, service.key)
    return (await response.json()) as Record<string, unknown>
  }
  const prefix = '/api/mcp/projects/{projectId}/'
  for (const [path, { get }] of Object.entries(document.paths)) {
    const tail = path.startsWith(prefix) ? path.slice(prefix.length) : '{'
    const asks = get?.parameters?.some((parameter) => {
      const { in: place, required } = followed(document, parameter)
      return place === 'query' && required
    })
    if (tail.includes('{') || asks || !get) continue
    const found = idsIn(await read(path.replace('{projectId}', projectId)))
    for (const [name, id] of found) known[name] ??= id
  }
  const urls = await read(`/api/mcp/projects/${projectId}/sources/urls?days=365&limit=1000`)
  const rows = urls.urls as { url: string; domain: string; hasContent: boolean }[]
  const cited = rows.find(({ hasContent }) => hasContent) ?? rows[0]
  return { ...known, domain: cited?.domain, url: cited?.url }
}
