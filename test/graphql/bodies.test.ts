import { request } from 'node:http'
import type { GraphQLFormattedError } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { documentCaches } from '../../plugins/document-caches.ts'
import { useApi } from '../kit/api.ts'
import { isSoak } from '../kit/soak.ts'

/** What `/graphql` reads of a body before it runs anything. */

const api = useApi()

let project = ''
let reader = ''
let admin = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  reader = (await workspace.key()).key
  admin = (await workspace.key({ scopes: ['read', 'admin'] })).key
})

interface Asked {
  readonly key?: string
  readonly type?: string
  readonly url?: string
}

async function post(body: string, { key = reader, type = 'application/json', url }: Asked = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const response = await fetch(url ?? `${api.url}/graphql`, { method: 'POST', headers, body })
  const {
    data,
    errors = [],
    ...problem
  } = (await response.json()) as {
    data?: Record<string, unknown>
    errors?: readonly GraphQLFormattedError[]
    code?: string
  }
  const [error] = errors
  const { code = problem.code, argument } = error?.extensions ?? {}
  return { status: response.status, code, argument, data, message: error?.message }
}

const query = '{ projects { nodes { name } } }'
const padded = (bytes: number) => JSON.stringify({ query, variables: { x: 'x'.repeat(bytes) } })
const importing = (name = '') =>
  `mutation ${name}($p: ID!, $c: String!) { importArticles(projectId: $p, content: $c) { __typename } }`
const articles = importing()
const article = (bytes: number) =>
  JSON.stringify([{ title: 'A', slug: 'a', content: 'y'.repeat(bytes) }])
const importOf = (bytes: number) => ({ p: project, c: article(bytes) })
const refused = { status: 413, code: 'payload_too_large' }

describe('a body', () => {
  test('of 64 KB is read, one that is larger is not, with any key', async () => {
    expect(await post(padded(65_000))).toMatchObject({ status: 200 })
    for (const key of [reader, admin])
      expect(await post(padded(66_000), { key })).toMatchObject(refused)
    const form = { type: 'application/x-www-form-urlencoded' }
    expect(await post(`query=${encodeURIComponent(query)}`, form)).toMatchObject({ status: 200 })
    expect(await post(`x=${'x'.repeat(66_000)}&query=${query}`, form)).toMatchObject(refused)
  })

  test('of an import is read from an admin, whatever the order of its members', async () => {
    const asked = { query: articles, variables: importOf(100_000) }
    const turned = { variables: importOf(100_000), operationName: null, query: articles }
    for (const each of [asked, turned]) {
      const body = JSON.stringify(each)
      expect(await post(body, { key: admin })).toMatchObject({ status: 200, code: undefined })
      expect(await post(body)).toMatchObject(refused)
    }
    const both = `mutation($p: ID!, $c: String!) {
      importArticles(projectId: $p, content: $c) { __typename } addTopic(projectId: $p, name: "x") { __typename } }`
    const mixed = { variables: importOf(100_000), query: both }
    expect(await post(JSON.stringify(mixed), { key: admin })).toMatchObject(refused)
    const named = { ...asked, query: `query Other ${query} ${importing('Load')}` }
    for (const [operationName, status] of [
      ['Load', 200],
      ['Other', 413],
    ] as const) {
      const body = JSON.stringify({ ...named, operationName })
      expect(await post(body, { key: admin })).toMatchObject({ status })
    }
  })

  test('of no import is refused at its beginning', async () => {
    const { port } = new URL(api.url)
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }
    const sent = request({ port, path: '/graphql', method: 'POST', headers })
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    })
    sent.write(padded(100_000).slice(0, -10))
    expect(await answered).toBe(413)
    sent.destroy()
  })

  if (isSoak) {
    test('is as small below /api/graph', async () => {
      const url = `${api.url}/api/graph/import-articles`
      const body = JSON.stringify({ projectId: project, content: article(100_000) })
      expect(await post(body, { url, key: admin })).toMatchObject({ status: 200 })
      expect(await post(body, { url })).toMatchObject(refused)
      const topic = JSON.stringify({ projectId: project, name: 'x'.repeat(66_000) })
      const other = { url: `${api.url}/api/graph/add-topic`, key: admin }
      expect(await post(topic, other)).toMatchObject(refused)
    })
  }
})

describe('variables', () => {
  const variables = (json: string) => `{"query":"${query}","variables":{"x":${json}}}`
  const invalid = { status: 400, code: 'invalid_argument', argument: 'variables' }

  test.each([
    ['deep lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['deep objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['many values', `[${'1,'.repeat(20_000)}1]`],
    ['many objects', `[${'{},'.repeat(12_000)}{}]`],
  ])('of %s are refused, also where the rest is no JSON', async (_kind, json) => {
    expect(await post(variables(json))).toMatchObject(invalid)
    expect(await post(`${variables(json)}]]`)).toMatchObject(invalid)
  })

  test('that look deep or wide within a text are none', async () => {
    const text = JSON.stringify(`\\"${'[{,'.repeat(12_000)}\\`)
    expect(await post(variables(text))).toMatchObject({ status: 200 })
  })
})

describe('a document', () => {
  const long = `# ${'x'.repeat(20_480)}\n${query}`

  test('of more than 20 KB is refused before it is parsed, and named', async () => {
    const fault = { status: 400, code: 'invalid_argument', argument: 'query' }
    expect(await post(JSON.stringify({ query: long }))).toMatchObject(fault)
    expect(await post(long, { type: 'application/graphql' })).toMatchObject(fault)
    expect(await post(JSON.stringify({ query: '('.repeat(20_481) }))).toMatchObject(fault)
    const spaced = `${' '.repeat(20_480 - query.length)}${query}`
    expect(await post(JSON.stringify({ query: spaced }))).toMatchObject({ status: 200 })
  })

  test('is kept within a number of bytes', () => {
    const { documentCache, errorCache } = documentCaches()
    for (const cache of [documentCache, errorCache]) {
      for (let i = 0; i < 100; i++) cache.set(`${i} `.padEnd(20_000), new Error('x') as never)
      expect([...cache.keys()].join('').length).toBeLessThanOrEqual(256 * 1024)
      expect(cache.get(`99 `.padEnd(20_000))).toBeDefined()
    }
  })
})
