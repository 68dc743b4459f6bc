import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GraphQLOutputType, getNamedType, isInterfaceType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest/routes.ts'
import { scriptSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { root, runTool } from '../kit/repository.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'

/** `/api/graph`: what GraphQL does and REST v1 has no path for, over plain HTTP. */

const api = useApi()
const committed = readFileSync(join(root, 'rest/contract/openapi-graph.json'), 'utf8')

let workspaceId = ''
let project = ''
let key = ''
let reader = ''

beforeAll(async () => {
  const workspace = await api.workspace('growth')
  workspaceId = workspace.id
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  reader = (await workspace.key()).key
})

interface Sent {
  readonly body?: unknown
  readonly as?: string
  readonly headers?: Record<string, string>
  readonly method?: string
}

/** Sends a body to a path below `/api/graph`. */
async function send(path: string, { body = {}, as = key, headers = {}, method = 'POST' }: Sent) {
  const response = await fetch(`${api.url}/api/graph${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, text, json: JSON.parse(text), headers: response.headers }
}

const read = (path: string, as = key) => send(path, { method: 'GET', as })

/** A request that is refused, with the fields that its problem names. */
async function refusal(path: string, sent: Sent) {
  const { status, json } = await send(path, sent)
  const { code, details } = assertProblem(json) as {
    code: string
    details?: { fieldErrors: object }
  }
  return [status, code, ...Object.keys(details?.fieldErrors ?? {})]
}

describe('the paths', () => {
  const routed = new Set(routes.map(({ field }) => field))
  /** Lists at the root are pages of GraphQL: REST has its own list of projects, and invitations are listed in GraphQL. */
  const isPage = (answer: GraphQLOutputType) => getNamedType(answer).name.endsWith('Connection')
  const unrouted = [scriptSchema.getQueryType(), scriptSchema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {})
      .filter(
        ({ name, type: answer }) =>
          !routed.has(name) && !isPage(answer) && !isInterfaceType(getNamedType(answer)),
      )
      .map(({ name }) => name),
  )

  test('are every query and mutation of the graph without a path in REST v1, forty and more, of a known type', () => {
    const { paths } = JSON.parse(committed) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const described = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(described.sort()).toEqual([...unrouted].sort())
    expect(described.length).toBeGreaterThan(40)
  })

  test('do not include the subscriptions of sofa-api, nor what REST v1 serves', async () => {
    for (const path of [
      '/webhook',
      '/webhook/1',
      '/source-domains',
      '/add-prompts',
      '/openapi.json',
    ]) {
      expect(await refusal(path, {})).toEqual([404, 'not_found'])
    }
  })
})

describe('a write', () => {
  test('is done, and its answer shows the project without its lists', async () => {
    const { status, json } = await send('/add-topic', {
      body: { projectId: project, name: 'Sound' },
    })
    expect([status, json.changed, json.project.name]).toEqual([200, true, 'Acme'])
    expect(json.project).not.toHaveProperty('topics')
    expect(await api.db.topic.count({ where: { projectId: project, name: 'Sound' } })).toBe(1)
    const asked = `{ project(id: "${project}") { topics { nodes { id name } } } }`
    const { data } = (await (await api.graphql(asked, key)).json()) as {
      data: { project: { topics: { nodes: { id: string; name: string }[] } } }
    }
    expect(data.project.topics.nodes).toEqual([{ id: json.subjectId, name: 'Sound' }])
  })

  test('with an Idempotency-Key is done once: a retry gets the same bytes', async () => {
    const sent = {
      body: { projectId: project, name: 'Once' },
      headers: { 'idempotency-key': 'topic' },
    }
    const [first, again] = [await send('/add-topic', sent), await send('/add-topic', sent)]
    expect(first.json.changed).toBe(true)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('x-idempotent-replay')).toBe('true')
    const other = { ...sent, body: { projectId: project, name: 'Twice' } }
    expect(await refusal('/add-topic', other)).toEqual([409, 'idempotency_conflict'])
    expect(await api.db.topic.count({ where: { projectId: project, name: 'Twice' } })).toBe(0)
  })

  test('takes a key where its answer shows a secret, which a retry shows again', async () => {
    const sent = { body: { workspaceId }, headers: { 'idempotency-key': 'secret' } }
    const first = await send('/create-ingest-key', sent)
    expect(first.json.key).toMatch(/^sk_/)
    expect((await send('/create-ingest-key', sent)).text).toBe(first.text)
  })

  test('tells null from absent: null clears, absent stays', async () => {
    const update = (body: object) =>
      send('/update-project', { body: { projectId: project, ...body } })
    await update({ description: 'Headphones', industry: 'Audio' })
    await update({ description: null })
    expect(await api.db.project.findUniqueOrThrow({ where: { id: project } })).toMatchObject({
      description: null,
      industry: 'Audio',
    })
  })
})

describe('a read', () => {
  test('gives the values of GraphQL', async () => {
    const { status, json, headers } = await read(`/project?id=${project}`)
    const asked = `{ project(id: "${project}") { id name domain status createdAt } }`
    const { data } = (await (await api.graphql(asked, key)).json()) as { data: { project: object } }
    expect(status).toBe(200)
    expect(json).toMatchObject(data.project)
    expect(headers.get('etag')).toMatch(/^W\/"/)
  })

  test('checks and clamps its parameters as REST does', async () => {
    const matches = `/brand-matches?projectId=${project}`
    expect((await read(matches)).json).toMatchObject({ answersSearched: 0 })
    expect((await read(`${matches}&samples=99999999999`)).status).toBe(200)
    expect(await refusal(`${matches}&samples=abc`, { method: 'GET' })).toEqual([
      400,
      'invalid_argument',
      'samples',
    ])
    expect(await refusal('/brand-matches', { method: 'GET' })).toEqual([
      400,
      'invalid_argument',
      'projectId',
    ])
    expect(await refusal('/project', { method: 'GET' })).toEqual([400, 'invalid_argument', 'id'])
  })
})

describe('a refusal is a problem that names the field, and changes nothing', () => {
  test.each([
    ['without a value', '/add-topic', { name: undefined }, 'name'],
    ['of another type', '/add-topic', { name: 5 }, 'name'],
    ['a text for a flag', '/add-brand-alias', { text: 'AC', caseSensitive: 'no' }, 'caseSensitive'],
    [
      'within a list',
      '/add-competitor',
      { name: 'Bose', domain: 'bose.com', aliases: [{ text: 1 }] },
      'aliases.0.text',
    ],
    ['of the rules', '/add-own-domain', { domain: 'no domain' }, 'domain'],
  ])('an argument %s', async (_kind, path, body, field) => {
    const before = await api.db.auditEntry.count({ where: { projectId: project } })
    const given = { projectId: project, ...body }
    expect(await refusal(path, { body: given })).toEqual([400, 'invalid_argument', field])
    expect(await api.db.auditEntry.count({ where: { projectId: project } })).toBe(before)
  })

  test('in the order of REST: key, project, scope, arguments', async () => {
    const stranger = (await (await api.workspace()).key({ scopes: ['admin'] })).key
    const bad = { projectId: project, name: 5 }
    expect(await refusal('/add-topic', { body: bad, as: 'sgl_none' })).toEqual([
      401,
      'unauthorized',
    ])
    expect(await refusal('/nonsense', { as: 'sgl_none' })).toEqual([401, 'unauthorized'])
    const nowhere = { ...bad, projectId: '3fa85f64-5717-4562-b3fc-2c963f66afa6' }
    expect(await refusal('/add-topic', { body: nowhere })).toEqual([404, 'not_found'])
    expect(await refusal('/add-topic', { body: bad, as: stranger })).toEqual([403, 'forbidden'])
    expect(await refusal('/add-topic', { body: bad, as: reader })).toEqual([403, 'missing_scope'])
    expect(await refusal('/add-topic', { body: {} })).toEqual([
      400,
      'invalid_argument',
      'projectId',
    ])
  })

  test('of the method says which is allowed', async () => {
    const { status, headers } = await send('/add-topic', { method: 'GET' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('of a body that is no JSON', async () => {
    const response = await fetch(`${api.url}/api/graph/add-topic`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{',
    })
    expect(response.status).toBe(400)
    expect(assertProblem(await response.json())).toMatchObject({ code: 'invalid_argument' })
  })
})

describe('the document', () => {
  test('is served as it is committed', async () => {
    expect(await (await fetch(`${api.url}/openapi-graph.json`)).text()).toBe(committed)
  })

  test('is clean by every rule that Redocly recommends, but for the address of a licence', async () => {
    const program = 'node_modules/@redocly/cli/bin/cli.js'
    const rules = ['--skip-rule', 'info-license-strict', '--format', 'json']
    const document = 'rest/contract/openapi-graph.json'
    const { stdout } = await runTool(root, program, 'lint', document, ...rules)
    expect((JSON.parse(stdout) as { problems: unknown[] }).problems).toEqual([])
  })
})
