import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Release } from '../../codegen/release.ts'
import { generate } from '../../codegen.ts'
import { breakingChanges } from '../../rest/openapi/compat.ts'
import type { OpenApiDocument } from '../../rest/openapi/openapi.ts'
import { emptyFolder, root } from '../kit/repository.ts'

/** Parts of a document that a test changes. */
interface Loose {
  [key: string]: Loose
}

const text = readFileSync(join(root, 'rest/contract/openapi.json'), 'utf8')
const published = JSON.parse(text) as OpenApiDocument

/** The changes that are found when the document is changed, by whoever had the old one. */
function found(change: (document: Loose) => void): string[] {
  const changed = JSON.parse(text)
  change(changed)
  return breakingChanges(published, changed)
}

const project = '/api/mcp/projects/{projectId}'
const parameters = (document: Loose, path: string) =>
  document.paths?.[project + path]?.get?.parameters as unknown as Loose[]

/** A parameter of an operation, out in the open. */
function parameter(document: Loose, path: string, name: string): Loose {
  const list = parameters(document, path)
  const part = (ref: unknown) =>
    document.components?.parameters?.[String(ref).split('/').pop() ?? '']
  const place = list.findIndex((it) => ({ ...it, ...part(it.$ref) }).name === (name as never))
  const copy = structuredClone({ ...list[place], ...part(list[place]?.$ref) })
  delete copy.$ref
  list[place] = copy as Loose
  return copy as Loose
}

const schema = (document: Loose, name: string) => document.components?.schemas?.[name] as Loose
const put = (node: Loose | undefined, change: object) => Object.assign(node ?? {}, change)

describe('a client of the published document would break when', () => {
  test.each<[string, (document: Loose) => void, string[]]>([
    [
      'an operation goes',
      (it) => delete it.paths?.[`${project}/usage`],
      [`GET ${project}/usage: removed`],
    ],
    [
      'an operation gets another name',
      (it) => put(it.paths?.[`${project}/usage`]?.get, { operationId: 'readUsage' }),
      [`GET ${project}/usage: getUsage became readUsage`],
    ],
    [
      'a parameter goes',
      (it) => parameters(it, '/prompts').splice(1, 1),
      [`GET ${project}/prompts: query parameter search: removed`],
    ],
    [
      'a parameter gets another name',
      (it) => put(parameter(it, '/visibility', 'include'), { name: 'with' }),
      [`GET ${project}/visibility: query parameter include: removed`],
    ],
    [
      'a parameter is required',
      (it) => put(parameter(it, '/prompts', 'search'), { required: true }),
      [`GET ${project}/prompts: query parameter search: is required now`],
    ],
    [
      'a new parameter is required',
      (it) =>
        parameters(it, '/usage').push({
          name: 'for',
          in: 'query',
          required: true,
          schema: {},
        } as never),
      [`GET ${project}/usage: query parameter for: is required now`],
    ],
    [
      'a bound is tighter',
      (it) => put(parameter(it, '/prompts', 'limit').schema, { maximum: 500 }),
      [`GET ${project}/prompts: query parameter limit: maximum none became 500`],
    ],
    [
      'a default changes',
      (it) => put(parameter(it, '/prompts', 'limit').schema, { default: 20 }),
      [`GET ${project}/prompts: query parameter limit: default 50 became 20`],
    ],
    [
      'a value of a parameter goes',
      (it) =>
        put(parameter(it, '/sources/trend', 'group').schema, { enum: ['brand', 'top-domains'] }),
      [`GET ${project}/sources/trend: query parameter group: value competitors removed`],
    ],
    [
      'a list is written in another way',
      (it) => put(parameter(it, '/sources/domains', 'sourceType'), { explode: true }),
      [`GET ${project}/sources/domains: query parameter sourceType: is written in another way`],
    ],
    [
      'a key of an answer goes',
      (it) => delete schema(it, 'SourceDomain').properties?.usage,
      ['SourceDomain.usage: removed'],
    ],
    [
      'a key of an answer can be absent',
      (it) => put(schema(it, 'DateRange'), { required: ['from'] }),
      ['DateRange.to: can be absent now'],
    ],
    [
      'a key of an answer is of another type',
      (it) => put(schema(it, 'SourceDomain').properties?.rank, { type: 'string' }),
      ['SourceDomain.rank: can be string now'],
    ],
    [
      'a key of an answer can be null',
      (it) => put(schema(it, 'SourceDomain').properties?.rank, { type: ['integer', 'null'] }),
      ['SourceDomain.rank: can be null now'],
    ],
    [
      'an object in an answer can be null',
      (it) => {
        const ref = { $ref: '#/components/schemas/DateRange' }
        put(schema(it, 'Visibility').properties, { dateRange: { anyOf: [ref, { type: 'null' }] } })
      },
      ['Visibility.dateRange: can be null now'],
    ],
    [
      'the items of a list can be null',
      (it) =>
        put(schema(it, 'SourceDomain').properties?.models?.items, { type: ['string', 'null'] }),
      ['SourceDomain.models[]: can be null now'],
    ],
    [
      'a value of an answer goes',
      (it) => put(schema(it, 'Plan'), { enum: ['free', 'growth', 'enterprise'] }),
      ['Plan: value starter removed'],
    ],
    [
      'a field of a body goes',
      (it) => delete schema(it, 'UpdatePromptInput').properties?.isBranded,
      ['UpdatePromptInput.isBranded: removed'],
    ],
    [
      'a field of a body is required',
      (it) => put(schema(it, 'UpdatePromptInput'), { required: ['text'] }),
      ['UpdatePromptInput.text: is required now'],
    ],
    [
      'a status of an answer goes',
      (it) => delete it.paths?.[`${project}/usage`]?.get?.responses?.['304'],
      [`GET ${project}/usage: 304 removed`],
    ],
    [
      'CSV goes',
      (it) => {
        const content = it.paths?.[`${project}/prompts`]?.get?.responses?.['200']?.content
        delete content?.['text/csv']
      },
      [`GET ${project}/prompts 200: no text/csv any more`],
    ],
    [
      'a header of an answer goes',
      (it) => delete it.paths?.[`${project}/usage`]?.get?.responses?.['200']?.headers?.ETag,
      [`GET ${project}/usage 200: header ETag removed`],
    ],
  ])('%s', (_what, change, lines) => {
    expect(found(change)).toEqual(lines)
  })
})

