import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphQLFormattedError } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphProblems } from '../../core/data/graph-problems.ts'
import { liveChannel } from '../../core/live/events.ts'
import { readSettings, SettingsError } from '../../core/settings.ts'
import { readDocumentList } from '../../plugins/document-list.ts'
import { publicSchema } from '../../schema/index.ts'
import { exampleQueries } from '../../web/examples.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { runProgram } from '../kit/programs.ts'
import { root } from '../kit/repository.ts'
import { sampled, sized } from '../kit/soak.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** 13 levels, and the limit is 12. */
const deep = `query Deep { projects { nodes ${'{ prompts { nodes { topics '.repeat(8)}{ name }${' } } }'.repeat(8)} } }`

const listed = {
  names: 'query Names { projects { nodes { name } } }',
  page: 'query Page($first: Int!) { projects(first: $first) { totalCount nodes { id } } }',
  topic:
    'mutation Topic($project: ID!) { addTopic(projectId: $project, name: "Audio") { __typename } }',
  watch: 'subscription Watch($project: ID!) { projectUpdated(projectId: $project) { __typename } }',
  deep,
} as const

const shippedFile = join(root, 'examples/graphql/persisted-documents.json')
const shipped: Record<string, string> = JSON.parse(readFileSync(shippedFile, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'sightline-documents-'))
const file = join(folder, 'documents.json')
const entries = Object.values(listed).map((text) => [sha256(text), text])
writeFileSync(file, JSON.stringify({ ...shipped, ...Object.fromEntries(entries) }))

afterAll(() => rmSync(folder, { recursive: true }))

const api = useApi({ PERSISTED_DOCUMENTS: file })
const strict = useApi({ PERSISTED_DOCUMENTS: `only:${file}` })
const plain = useApi()

let workspace: TestWorkspace
let project = ''
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['read', 'admin'] })).key
})

interface Options {
  readonly target?: { readonly url: string }
  readonly as?: string
  readonly accept?: string
}

const headersOf = ({ as = key, accept = 'application/json' }: Options) => ({
  authorization: `Bearer ${as}`,
  accept,
  'content-type': 'application/json',
})

function post(body: object, options: Options = {}): Promise<Response> {
  return fetch(`${(options.target ?? api).url}/graphql`, {
    method: 'POST',
    headers: headersOf(options),
    body: JSON.stringify(body),
  })
}

function get(params: Record<string, string | object>, options: Options = {}): Promise<Response> {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const query = new URLSearchParams(Object.fromEntries(texts))
  return fetch(`${(options.target ?? api).url}/graphql?${query}`, { headers: headersOf(options) })
}

const documentId = (text: string) => ({ documentId: `sha256:${sha256(text)}` })
const persistedQuery = (text: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) } },
})

/** Status, code and argument of the only error. */
async function refusal(asked: Promise<Response>) {
  const response = await asked
  const { errors = [] } = (await response.json()) as { errors?: GraphQLFormattedError[] }
  const [{ extensions = {} } = {}] = errors
  return [response.status, extensions.code, extensions.argument]
}

const forms = {
  'POST documentId': (text: string, as = key) => post(documentId(text), { as }),
  'POST documentId without prefix': (text: string, as = key) =>
    post({ documentId: sha256(text) }, { as }),
  'POST extensions': (text: string, as = key) => post(persistedQuery(text), { as }),
  'GET documentId': (text: string, as = key) => get(documentId(text), { as }),
  'GET extensions': (text: string, as = key) => get(persistedQuery(text), { as }),
} as const

/** One of each method and each place of the hash. */
const triedForms = sized<readonly (keyof typeof forms)[]>({
  normal: ['POST documentId', 'GET extensions'],
  soak: Object.keys(forms) as (keyof typeof forms)[],
})

describe.each(triedForms)('%s', (form) => {
  const send = forms[form]
  const parameter = form.includes('extensions')
    ? 'extensions.persistedQuery.sha256Hash'
    : 'documentId'

  test('a listed document gives the answer of its text, and counts as one request', async () => {
    // The window of a new key begins with its first request.
    const { key: as } = await workspace.key()
    const byText = await post({ query: listed.names }, { as })
    const byHash = await send(listed.names, as)
    expect(byHash.status).toBe(200)
    expect(await byHash.json()).toEqual(await byText.json())
    const remaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'))
    expect(remaining(byHash)).toBe(remaining(byText) - 1)
  })

  test('an unknown hash is 404 and names the parameter', async () => {
    const unknown = [404, 'unknown_document', parameter]
    expect(await refusal(send('query Other { projects { nodes { id } } }'))).toEqual(unknown)
  })
})

