import { expect, test } from 'vitest'
import { openApiOf } from '../../rest/openapi/openapi.ts'
import type { Json } from '../../rest/openapi/schemas.ts'
import { restSchema } from '../../schema/index.ts'

const document = openApiOf(restSchema)
const project = '/api/mcp/projects/{projectId}'

/** What stands behind a reference. */
function opened(node: unknown): Json {
  const { $ref } = node as { $ref?: string }
  if ($ref === undefined) return node as Json
  const [, , kind = '', name = ''] = $ref.split('/')
  return document.components[kind]?.[name] ?? {}
}

const operation = (method: string, path: string) => document.paths[project + path]?.[method] ?? {}

/** A parameter of an operation. */
function parameter(path: string, name: string, method = 'get'): Json | undefined {
  const { parameters } = operation(method, path) as { parameters: Json[] }
  return parameters.map(opened).find((it) => it.name === name)
}

/** The codes of an operation, by status. */
function codesOf(method: string, path: string): Record<string, readonly string[]> {
  const { responses } = operation(method, path) as { responses: Record<string, Json> }
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      const { content } = opened(response) as { content?: Record<string, Json> }
      const schema = content?.['application/problem+json']?.schema as { allOf: Json[] } | undefined
      const narrowed = schema?.allOf[1]?.properties as { code: { enum: string[] } } | undefined
      return narrowed ? [[status, narrowed.code.enum]] : []
    }),
  )
}

test('is OpenAPI 3.1.0 of version 1.0.0, and asks for a key', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.0.0' },
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  })
})

test.each<[string, string, object]>([
  ['/sources/domains', 'limit', { type: 'integer', minimum: 1, 'x-clamped-to': 1000, default: 20 }],
  ['/sources/domains', 'days', { type: 'integer', minimum: 1, 'x-clamped-to': 365, default: 30 }],
  ['/query-fanout', 'days', { type: 'integer', minimum: 1, 'x-clamped-to': 180, default: 30 }],
  ['/query-fanout', 'limit', { type: 'integer', minimum: 1, 'x-clamped-to': 50, default: 50 }],
  [
    '/query-fanout',
    'topQueriesLimit',
    { type: 'integer', minimum: 1, 'x-clamped-to': 200, default: 50 },
  ],
  ['/ga4/top-pages', 'weeks', { type: 'integer', minimum: 1, 'x-clamped-to': 52, default: 12 }],
  [
    '/domain-authority',
    'days',
    { type: 'integer', minimum: 1, 'x-clamped-to': 1095, default: 365 },
  ],
  ['/traffic/logs', 'limit', { type: 'integer', minimum: 1, 'x-clamped-to': 100, default: 25 }],
  ['/prompts', 'offset', { type: 'integer', minimum: 0, default: 0 }],
  ['/visibility', 'compare', { type: 'string', enum: ['previous_period', 'previous_year'] }],
  ['/visibility', 'unbranded', { type: 'boolean' }],
])('GET …%s has the bounds and the default of %s', (path, name, schema) => {
  expect(parameter(path, name)).toMatchObject({ in: 'query', required: false })
  expect(parameter(path, name)?.schema).toEqual(schema)
})

test('lists are written with commas, and path parameters are required', () => {
  expect(parameter('/visibility', 'platform')).toMatchObject({ style: 'form', explode: false })
  expect(parameter('/visibility', 'platform')?.schema).toEqual({
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
  })
  expect(parameter('/prompts/{promptId}', 'promptId')).toMatchObject({
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  })
})

test('a parameter that is accepted only to be refused is not documented', () => {
  expect(parameter('/topics/heatmap', 'platform')).toBeUndefined()
  expect(parameter('/topics/heatmap', 'days')).toBeDefined()
})

test('headers of requests stand where they count', () => {
  const has = (method: string, path: string) =>
    ['Idempotency-Key', 'If-Match', 'If-None-Match'].filter((name) => parameter(path, name, method))
  expect(has('get', '/prompts')).toEqual(['If-None-Match'])
  expect(has('post', '/prompts')).toEqual(['Idempotency-Key'])
  expect(has('patch', '/prompts/{promptId}')).toEqual(['Idempotency-Key', 'If-Match'])
})

