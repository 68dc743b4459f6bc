import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../repository.ts'
import type { Random } from './random.ts'
import type { Sent } from './send.ts'
import type { Stage } from './stage.ts'
import {
  brokenAddress,
  encoded,
  hostile,
  hostileNumber,
  hostileText,
  jsonOf,
  RawJson,
} from './values.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Endpoint {
  readonly door: 'REST' | 'REST graph'
  readonly document: Document
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function endpointsOf(door: Endpoint['door'], file: string): Endpoint[] {
  const document = JSON.parse(readFileSync(join(root, 'rest/contract', file), 'utf8')) as Document
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation.operationId
        ? [{ door, document, method: method.toUpperCase(), path, operation }]
        : [],
    ),
  )
}

/** Every operation of both documents. */
export const endpoints = [
  ...endpointsOf('REST', 'openapi.json'),
  ...endpointsOf('REST graph', 'openapi-graph.json'),
]

function followed<T extends { readonly $ref?: string }>(document: Document, node: T): T {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(node.$ref ?? '') ?? []
  return node.$ref === undefined ? node : (document.components[kind]?.[name] as T)
}

/** What a request is made of. */
interface Making extends Endpoint {
  readonly random: Random
  readonly stage: Stage
  readonly known: Readonly<Record<string, unknown>>
}

const days = ['2025-05-01', '2025-05-10', '2025-05-31']

/** A value that the schema takes. */
function fitting(making: Making, unread: Schema, name = ''): unknown {
  const { document, random, known } = making
  const schema = followed(document, unread)
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (choice) return fitting(making, choice, name)
  if (known[name] !== undefined) return known[name]
  if (schema.enum) return random.pick(schema.enum)
  const type = [schema.type].flat()[0]
  if (type === 'array') return [fitting(making, schema.items ?? {}, name.replace(/s$/, ''))]
  if (type === 'integer' || type === 'number') return schema.default ?? schema.minimum ?? 1
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'object' || schema.properties) {
    const { required = [], properties = {} } = schema
    const named = Object.entries(properties).filter(
      ([key]) => required.includes(key) || random.chance(0.4),
    )
    return Object.fromEntries(named.map(([key, property]) => [key, fitting(making, property, key)]))
  }
  if (schema.format === 'date' || name === 'from' || name === 'to') return random.pick(days)
  return random.pick(['What is good?', 'acme.com', 'Acme', '/guide', 'DE', 'chatgpt'])
}

/** A value of the schema's type, which means harm. */
function harmful(making: Making, unread: Schema): unknown {
  const { document, random, stage } = making
  const schema = followed(document, unread)
  const type = [schema.type].flat()[0]
  if (random.chance(0.4)) return hostile(random, stage)
  if (type === 'integer' || type === 'number') return hostileNumber(random)
  if (type === 'array') return random.some(3, () => harmful(making, schema.items ?? {}))
  if (type === 'object' || schema.properties) {
    const named = Object.entries(schema.properties ?? {}).filter(() => random.chance(0.6))
    return Object.fromEntries(named.map(([key, property]) => [key, harmful(making, property)]))
  }
  return hostileText(random)
}

const isFair = ({ random }: Making) => random.chance(0.65)

function textOf(value: unknown): string {
  if (value instanceof RawJson) return value.text
  return Array.isArray(value)
    ? value.map(textOf).join(',')
    : typeof value === 'object'
      ? jsonOf(value)
      : String(value)
}

/** Those that leave a path the path that it is. */
const brokenPath = brokenAddress.filter((piece) => !/[?#]/.test(piece))

function pathOf(making: Making): string {
  const { path, random, stage, known } = making
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    if (random.chance(0.85)) return encoded(String(known[name] ?? stage.own[name] ?? 'none'))
    const kind = random.below(3)
    if (kind === 0) return encoded(stage.foreign[name] ?? 'none')
    return kind === 1 ? random.pick(brokenPath) : encoded(hostileText(random))
  })
  return random.chance(0.01) ? filled + random.pick(brokenPath) : filled
}

function queryOf(making: Making): string {
  const { document, operation, random } = making
  const parameters = (operation.parameters ?? []).map((parameter) => followed(document, parameter))
  const parts: string[] = []
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'query' || !random.chance(required ? 0.95 : 0.3)) continue
    do {
      const value = isFair(making) ? fitting(making, schema, name) : harmful(making, schema)
      parts.push(
        `${name}=${random.chance(0.02) ? random.pick(brokenAddress) : encoded(textOf(value))}`,
      )
    } while (random.chance(0.05))
  }
  if (random.chance(0.08)) parts.push(`format=${random.pick(['csv', 'json', 'xml', ''])}`)
  if (random.chance(0.05))
    parts.push(`${encoded(hostileText(random))}=${encoded(hostileText(random))}`)
  if (random.chance(0.03)) parts.push(random.pick(brokenAddress))
  // Beyond 16 KB HTTP itself refuses the header.
  const query = parts.join('&').slice(0, 12_000)
  return query ? `?${query}` : ''
}

