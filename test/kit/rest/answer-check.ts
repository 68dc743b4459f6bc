import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse as parseCsv } from 'csv-parse/sync'
import type { OpenApiDocument } from '../../../rest/openapi/openapi.ts'
import type { Json, Parts } from '../../../rest/openapi/schemas.ts'
import { root } from '../repository.ts'
import { problemFaults } from './problem-schema.ts'

/** An answer of the REST surface, with what was asked. */
export interface Answer {
  readonly method: string
  /** Without the query string. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export async function answerOf(method: string, path: string, response: Response): Promise<Answer> {
  const { status, headers } = response
  // `text()` would swallow the byte-order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return { method, path, status, headers, body: decoder.decode(await response.arrayBuffer()) }
}

/** The document as it is committed. */
export const openApi = JSON.parse(
  readFileSync(join(root, 'rest/contract/openapi.json'), 'utf8'),
) as OpenApiDocument

const ajv = new Ajv2020({ allErrors: true, strict: false, coerceTypes: false })
addFormats.default(ajv)
ajv.addSchema(openApi, 'openapi')
/** For headers, which are text whatever they mean. */
const headerAjv = new Ajv2020({ allErrors: true, strict: false, coerceTypes: true })
addFormats.default(headerAjv)
const headerChecks = new WeakMap<Json, ValidateFunction>()

/** The check of `{ value }` for a header of this schema. Many answers have the same headers: each is compiled once. */
function headerValidator(schema: Json): ValidateFunction {
  const known = headerChecks.get(schema) ?? headerAjv.compile({ properties: { value: schema } })
  headerChecks.set(schema, known)
  return known
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
const compiled = new Map<string, ValidateFunction>()

/** The check of the schema at a place of the document. */
function validatorAt(keys: readonly string[]): ValidateFunction {
  const pointer = keys.map(escaped).join('/')
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` })
  compiled.set(pointer, known)
  return known
}

function resolved(node: Json): { node: Json; keys?: string[] } {
  if (typeof node.$ref !== 'string') return { node }
  const keys = node.$ref.split('/').slice(1)
  const [, kind = '', name = ''] = keys
  return { node: openApi.components[kind]?.[name] ?? {}, keys }
}

const templates = Object.keys(openApi.paths)
  .map((path) => ({ path, shape: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  // `/prompts/untracked` before `/prompts/{promptId}`.
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

/** What the document says of a method at a path. */
function operationAt({ method, path }: Answer) {
  const template = templates.find(({ shape }) => shape.test(path))?.path ?? ''
  const methods = openApi.paths[template] ?? {}
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  return { keys: ['paths', template, verb], operation: methods[verb], isKnown: template !== '' }
}

function faultsIn(validate: ValidateFunction, value: unknown, place: string): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [`${place}${instancePath}`, message, JSON.stringify(params)].join(' '),
  )
}

/** Headers of which the document must speak, where an answer has them. */
const telling = /^(x-|ratelimit|retry-after|etag|link|www-authenticate|content-disposition|allow$)/

function headerFaults(headers: Headers, documented: Parts): string[] {
  const known = new Map(
    Object.entries(documented).map(([name, header]) => [name.toLowerCase(), resolved(header).node]),
  )
  const wrong = [...known].flatMap(([name, { required, schema }]) => {
    const value = headers.get(name)
    if (value === null) return required ? [`header ${name} is missing`] : []
    return faultsIn(headerValidator(schema as Json), { value }, name)
  })
  const foreign = [...headers.keys()].filter((name) => telling.test(name) && !known.has(name))
  return [...wrong, ...foreign.map((name) => `header ${name} is not documented`)]
}

/** The keys of each list of objects in a schema: the columns of its CSV are those of one. */
function rowKeys(keys: readonly string[]): string[] {
  const node = keys.reduce<Json>((at, key) => at[key] as Json, openApi)
  const { properties = {} } = resolved(node).node as { properties?: Parts }
  return Object.values(properties).flatMap(({ items }) => {
    const row = items ? resolved(items as Json).node : {}
    return row.properties ? Object.keys(row.properties).join() : []
  })
}

function csvFaults(text: string, keys: readonly string[]): string[] {
  if (!text.startsWith('\uFEFF')) return ['the CSV lacks its byte-order mark']
  try {
    const [columns = []] = parseCsv(text, { bom: true })
    return rowKeys(keys).includes(columns.join()) ? [] : [`the CSV has the columns ${columns}`]
  } catch (error) {
    return [`the CSV cannot be read: ${error}`]
  }
}

function parsed(body: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(body) }
  } catch {
    return undefined
  }
}

function bodyFaults(answer: Answer, keys: readonly string[], content: Json): string[] {
  const { method, body } = answer
  const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
  if (Object.keys(content).length === 0) return body === '' ? [] : ['there is a body']
  if (!(type in content)) return [`content type ${type || 'none'} is not documented`]
  if (method === 'HEAD') return body === '' ? [] : ['there is a body']
  if (type === 'text/csv') {
    return csvFaults(body, [...keys, 'content', 'application/json', 'schema'])
  }
  const value = parsed(body)
  if (!value) return ['the body is not JSON']
  const faults = faultsIn(validatorAt([...keys, 'content', type, 'schema']), value.json, 'body')
  return type === 'application/problem+json' ? [...faults, ...problemFaults(value.json)] : faults
}

/** What is refused before a path and its method are known. */
const early = new Set(['unauthorized', 'rate_limited', 'not_found', 'internal_error'])

/** Off the document, every answer is a problem of what is refused there. */
function strayFaults({ method, body }: Answer, isKnownPath: boolean): string[] {
  if (method === 'HEAD') return []
  const { json } = parsed(body) ?? {}
  const { code = 'none' } = (json ?? {}) as { code?: string }
  const isFitting = early.has(code) || (isKnownPath && code === 'method_not_allowed')
  if (isFitting) return problemFaults(json)
  return [`no operation is documented here, and the answer is ${code}`]
}

/** What is wrong with an answer by the OpenAPI document, one line a fault. */
export function answerFaults(answer: Answer): string[] {
  const { keys, operation, isKnown } = operationAt(answer)
  if (!operation) return strayFaults(answer, isKnown)
  const responses = operation.responses as Parts
  const entry = responses[answer.status]
  if (!entry) return [`status ${answer.status} is not documented`]
  const { node, keys: part } = resolved(entry)
  const { headers = {}, content = {} } = node as { headers?: Parts; content?: Json }
  return [
    ...headerFaults(answer.headers, headers),
    ...bodyFaults(answer, part ?? [...keys, 'responses', String(answer.status)], content),
  ]
}
