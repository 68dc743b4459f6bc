import { beforeAll, describe, expect, test } from 'vitest'
import { removeEndedConnections } from '../../worker/retention/connections.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import {
  authorizeUrl,
  type Browser,
  browserOf,
  callWith,
  connectByOAuth,
  decide,
  exchanged,
  locationOf,
  newClient,
  openConsent,
  postForm,
  refreshed,
  register,
} from '../kit/oauth.ts'
import { startFreshApi } from '../kit/rest/fresh-api.ts'
import { freePort } from '../kit/web/free-port.ts'

const api = useApi({ PORT: String(await freePort()) }, undefined, { ownDatabase: true })
let workspace: TestWorkspace
let browser: Browser
/** Most tests share one: an address registers twenty in an hour. */
let client = ''

beforeAll(async () => {
  workspace = await api.workspace()
  await workspace.project()
  browser = browserOf(api, await workspace.session())
  client = await newClient(api)
})

const begin = () => openConsent(browser, authorizeUrl(api, client))
const statusOf = async (reply: Promise<Response>) => (await reply).status
const allow = { decision: 'allow', write: false, draft: false, projectId: null, days: 30 }
const keys = () => api.db.apiKey.count({ where: { kind: 'connection' } })

describe('what the authorization server refuses', () => {
  test.each([
    ['another address to go back to', { redirect_uri: 'https://evil.example/callback' }],
    ['a client that nobody knows', { client_id: 'unknown' }],
  ])('%s: on a page, never by a redirect', async (_what, changed) => {
    const refused = await browser(authorizeUrl(api, client, changed))
    expect(refused.status).toBe(400)
    expect(locationOf(refused)).toBe('')
    expect(refused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await refused.text()).toContain('Not connected')
  })

  test.each([
    ['no code challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a challenge in clear', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['an answer without asking', { prompt: 'none' }, 'consent_required'],
  ])('%s', async (_what, changed, error) => {
    const refused = await browser(authorizeUrl(api, client, changed))
    const back = new URL(locationOf(refused)).searchParams
    expect(Object.fromEntries(back)).toMatchObject({ error, state: 'abc', iss: api.url })
  })

  test('a registration keeps known metadata, and drops scopes that nobody knows', async () => {
    const registered = await register(api, {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none',
      scope: 'claudeai everything',
      logo_uri: 'http://169.254.169.254/',
      jwks_uri: 'http://169.254.169.254/',
      sector_identifier_uri: 'http://169.254.169.254/',
    })
    expect(registered.status).toBe(201)
    const client = await registered.json()
    expect(client).toMatchObject({
      client_name: 'Claude',
      application_type: 'web',
      scope: 'read write prompt:draft offline_access',
    })
    for (const name of ['logo_uri', 'jwks_uri', 'sector_identifier_uri', 'client_secret']) {
      expect(client).not.toHaveProperty(name)
    }
    for (const redirect of ['javascript:alert(1)', 'not an address']) {
      expect(await statusOf(register(api, { redirect_uris: [redirect] }))).toBe(400)
    }
  })

  test('a client document in a private network, or at another port', async () => {
    for (const id of [
      'https://127.0.0.1/client.json',
      'https://169.254.169.254/client.json',
      'https://metadata.internal/client.json',
      'https://example.com:8443/client.json',
    ]) {
      const refused = await browser(authorizeUrl(api, id))
      expect(refused.status).toBe(400)
      expect(await refused.text()).toContain('metadata document')
    }
  })
})

describe('the page that asks', () => {
  test('shows the client, where it leads, and what it wants', async () => {
    const page = await begin()
    expect(await (await browser(page)).json()).toEqual({
      name: 'Claude',
      host: '127.0.0.1',
      target: 'computer',
      isKnown: true,
      documentHost: null,
      scopes: ['read'],
    })
  })

  test('warns of a host that nobody knows, whatever the client calls itself', async () => {
    const redirect = 'https://claude.evil.example/api/mcp/auth_callback'
    const registered = await register(api, {
      client_name: 'Claude',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
    })
    const { client_id: id } = (await registered.json()) as { client_id: string }
    const page = await openConsent(browser, authorizeUrl(api, id, { redirect_uri: redirect }))
    expect(await (await browser(page)).json()).toMatchObject({
      name: 'Claude',
      host: 'claude.evil.example',
      target: 'site',
      isKnown: false,
    })
  })

  test('answers its own browser and its own pages alone', async () => {
    const page = await begin()
    const elsewhere = browserOf(api, await workspace.session())
    expect(await statusOf(elsewhere(page))).toBe(404)
    expect(await statusOf(fetch(api.url + page))).toBe(403)
    const foreign = { origin: 'https://evil.example', 'content-type': 'application/json' }
    const posted = fetch(api.url + page, { method: 'POST', headers: foreign, body: '{}' })
    expect(await statusOf(posted)).toBe(403)
  })

  test('leads back with a refusal where the person refuses', async () => {
    const before = await keys()
    const back = await decide(browser, await begin(), { decision: 'deny' })
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(await keys()).toBe(before)
  })

  test('asks each time, and no client for a right that it does not name', async () => {
    await decide(browser, await begin())
    const page = await begin()
    expect(await statusOf(browser(page, { ...allow, days: 3650 }))).toBe(400)
    expect(await statusOf(browser(page, { ...allow, admin: true }))).toBe(200)
    const { scopes } = await api.db.apiKey.findFirstOrThrow({
      where: { kind: 'connection' },
      orderBy: { createdAt: 'desc' },
    })
    expect(scopes).toEqual(['read'])
  })

  test('a key that is weaker than a person connects nothing', async () => {
    const page = await begin()
    const { key } = await workspace.key({ scopes: ['read', 'write'] })
    const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' }
    expect(await statusOf(fetch(api.url + page, { headers }))).toBe(403)
  })
})

test('each step may come to another process, as after a kill', async () => {
  const other = { url: await startFreshApi(api) }
  const page = await begin()
  const decided = await browser(new URL(page, other.url), allow)
  const { to } = (await decided.json()) as { to: string }
  const back = new URL(locationOf(await browser(new URL(new URL(to).pathname, other.url))))
  const got = await exchanged(api, client, back.searchParams.get('code') ?? '')
  const { access_token: token } = (await got.json()) as { access_token: string }
  expect(await statusOf(callWith(other, token))).toBe(200)
})

describe('nothing is left half', () => {
  test('a decision that is sent twice makes one connection', async () => {
    const before = await keys()
    const page = await begin()
    const sent = await Promise.all([browser(page, allow), browser(page, allow)])
    expect(sent.map(({ status }) => status)).toEqual([200, 200])
    expect(await keys()).toBe(before + 1)
  })

  test('a connection without a token is listed nowhere, and removed at night', async () => {
    await decide(browser, await begin())
    const { key } = await workspace.key({ scopes: ['admin'] })
    const query = `{ workspace(id: "${workspace.id}") { apiKeys { nodes { id } } connectedClients { nodes { id } } } }`
    const { data } = await (await api.graphql(query, key)).json()
    const ids = [...data.workspace.apiKeys.nodes, ...data.workspace.connectedClients.nodes].map(
      (each) => each.id,
    )
    expect(ids.length).toBeGreaterThan(0)
    const row = await api.db.connectedClient.findFirstOrThrow({
      where: { lastRefreshAt: null },
      orderBy: { createdAt: 'desc' },
    })
    expect(ids).not.toContain(row.id)
    expect(ids).not.toContain(row.apiKeyId)
    const createdAt = new Date(Date.now() - 2 * 60 * 60 * 1000)
    await api.db.connectedClient.update({ where: { id: row.id }, data: { createdAt } })
    await removeEndedConnections(api.db)
    expect(await api.db.apiKey.count({ where: { id: row.apiKeyId } })).toBe(0)
  })

  test('a connection whose tokens are over is removed at night where it was never used', async () => {
    const back = await decide(browser, await begin())
    const got = await exchanged(api, client, back.searchParams.get('code') ?? '')
    expect(got.status).toBe(200)
    const where = { lastRefreshAt: { not: null } }
    const orderBy = { createdAt: 'desc' } as const
    const { id, grantId } = await api.db.connectedClient.findFirstOrThrow({ where, orderBy })
    await removeEndedConnections(api.db)
    expect(await api.db.connectedClient.count({ where: { id } })).toBe(1)
    const expiresAt = new Date(Date.now() - 1000)
    await api.db.oAuthRecord.updateMany({ where: { grantId }, data: { expiresAt } })
    await removeEndedConnections(api.db)
    expect(await api.db.connectedClient.count({ where: { id } })).toBe(0)
  })

  test('a code is of no use to who has seen it alone', async () => {
    const back = await decide(browser, await begin())
    const code = back.searchParams.get('code') ?? ''
    const stolen = await postForm(api, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: client,
      code,
      redirect_uri: 'http://127.0.0.1:9/callback',
      code_verifier: 'x'.repeat(43),
    })
    expect(await stolen.json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('clients that nobody connected are forgotten after a week', async () => {
    const unused = await newClient(api)
    const week = 7 * 24 * 60 * 60_000
    await removeEndedConnections(api.db, new Date(Date.now() + week - 60_000))
    const count = () => api.db.oAuthClient.count({ where: { id: unused } })
    expect(await count()).toBe(1)
    await removeEndedConnections(api.db, new Date(Date.now() + week + 60_000))
    expect(await count()).toBe(0)
  })

  test('a code works once, and its second use ends the connection', async () => {
    const back = await decide(browser, await begin())
    const code = back.searchParams.get('code') ?? ''
    const got = await exchanged(api, client, code)
    const { access_token: token } = (await got.json()) as { access_token: string }
    expect(await statusOf(callWith(api, token))).toBe(200)
    expect(await statusOf(exchanged(api, client, code))).toBe(400)
    expect(await statusOf(callWith(api, token))).toBe(401)
  })
})

describe('refresh tokens rotate', () => {
  interface Pair {
    readonly access_token: string
    readonly refresh_token: string
  }

  async function connected() {
    const { auth } = await connectByOAuth(api, browser)
    return { own: auth.info?.client_id ?? '', first: auth.kept as Pair }
  }

  test('five processes refresh at once, and each gets a pair that works', async () => {
    const { own, first } = await connected()
    const pairs = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const reply = await refreshed(api, own, first.refresh_token)
        expect(reply.status).toBe(200)
        return (await reply.json()) as Pair
      }),
    )
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(5)
    for (const { access_token, refresh_token } of pairs) {
      expect(await statusOf(callWith(api, access_token))).toBe(200)
      expect(await statusOf(refreshed(api, own, refresh_token))).toBe(200)
    }
  })

  test('a use three minutes after the first ends the connection, and the audit trail says so', async () => {
    const { own, first } = await connected()
    const next = (await (await refreshed(api, own, first.refresh_token)).json()) as Pair
    const consumedAt = new Date(Date.now() - 3 * 60_000)
    const used = { kind: 'RefreshToken', consumedAt: { not: null } }
    await api.db.oAuthRecord.updateMany({ where: used, data: { consumedAt } })
    const reused = await refreshed(api, own, first.refresh_token)
    expect(await reused.json()).toMatchObject({ error: 'invalid_grant' })
    expect(await statusOf(callWith(api, next.access_token))).toBe(401)
    expect(await statusOf(refreshed(api, own, next.refresh_token))).toBe(400)
    const { apiKeyId } = await api.db.connectedClient.findFirstOrThrow({
      where: { clientId: own },
    })
    const entries = await api.db.auditEntry.findMany({
      where: { subjectId: apiKeyId },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ action }) => action)).toEqual([
      'key.create',
      'key.tokenReused',
      'key.revoke',
    ])
  })

  test('one that was used when a process ended, before there was another one, works on', async () => {
    const { own, first } = await connected()
    const { grantId } = await api.db.connectedClient.findFirstOrThrow({ where: { clientId: own } })
    // As after a kill between the use and the next pair, an hour after the last pair.
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    await api.db.connectedClient.update({ where: { grantId }, data: { lastRefreshAt: ago(60) } })
    const kept = { grantId, kind: 'RefreshToken' }
    const used = { consumedAt: ago(3) }
    await api.db.oAuthRecord.updateMany({ where: kept, data: used })
    const again = () => statusOf(refreshed(api, own, first.refresh_token))
    expect(await Promise.all([again(), again(), again()])).toEqual([200, 200, 200])
    // Now there is another one.
    await api.db.oAuthRecord.updateMany({ where: kept, data: used })
    expect(await again()).toBe(400)
  })

  test('tokens are stored by their hash alone', async () => {
    const { first } = await connected()
    const rows = await api.db.oAuthRecord.findMany()
    expect(rows.length).toBeGreaterThan(0)
    const text = JSON.stringify(rows)
    expect(text).not.toContain(first.access_token)
    expect(text).not.toContain(first.refresh_token)
  })
})