function bodyOf(making: Making): string | undefined {
  const { document, method, operation, random, stage } = making
  if (method === 'GET') return random.chance(0.02) ? jsonOf(hostile(random, stage)) : undefined
  const schema = operation.requestBody?.content['application/json']?.schema
  if (random.chance(0.02)) return undefined
  if (!schema || random.chance(0.08)) return jsonOf(hostile(random, stage))
  const body = { ...(fitting(making, schema) as Record<string, unknown>) }
  const { properties = {} } = followed(document, schema)
  for (const [name, property] of Object.entries(properties)) {
    if (random.chance(0.25)) body[name] = harmful(making, property)
  }
  if (random.chance(0.05)) body[hostileText(random)] = hostile(random, stage)
  if (random.chance(0.003)) body.filler = 'x'.repeat(random.pick([65_000, 70_000, 300_000]))
  const text = jsonOf(body)
  return random.chance(0.03) ? text.slice(0, random.below(text.length + 1)) : text
}

/** Characters that a header may hold. */
const headerText = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3000)

/** Headers that mean harm, beside the key of the stage. */
export function headersOf(random: Random, stage: Stage, isWrite: boolean): Sent['headers'] {
  const headers: Record<string, string | string[]> = {
    authorization: `Bearer ${random.pick(stage.keys)}`,
  }
  const text = () => headerText(hostileText(random))
  const types = [
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'application/json, text/html',
  ]
  if (isWrite)
    headers['content-type'] = random.chance(0.95)
      ? 'application/json'
      : random.chance(0.5)
        ? random.pick(types)
        : text()
  const idempotent = [
    '1',
    `key-${random.below(1e9)}`,
    `key-${random.below(20)}`,
    [text(), text()],
    text(),
  ]
  if (random.chance(isWrite ? 0.3 : 0.02)) headers['idempotency-key'] = random.pick(idempotent)
  if (random.chance(isWrite ? 0.1 : 0.02))
    headers['if-match'] = random.pick(['1', '"1"', 'W/"1"', '*', '"1", "2"', text()])
  if (random.chance(0.05)) headers['if-none-match'] = random.pick(['*', 'W/"1"', '"', text()])
  if (random.chance(0.05))
    headers.accept = random.pick([
      '*/*',
      'text/html',
      'application/xml;q=2',
      'application/problem+json',
      '',
      text(),
    ])
  if (random.chance(0.02))
    headers['accept-encoding'] = random.pick(['gzip', 'br;q=nan', '*;q=0', text()])
  if (isWrite && random.chance(0.01))
    headers['content-encoding'] = random.pick(['gzip', 'br', 'identity', 'x'])
  if (random.chance(0.01)) headers.origin = random.pick(['null', 'http://evil.test', text()])
  if (random.chance(0.01)) headers['x-request-id'] = text()
  if (random.chance(0.01)) headers['x-forwarded-for'] = text()
  if (random.chance(0.01))
    headers.traceparent = random.pick([
      '00-0-0-0',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      text(),
    ])
  if (random.chance(0.01)) headers.host = random.pick(['evil.test', '[', 'a:b:c', text()])
  if (random.chance(0.005))
    headers.authorization = random.pick([
      '',
      'Bearer',
      'Basic YTpi',
      `Bearer ${'x'.repeat(3000)}`,
      text(),
    ])
  return headers
}

const otherMethods = [
  'PUT',
  'DELETE',
  'PATCH',
  'POST',
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
]

/** One request to an operation of REST. */
export function restRequest(random: Random, stage: Stage): Sent {
  const endpoint = random.pick(endpoints)
  const { door, operation } = endpoint
  const known = stage.argumentsOf(operation.operationId)
  const making: Making = { ...endpoint, random, stage, known }
  const method = random.chance(0.97) ? endpoint.method : random.pick(otherMethods)
  const body = bodyOf(making)
  return {
    door,
    method,
    path: pathOf(making) + queryOf(making),
    headers: headersOf(random, stage, body !== undefined),
    ...(body === undefined ? {} : { body }),
  }
}
