import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { withProblemFragments } from '../kit/graphql/mutations.ts'

/** What a GraphQL mutation with an idempotency key does, beside what REST does too. */

const api = useApi()

let project = ''
let workspaceId = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  workspaceId = workspace.id
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

function send(query: string, headers: Record<string, string> = {}, as = key, variables = {}) {
  return fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: withProblemFragments(query), variables }),
  })
}

const withKey = (idempotencyKey: string) => ({ 'idempotency-key': idempotencyKey })

interface AddTopic {
  /** Default: the project of the file. */
  readonly of?: string
  /** The argument `idempotencyKey`. */
  readonly argument?: string
  readonly selected?: string
}

function addTopic(name: string, { of = project, argument, selected = 'changed' }: AddTopic = {}) {
  const more = argument === undefined ? '' : `, idempotencyKey: "${argument}"`
  return `mutation { addTopic(projectId: "${of}", name: "${name}"${more}) { ${selected} } }`
}

const topics = (name: string) => api.db.topic.count({ where: { projectId: project, name } })

async function faultOf(response: Response) {
  return [response.status, ...faultIn((await response.json()) as GraphAnswer).split(' ')]
}

describe('a mutation that comes again with its key', () => {
  test('gets the same bytes, and changes nothing', async () => {
    const first = await send(addTopic('Replayed'), withKey('k1'))
    expect(first.headers.has('x-idempotent-replay')).toBe(false)
    const text = await first.text()
    expect(JSON.parse(text).data.addTopic.changed).toBe(true)
    // Three times: a document is compiled at its second run.
    for (const spelling of ['k1', '"k1"', 'k1']) {
      const again = await send(addTopic('Replayed'), withKey(spelling))
      expect(again.status).toBe(200)
      expect(again.headers.get('x-idempotent-replay')).toBe('true')
      expect(await again.text()).toBe(text)
    }
  })

  test('takes it as an argument too, and the two may not differ', async () => {
    const text = addTopic('Argued', { argument: 'k2' })
    expect((await send(text)).headers.has('x-idempotent-replay')).toBe(false)
    expect((await send(text)).headers.get('x-idempotent-replay')).toBe('true')
    const both = await send(text, withKey('"k2"'))
    expect(both.headers.get('x-idempotent-replay')).toBe('true')
    const expected = [200, 'invalid_argument', 'Idempotency-Key']
    expect(await faultOf(await send(text, withKey('other')))).toEqual(expected)
    const bad = await send(addTopic('Argued', { argument: '' }))
    expect(await faultOf(bad)).toEqual([200, 'invalid_argument', 'idempotencyKey'])
  })

  test('conflicts with another document or other variables, not with other spaces', async () => {
    const named = `mutation($name: String!) { addTopic(projectId: "${project}", name: $name) { changed } }`
    await send(named, withKey('k3'), key, { name: 'One' })
    const spaced = await send(named.replaceAll(' ', '  '), withKey('k3'), key, { name: 'One' })
    expect(spaced.headers.get('x-idempotent-replay')).toBe('true')
    const expected = [200, 'idempotency_conflict']
    expect(await faultOf(await send(named, withKey('k3'), key, { name: 'Two' }))).toEqual(expected)
    expect(await faultOf(await send(addTopic('One'), withKey('k3')))).toEqual(expected)
    expect(await topics('Two')).toBe(0)
  })

  test('is refused once its key has lost the grant', async () => {
    const workspace = await api.workspace()
    const own = await workspace.project()
    const { id, key: mine } = await workspace.key({ scopes: ['admin'] })
    const text = addTopic('Mine', { of: own })
    await send(text, withKey('k4'), mine)
    const again = await send(text, withKey('k4'), mine)
    expect(again.headers.get('x-idempotent-replay')).toBe('true')
    await api.db.apiKey.update({ where: { id }, data: { scopes: ['read'] } })
    expect(await faultOf(await send(text, withKey('k4'), mine))).toEqual([200, 'missing_scope'])
    await api.db.apiKey.update({ where: { id }, data: { scopes: ['admin'] } })
    await api.db.membership.deleteMany({ where: { workspaceId: workspace.id } })
    expect(await faultOf(await send(text, withKey('k4'), mine))).toEqual([200, 'forbidden'])
  })
})