describe('a listed document', () => {
  test('takes variables and the name of its operation', async () => {
    const variables = { first: 1 }
    const body = { ...documentId(listed.page), variables, operationName: 'Page' }
    const expected = { data: { projects: { totalCount: 1, nodes: [{ id: project }] } } }
    expect(await (await post(body)).json()).toEqual(expected)
    expect(await (await get({ ...documentId(listed.page), variables })).json()).toEqual(expected)
  })

  test('refuses wrong variables as its text does', async () => {
    const variables = { first: 'x' }
    const byText = await refusal(post({ query: listed.page, variables }))
    expect(await refusal(post({ ...documentId(listed.page), variables }))).toEqual(byText)
    expect(byText).toEqual([400, 'invalid_argument', 'first'])
  })

  test('obeys the limits of documents', async () => {
    expect(await refusal(post(documentId(deep)))).toEqual([400, 'invalid_argument', undefined])
  })

  test('needs a key that is alive, and so does an unknown hash', async () => {
    const { id, key: as } = await workspace.key()
    await api.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
    for (const text of [listed.names, 'unknown']) {
      expect(await refusal(post(documentId(text), { as }))).toEqual([
        401,
        'unauthorized',
        undefined,
      ])
    }
  })

  test('that is a mutation runs by POST, and by GET it changes nothing', async () => {
    const asked = { ...documentId(listed.topic), variables: { project } }
    const names = () => api.db.topic.count({ where: { projectId: project } })
    expect(await refusal(get(asked))).toEqual([405, 'method_not_allowed', undefined])
    expect(await names()).toBe(0)
    expect((await post(asked)).status).toBe(200)
    expect(await names()).toBe(1)
  })

  test.each(['POST', 'GET'])('that is a subscription streams by %s', async (method) => {
    const asked = { ...documentId(listed.watch), variables: { project } }
    const options = { accept: 'text/event-stream' }
    const response = await (method === 'POST' ? post(asked, options) : get(asked, options))
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const notice = JSON.stringify({ kind: 'opportunities_evaluated', projectId: project })
    await api.db.$queryRaw`SELECT pg_notify(${liveChannel}, ${notice})::text`
    let text = ''
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(
      new TextDecoderStream(),
    )) {
      text += chunk
      if (text.includes('OpportunitiesEvaluated')) break
    }
    expect(text).toContain('event: next')
  })
})

describe('a request is refused', () => {
  test.each([
    ['a hash that is none', { documentId: 'sha256:abc' }, 'documentId'],
    ['an id that is no text', { documentId: 5 }, 'documentId'],
    ['a hash of Apollo that is none', { extensions: { persistedQuery: { sha256Hash: [] } } }, 'x'],
    ['no hash of Apollo', { extensions: { persistedQuery: {} } }, 'x'],
    ['an id beside a text', { query: listed.names, ...documentId(listed.names) }, 'documentId'],
    ['neither text nor id', { variables: {} }, 'query'],
  ])('with %s', async (_name, body, parameter) => {
    const argument = parameter === 'x' ? 'extensions.persistedQuery.sha256Hash' : parameter
    expect(await refusal(post(body))).toEqual([400, 'invalid_argument', argument])
  })

  test.each(['variables', 'extensions'])('with %s that are no JSON', async (parameter) => {
    const broken = [400, 'invalid_argument', parameter]
    for (const asked of [{ query: listed.names }, documentId(listed.names)]) {
      expect(await refusal(get({ ...asked, [parameter]: '{' }))).toEqual(broken)
    }
    const form = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: new URLSearchParams({ query: listed.names, [parameter]: '{' }),
    })
    expect(form.status).toBe(400)
  })

  test('by hash where nothing is listed', async () => {
    const asked = post(documentId(listed.names), { target: plain })
    expect(await refusal(asked)).toEqual([404, 'unknown_document', 'documentId'])
  })
})

test('a text with a hash of Apollo runs as text: its client registers documents so', async () => {
  const asked = await post({ query: '{ __typename }', ...persistedQuery(listed.names) })
  expect(await asked.json()).toEqual({ data: { __typename: 'Query' } })
})