test('the codes of an operation are those that it can give', () => {
  const read = {
    400: ['invalid_argument', 'query_too_large'],
    401: ['unauthorized'],
    403: ['forbidden', 'missing_scope', 'plan_upgrade_required'],
    404: ['not_found'],
    429: ['rate_limited'],
    500: ['internal_error'],
    502: ['internal_error'],
  }
  expect(codesOf('get', '/topics')).toEqual(read)
  expect(codesOf('get', '/visibility')).toEqual({
    ...read,
    400: ['invalid_argument', 'invalid_country', 'query_too_large'],
    504: ['query_timeout'],
  })
  expect(codesOf('get', '/query-fanout')).toEqual({
    ...read,
    400: ['invalid_argument', 'invalid_country', 'query_too_large'],
    504: ['query_timeout'],
  })
  expect(codesOf('get', '/traffic/overview')).toEqual({
    ...read,
    409: ['traffic_not_connected'],
    504: ['query_timeout'],
  })
  expect(codesOf('post', '/prompts')).toEqual({
    ...read,
    400: ['invalid_argument'],
    403: ['forbidden', 'missing_scope', 'plan_upgrade_required', 'quota_exceeded'],
    409: ['idempotency_in_flight', 'idempotency_conflict', 'INACTIVE_PITCH_PROMPT_MUTATION'],
    413: ['payload_too_large'],
    415: ['unsupported_media_type'],
  })
  expect(codesOf('patch', '/prompts/{promptId}')['409']).toContain('stale_revision')
})

test('no project is missing where none is named', () => {
  const { responses } = { ...document.paths['/api/mcp/projects']?.get }
  expect(responses).toBeDefined()
  expect(responses).not.toHaveProperty('404')
})

const schema = (name: string) => document.components.schemas?.[name]

test('a key is required unless it can be absent, and null only where it can be', () => {
  expect(schema('Quota')).toMatchObject({
    required: ['current', 'limit', 'resetsAt'],
    additionalProperties: false,
    properties: {
      current: { type: 'integer' },
      limit: { type: ['integer', 'null'] },
      resetsAt: { type: ['string', 'null'], format: 'date-time' },
    },
  })
  // Present only with `compare`, and then never null; of a topic without answers before, null.
  const { required, properties } = schema('Visibility') as { required: string[]; properties: Json }
  expect(required).not.toContain('comparison')
  expect(properties.comparison).toMatchObject({ $ref: '#/components/schemas/VisibilityComparison' })
  expect(schema('VisibilityTopic')?.properties).toMatchObject({
    previousVisibilityScore: { type: ['number', 'null'] },
  })
  expect(schema('Platform')?.properties).toMatchObject({
    id: { type: 'string', description: 'Id of the AI platform, such as `chatgpt`.' },
  })
  expect(Object(schema('Platform')?.properties).id).not.toHaveProperty('format')
})

test('a body is what is checked, in the words of the schema', () => {
  expect(operation('post', '/prompts').requestBody).toMatchObject({ required: true })
  expect(operation('patch', '/prompts/{promptId}').requestBody).toMatchObject({ required: false })
  expect(schema('AddPromptsInput')).toMatchObject({
    required: ['prompts'],
    properties: {
      prompts: {
        minItems: 1,
        maxItems: 10,
        description: 'The prompts to add, 1 to 10.',
        items: {
          required: ['text'],
          properties: {
            text: {
              type: 'string',
              minLength: 1,
              maxLength: 2000,
              description: expect.stringContaining('Text that the assistants are asked'),
            },
          },
        },
      },
    },
  })
})

test('a scalar that can hold anything must say what it holds', () => {
  const names = Object.values(document.components.schemas ?? {}).flatMap(({ properties = {} }) =>
    Object.entries(properties as Record<string, Json>).filter(
      ([, it]) => !('type' in it || '$ref' in it || 'anyOf' in it || 'const' in it),
    ),
  )
  expect(names).toEqual([])
})