describe('a mutation with a key', () => {
  test('is done whole or not at all', async () => {
    const selected = 'changed project { sourceDomains(window: { days: 0 }) { totalCount } }'
    const text = (name: string) => addTopic(name, { selected })
    const partly = (await (await send(text('Without'))).json()) as GraphAnswer
    expect(partly.data).toEqual({ addTopic: { changed: true, project: { sourceDomains: null } } })
    expect(await topics('Without')).toBe(1)

    const response = await send(text('With'), withKey('k5'))
    const { data, errors } = (await response.json()) as GraphAnswer
    expect([response.status, data]).toEqual([200, null])
    expect(errors?.[0]).toMatchObject({
      path: ['addTopic', 'project', 'sourceDomains'],
    })
    expect(await topics('With')).toBe(0)
    // What failed was not kept.
    await send(addTopic('With'), withKey('k5'))
    expect(await topics('With')).toBe(1)
  })

  test('has one root field', async () => {
    const two = `mutation($skips: Boolean = false) {
      other: addTopic(projectId: "${project}", name: "Other") @skip(if: $skips) { changed }
      addTopic(projectId: "${project}", name: "Two") { changed } }`
    const expected = [200, 'invalid_argument', 'Idempotency-Key']
    expect(await faultOf(await send(two, withKey('k6')))).toEqual(expected)
    expect((await topics('Two')) + (await topics('Other'))).toBe(0)
    expect((await send(two, withKey('k6'), key, { skips: true })).status).toBe(200)
    expect([await topics('Two'), await topics('Other')]).toEqual([1, 0])
    const spread = `mutation { ...F }
      fragment F on Mutation { __typename addTopic(projectId: "${project}", name: "Spread") { changed } }`
    await send(spread, withKey('k7'))
    expect((await send(spread, withKey('k7'))).headers.get('x-idempotent-replay')).toBe('true')
  })

  test('that shows a secret shows it again, and stores it sealed', async () => {
    const owner = (await api.db.apiKey.findFirstOrThrow({ where: { workspaceId } })).id
    const calls = [
      `createKey(workspaceId: "${workspaceId}", scopes: [read]) { secret: key }`,
      `rotateKey(workspaceId: "${workspaceId}", keyId: "${owner}", graceSeconds: 60) { secret: key }`,
      `createIngestKey(workspaceId: "${workspaceId}") { secret: key }`,
      `createSiteToken(projectId: "${project}") { secret: siteToken }`,
    ]
    const keys = () => api.db.apiKey.count({ where: { workspaceId } })
    for (const [at, call] of calls.entries()) {
      const text = `mutation { made: ${call} }`
      const first = (await (await send(text, withKey(`s${at}`))).json()) as GraphAnswer
      const { secret } = first.data.made as { secret: string }
      expect([call, secret]).toEqual([call, expect.stringMatching(/^.{20,}$/)])
      const made = await keys()
      const again = await send(text, withKey(`s${at}`))
      expect(again.headers.get('x-idempotent-replay')).toBe('true')
      expect(await again.json()).toEqual(first)
      expect(await keys()).toBe(made)
      const stored = await api.db.idempotentReply.findFirstOrThrow({ where: { key: `s${at}` } })
      expect(Buffer.from(stored.body).includes(secret)).toBe(false)
    }
  })

  test('that writes beyond the catalog is done once: an import, its undo, the end of a project', async () => {
    const of = (
      await api.db.project.create({ data: { workspaceId, name: 'Gone', domain: 'gone.com' } })
    ).id
    const line = JSON.stringify({
      prompt: 'Which?',
      platform: 'chatgpt',
      collectedAt: '2025-05-10T08:00:00Z',
      text: 'One.',
    })
    const once = async (key: string, call: string) => {
      const text = `mutation { ${call} }`
      const first = await (await send(text, withKey(key))).text()
      const again = await send(text, withKey(key))
      expect(again.headers.get('x-idempotent-replay')).toBe('true')
      expect(await again.text()).toBe(first)
      return (JSON.parse(first) as GraphAnswer).data
    }
    const lines = `content: ${JSON.stringify(line)}`
    const imported = await once(
      'o1',
      `importAnswers(projectId: "${of}", ${lines}) { loaded skipped }`,
    )
    expect(imported.importAnswers).toEqual({ loaded: 1, skipped: 0 })
    const { id } = await api.db.import.findFirstOrThrow({ where: { projectId: of } })
    const undone = await once('o2', `undoImport(projectId: "${of}", importId: "${id}") { status }`)
    expect(undone.undoImport).toEqual({ status: 'undone' })
    const ended = await once('o3', `deleteProject(projectId: "${of}") { projectId }`)
    expect(ended.deleteProject).toEqual({ projectId: of })
    const other = await send(
      `mutation { deleteProject(projectId: "${of}") { projectId } }`,
      withKey('o4'),
    )
    expect(await faultOf(other)).toEqual([200, 'not_found'])
  })

  test('that writes beyond the catalog runs once at a time, and again after a problem', async () => {
    const recount = `mutation { reanalyze(projectId: "${project}") { analysis } }`
    const analysisOf = async () =>
      (await api.db.project.findUniqueOrThrow({ where: { id: project } })).analysis
    const before = await analysisOf()
    const twins = await Promise.all([1, 2, 3].map(() => send(recount, withKey('r1'))))
    const told = await Promise.all(twins.map(faultOf))
    expect(told).toContainEqual([200, 'none'])
    for (const [, code] of told) expect(['none', 'idempotency_in_flight']).toContain(code)
    expect(await analysisOf()).toBe(before + 1)
    const missing = `mutation { undoImport(projectId: "${project}", importId: "${project}") { status } }`
    for (let i = 0; i < 2; i++) {
      const refused = await send(missing, withKey('r2'))
      expect(refused.headers.has('x-idempotent-replay')).toBe(false)
      expect(await faultOf(refused)).toEqual([200, 'not_found'])
    }
  })

  test('of bad arguments is refused like one without', async () => {
    const bad = await send(addTopic(' '), withKey('k9'))
    expect(await faultOf(bad)).toEqual([200, 'invalid_argument', 'name'])
    const variables = await send(
      `mutation($n: String!) { addTopic(projectId: "${project}", name: $n) { changed } }`,
      withKey('k9'),
      key,
      { n: 5 },
    )
    expect(await faultOf(variables)).toEqual([400, 'invalid_argument', 'name'])
  })

  test('takes variables that are nested deeply for what they are', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const body = `{"query": ${JSON.stringify(addTopic('Deep'))}, "variables": {"x": ${deep}}}`
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = `${api.url}/graphql`
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...withKey('k10') },
      body,
    })
    expect(await faultOf(response)).toEqual([400, 'invalid_argument', 'variables'])
    expect(await topics('Deep')).toBe(0)
  })
})

test('a key on a query says nothing', async () => {
  const query = `{ project(id: "${project}") { name } }`
  for (const given of ['k11', '', 'x'.repeat(300)]) {
    const response = await send(query, withKey(given))
    expect(response.status).toBe(200)
    expect(response.headers.has('x-idempotent-replay')).toBe(false)
  }
})