describe('with `only:` in PERSISTED_DOCUMENTS', () => {
  const target = strict

  test('listed documents run by hash, and by text in any layout and order', async () => {
    const texts = [
      listed.page,
      '# A comment\nquery Page($first: Int!) {\n projects(first: $first) { nodes { id } totalCount } }',
    ]
    const variables = { first: 1 }
    const bodies = [documentId(listed.page), ...texts.map((query) => ({ query }))]
    for (const body of bodies) {
      const asked = await post({ ...body, variables }, { target })
      expect(await asked.json()).toMatchObject({ data: { projects: { totalCount: 1 } } })
    }
  })

  test.each([
    '{ __typename }',
    '{ __schema { types { name } } }',
    'query Names { projects { nodes { name id } } }',
    'query Page($first: Int!) { projects(first: 2) { totalCount nodes { id } } }',
    'subscription { projectUpdated(projectId: "x") { __typename } }',
  ])('%s is refused', async (query) => {
    const notListed = [403, 'document_not_listed', undefined]
    expect(await refusal(post({ query }, { target }))).toEqual(notListed)
    expect(await refusal(get({ query }, { target }))).toEqual(notListed)
  })

  test('each tab of GraphiQL is listed in the shipped file', async () => {
    for (const { title, query, variables = '{}' } of exampleQueries) {
      const body = { query, variables: JSON.parse(variables) }
      const [, code] = await refusal(post(body, { target }))
      expect([title, code]).not.toEqual([title, 'document_not_listed'])
    }
  })

  test('REST and /api/graph go on', async () => {
    expect((await strict.get('/api/mcp/projects', key)).status).toBe(200)
    expect((await strict.get(`/api/graph/brand-matches?projectId=${project}`, key)).status).toBe(
      200,
    )
  })
})

test('the example sends hashes, and texts to a service without the list', async () => {
  for (const { url } of [strict, plain]) {
    const env = { SIGHTLINE_URL: url, SIGHTLINE_KEY: key }
    const { code, stderr } = await runProgram(['examples/graphql/main.ts'], { env })
    expect([code, stderr]).toEqual([0, ''])
  }
})

test('the frozen REST contract has none of the codes', () => {
  const contract = readFileSync(join(root, 'rest/contract/openapi.json'), 'utf8')
  for (const code of Object.keys(graphProblems)) expect(contract).not.toContain(code)
})

describe('the file of documents', () => {
  const valid = '{ projects { nodes { id } } }'
  async function faultsOf(text: string): Promise<readonly string[]> {
    const path = join(folder, 'faulty.json')
    writeFileSync(path, text)
    const settings = readSettings({ PERSISTED_DOCUMENTS: path })
    const error = await readDocumentList(settings, publicSchema).catch((found: unknown) => found)
    return error instanceof SettingsError ? error.faults : []
  }

  test('may have ids with and without `sha256:`', async () => {
    const text = JSON.stringify({ [sha256(valid)]: valid, [`sha256:${sha256(deep)}`]: deep })
    expect(await faultsOf(text)).toEqual([])
  })

  test.each(
    sampled(
      [
        ['no JSON', '{', /: .*JSON/],
        ['a list', '[]', /no object of documents/],
        ['a document with a wrong hash', JSON.stringify({ [sha256('x')]: valid }), /SHA-256$/],
        ['a key that is no hash', JSON.stringify({ Names: valid }), /`\. Names: .*SHA-256|Names/],
        ['a value that is no text', JSON.stringify({ [sha256('x')]: 5 }), /no text/],
        [
          'a document of another schema',
          JSON.stringify({ [sha256('{ a }')]: '{ a }' }),
          /field "a"/,
        ],
        ['a document that is cut off', JSON.stringify({ [sha256('{')]: '{' }), /Syntax Error/],
      ],
      3,
    ),
  )('with %s is a fault of the setting', async (_name, text, reason) => {
    const faults = await faultsOf(text)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(/^`PERSISTED_DOCUMENTS` must be a JSON file of documents by SHA-256;/)
    expect(faults[0]?.slice(0, -1)).toMatch(reason)
  })

  test('has each of its faults listed', async () => {
    const text = JSON.stringify({ [sha256('{')]: '{', [sha256(valid)]: valid, other: valid })
    expect(await faultsOf(text)).toHaveLength(2)
  })
})
