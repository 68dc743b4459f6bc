import { beforeAll, expect, test } from 'vitest'
import { hashApiKey } from '../../core/access.ts'
import { revokeKey } from '../../resolvers/keys/keys.ts'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { cookieOf, credentials } from '../kit/credentials.ts'

/** Sessions of browsers, and what people try with them. */

const api = useApi()
let workspace: TestWorkspace
let owner = ''

beforeAll(async () => {
  workspace = await api.workspace()
  await workspace.project()
  const where = { workspaceId: workspace.id }
  owner = (await api.db.membership.findFirstOrThrow({ where })).userId
})

/** A POST as a page of the service sends it, or another page. */
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(api.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api.url, ...headers },
    body: JSON.stringify(body),
  })

const query = '{ projects { totalCount } }'
const asked = async (headers: Record<string, string>) =>
  (
    await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    })
  ).status

const tokenIn = (response: Response) =>
  /sightline-session-\d+=(sgs_[\w-]{43});/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''

/** Signs a browser in by a code of the start. */
async function signedIn(cookie = ''): Promise<string> {
  const code = await makePageCode(api.db, { userId: owner })
  return tokenIn(await post('/page-key', { code }, { cookie }))
}

const opened = (token: string) =>
  fetch(`${api.url}/`, { headers: { accept: 'text/html', cookie: cookieOf(token) } })