describe('no client breaks when', () => {
  test.each<[string, (document: Loose) => void]>([
    ['nothing changes', () => undefined],
    ['an operation comes', (it) => put(it.paths, { '/api/mcp/more': { get: {} } })],
    ['a bound is wider', (it) => put(parameter(it, '/prompts', 'offset').schema, { minimum: -1 })],
    [
      'a parameter comes',
      (it) => parameters(it, '/usage').push({ name: 'for', in: 'query', schema: {} } as never),
    ],
    ['a key comes', (it) => put(schema(it, 'DateRange').properties, { days: { type: 'integer' } })],
    [
      'a key is null no more',
      (it) => put(schema(it, 'Quota').properties?.limit, { type: 'integer' }),
    ],
    [
      'a value comes',
      (it) => put(schema(it, 'Plan'), { enum: ['new', ...(schema(it, 'Plan').enum as never)] }),
    ],
    ['words change', (it) => put(schema(it, 'Plan'), { description: 'Another.' })],
    [
      'a part gets another name',
      (it) => {
        put(it.components?.schemas, { Days: schema(it, 'DateRange') })
        put(schema(it, 'Visibility').properties, {
          dateRange: { $ref: '#/components/schemas/Days' },
        })
      },
    ],
  ])('%s', (_what, change) => {
    expect(found(change)).toEqual([])
  })
})

describe('the gate', () => {
  /** A release with a parameter that is gone now. */
  function releaseWithMore(): Release {
    const document = structuredClone(published) as unknown as Loose
    parameters(document, '/usage').push({ name: 'lost', in: 'query', schema: {} } as never)
    const text = JSON.stringify(document)
    return {
      name: 'v1',
      textOf: (path) => (path === 'rest/contract/openapi.json' ? text : undefined),
    }
  }
  const change = `GET ${project}/usage: query parameter lost: removed`

  test('fails on a change that would break a client of the last release', async () => {
    const breaking = `Changes that break REST clients of v1:\n  ${change}\n`
    const release = releaseWithMore()
    for (const check of [false, true]) {
      const faults = await generate(emptyFolder(), { check, release })
      expect(faults).toContainEqual(expect.stringContaining(breaking))
    }
  })

  test('passes when the change is declared, with its reason', async () => {
    const folder = emptyFolder()
    const declared = [{ change, why: 'nobody could use it' }]
    mkdirSync(join(folder, 'rest/contract'), { recursive: true })
    writeFileSync(join(folder, 'rest/contract/changes.json'), JSON.stringify(declared))
    expect(await generate(folder, { check: false, release: releaseWithMore() })).toEqual([])
  })
})