test('a session counts for pages of the service alone, and never as a key', async () => {
  const token = await signedIn()
  const cookie = cookieOf(token)
  const { host } = new URL(api.url)
  expect(await asked({ cookie, 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await asked({ cookie, origin: `http://${host}` })).toBe(200)
  for (const headers of [
    {},
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: api.url },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' },
  ]) {
    expect([headers, await asked({ cookie, ...headers })]).toEqual([headers, 401])
  }
  expect(await asked({ authorization: `Bearer ${token}` })).toBe(401)
  // A key in the cookie is no session.
  const { key } = await workspace.key()
  expect(await asked({ cookie: cookieOf(key), 'sec-fetch-site': 'same-origin' })).toBe(401)
})

test('the cookie is out of reach of scripts and of other sites, and each sign-in makes a new one', async () => {
  const code = await makePageCode(api.db, { userId: owner })
  const fixed = await signedIn()
  const response = await post('/page-key', { code }, { cookie: cookieOf(fixed) })
  expect(response.headers.get('set-cookie')).toMatch(
    /^sightline-session-4000=sgs_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  expect(tokenIn(response)).not.toBe(fixed)
  // Whoever planted the one before has nothing of it.
  expect(await asked(credentials(fixed))).toBe(401)
  expect(await asked(credentials(tokenIn(response)))).toBe(200)
})

test('nobody is signed in or out by a page of another site', async () => {
  const token = await signedIn()
  const cookie = cookieOf(token)
  const code = await makePageCode(api.db, { userId: owner })
  const { key } = await workspace.key()
  const evil = { cookie, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
  for (const [path, body, more] of [
    ['/page-key', { code }, {}],
    ['/sign-in/key', {}, { authorization: `Bearer ${key}` }],
    ['/sign-out', {}, {}],
  ] as const) {
    const response = await post(path, body, { ...evil, ...more })
    expect([path, response.status, response.headers.get('set-cookie')]).toEqual([path, 403, null])
  }
  // The code is as good as before.
  expect((await post('/page-key', { code })).status).toBe(200)
  expect(await asked(credentials(token))).toBe(200)
})

test('a token that was stolen is worth nothing after the sign-out', async () => {
  const token = await signedIn()
  const out = await post('/sign-out', {}, { cookie: cookieOf(token) })
  expect([out.status, out.headers.get('set-cookie')]).toEqual([
    204,
    expect.stringContaining('Max-Age=0'),
  ])
  expect(await asked(credentials(token))).toBe(401)
  expect(await (await opened(token)).text()).toContain('name="session" content="no"')
})

test('a visit a day later renews the token, and the one before counts ten minutes longer', async () => {
  const token = await signedIn()
  const young = await opened(token)
  expect(await young.text()).toContain('name="session" content="yes"')
  expect(young.headers.get('set-cookie')).toBeNull()
  const grow = (hash: string, rotatedAt: Date) =>
    api.db.session.update({ where: { hash: hashApiKey(hash) }, data: { rotatedAt } })
  await grow(token, new Date(Date.now() - 86_401_000))
  const renewed = tokenIn(await opened(token))
  expect(renewed).not.toBe('')
  // Tabs that open at once renew it once.
  expect(tokenIn(await opened(token))).toBe('')
  expect([await asked(credentials(token)), await asked(credentials(renewed))]).toEqual([200, 200])
  await grow(renewed, new Date(Date.now() - 601_000))
  expect([await asked(credentials(token)), await asked(credentials(renewed))]).toEqual([401, 200])
  const { expiresAt } = await api.db.session.findFirstOrThrow({
    where: { hash: hashApiKey(renewed) },
  })
  expect((Number(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
  await api.db.session.updateMany({
    where: { hash: hashApiKey(renewed) },
    data: { expiresAt: new Date() },
  })
  expect(await asked(credentials(renewed))).toBe(401)
})

test('a pasted key gives a session with its rights, which ends with the key', async () => {
  const { id, key } = await workspace.key({ scopes: ['read'] })
  const wrong = await post('/sign-in/key', {}, { authorization: `Bearer ${key}x` })
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
  const token = tokenIn(await post('/sign-in/key', {}, { authorization: `Bearer ${key}` }))
  const { data } = await (await api.graphql('{ currentKey { id scopes } }', token)).json()
  expect(data.currentKey).toEqual({ id, scopes: ['read'] })
  // Signing out leaves the key to its programs.
  const other = tokenIn(await post('/sign-in/key', {}, { authorization: `Bearer ${key}` }))
  await post('/sign-out', {}, { cookie: cookieOf(other) })
  expect([await asked(credentials(other)), await asked(credentials(key))]).toEqual([401, 200])
  await revokeKey(api.db, id)
  expect(await asked(credentials(token))).toBe(401)
})

interface Listed {
  readonly id: string
  readonly browser: string
  readonly keyName: string | null
  readonly isCurrent: boolean
}

async function sessions(as: string): Promise<readonly Listed[]> {
  const fields = '{ sessions { nodes { id browser keyName isCurrent } } }'
  return (await (await api.graphql(fields, as)).json()).data.sessions.nodes
}

const endSession = (id: string, as: string) =>
  api.graphql(`mutation { endSession(sessionId: "${id}") { sessionId } }`, as)

test('a person lists the own browsers and ends them, and an API key sees its own alone', async () => {
  await api.db.session.deleteMany({ where: { apiKey: { userId: owner } } })
  const [here, there] = [await signedIn(), await signedIn()]
  const { key } = await workspace.key({ scopes: ['admin'] })
  const pasted = tokenIn(await post('/sign-in/key', {}, { authorization: `Bearer ${key}` }))
  expect((await sessions(here)).map(({ keyName, isCurrent }) => [keyName, isCurrent])).toEqual([
    ['API key', false],
    [null, false],
    [null, true],
  ])
  expect((await sessions(pasted)).map(({ keyName }) => keyName)).toEqual(['API key'])
  const [, other] = await sessions(here)
  const refused = await (await endSession(other?.id ?? '', pasted)).json()
  expect(refused.data.endSession.code).toBe('not_found')
  await endSession(other?.id ?? '', here)
  expect([await asked(credentials(there)), await asked(credentials(here))]).toEqual([401, 200])
  const { data } = await (
    await api.graphql(
      `{ workspace(id: "${workspace.id}") { apiKeys { nodes { name } }
      reachingKeys { nodes { name } } } }`,
      here,
    )
  ).json()
  expect(JSON.stringify(data)).not.toContain('Browser')
})

test('a person manages each own workspace from one session, and no other', async () => {
  const second = await api.workspace()
  await api.db.membership.create({
    data: { workspaceId: second.id, userId: owner, role: 'owner' },
  })
  const foreign = await api.workspace()
  const token = await signedIn()
  const codeOf = async (id: string) => {
    const { data, errors } = await (
      await api.graphql(`{ workspace(id: "${id}") { apiKeys { totalCount } } }`, token)
    ).json()
    return errors?.[0].extensions.code ?? data.workspace.apiKeys.totalCount
  }
  const ids = [second.id, foreign.id, 'none']
  expect(await Promise.all(ids.map(codeOf))).toEqual([0, 'not_found', 'not_found'])
  await api.db.membership.deleteMany({ where: { workspaceId: second.id, userId: owner } })
  expect(await codeOf(second.id)).toBe('not_found')
})
