import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import {
  type Browser,
  browserOf,
  callWith,
  connectByOAuth,
  type Decision,
  postForm,
  refreshed,
} from '../kit/oauth.ts'
import { callTool } from '../kit/tools.ts'
import { freePort } from '../kit/web/free-port.ts'

const api = useApi({ PORT: String(await freePort()) })
let workspace: TestWorkspace
let project = ''
let other = ''
let browser: Browser

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  other = await workspace.project({ name: 'Other', domain: 'other.com' })
  browser = browserOf(api, await workspace.session())
})

/** The access token of a connection, and its rows. */
async function connected(decision: Decision = {}) {
  const { auth } = await connectByOAuth(api, browser, decision)
  const { access_token: token = '', refresh_token: refresh = '' } = auth.kept ?? {}
  const client = auth.info?.client_id ?? ''
  const row = await api.db.connectedClient.findFirstOrThrow({ where: { clientId: client } })
  return { token, refresh, client, ...row }
}

/** What a tool says of the key that a bearer acts with. */
async function keyOf(token: string) {
  const reply = await callWith(api, token)
  if (reply.status !== 200) return reply.status
  // Without the headers of the newest revision the answer is a stream of one event.
  const [, event = ''] = /^data: (.*)$/m.exec(await reply.text()) ?? []
  const { result } = JSON.parse(event) as { result: { structuredContent: { data: Key } } }
  const { currentKey, projects } = result.structuredContent.data
  return { ...currentKey, projects: projects.nodes.map(({ id }) => id).sort() }
}

interface Key {
  readonly currentKey: { readonly scopes: string[]; readonly capabilities: string[] }
  readonly projects: { readonly nodes: readonly { readonly id: string }[] }
}

test.each(['modern', 'legacy'] as const)(
  'the official client of the %s era connects from a refusal to a tool',
  async (era) => {
    const { client, auth } = await connectByOAuth(api, browser, { era })
    const { structure } = await callTool(client, 'list_projects')
    expect(structure).toMatchObject({ page: { total: 2 } })
    expect(auth.kept).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' })
  },
)

test('a refusal says where a token is to be had, and both places of the metadata say the same', async () => {
  const refused = await callWith(api, '')
  expect(refused.status).toBe(401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const place = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
  expect(place).toBe(`${api.url}/.well-known/oauth-protected-resource/mcp`)
  const about = await (await fetch(place)).json()
  expect(about).toMatchObject({
    resource: `${api.url}/mcp`,
    authorization_servers: [api.url],
    scopes_supported: ['read'],
  })
  expect(await (await api.get('/.well-known/oauth-protected-resource')).json()).toEqual(about)
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const server = await (await api.get(`/.well-known/${name}`)).json()
    expect(server).toMatchObject({
      issuer: api.url,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      registration_endpoint: `${api.url}/oauth/register`,
    })
  }
})

describe('a connection has the rights of its key', () => {
  test.each([
    ['reads all', {}, ['read'], []],
    ['writes', { write: true }, ['read', 'write'], []],
    ['drafts prompts', { draft: true }, ['read'], ['prompt_draft']],
  ])('%s', async (_what, decision, scopes, capabilities) => {
    const { token } = await connected(decision)
    expect(await keyOf(token)).toEqual({ scopes, capabilities, projects: [project, other].sort() })
  })

  test('reaches one project where the person chose one', async () => {
    const { token } = await connected({ projectId: other })
    expect(await keyOf(token)).toMatchObject({ projects: [other] })
  })
})

test('REST and GraphQL refuse a token', async () => {
  const { token } = await connected()
  expect((await api.get('/api/mcp/projects', token)).status).toBe(401)
  expect((await api.graphql('{ projects { totalCount } }', token)).status).toBe(401)
})

test('a token that was issued for another place is refused', async () => {
  const { token, grantId } = await connected()
  const where = { grantId, kind: 'AccessToken' }
  const { payload } = await api.db.oAuthRecord.findFirstOrThrow({ where })
  const elsewhere = { ...(payload as object), aud: 'https://other.example/mcp' }
  await api.db.oAuthRecord.updateMany({ where, data: { payload: elsewhere } })
  expect(await keyOf(token)).toBe(401)
})

describe('a connection ends as a key does', () => {
  test('revoked, with its grant', async () => {
    const { token, refresh, client, apiKeyId, grantId } = await connected()
    const owner = (await workspace.key({ scopes: ['admin'] })).key
    const revoked = `mutation { revokeKey(workspaceId: "${workspace.id}", keyId: "${apiKeyId}") { ...on WorkspaceChange { changed } } }`
    expect((await api.graphql(revoked, owner)).status).toBe(200)
    expect(await keyOf(token)).toBe(401)
    expect((await refreshed(api, client, refresh)).status).toBe(400)
    expect(await api.db.oAuthRecord.count({ where: { grantId } })).toBe(0)
  })

  test('expired', async () => {
    const { token, refresh, client, apiKeyId } = await connected()
    const expiresAt = new Date(Date.now() - 1000)
    await api.db.apiKey.update({ where: { id: apiKeyId }, data: { expiresAt } })
    expect(await keyOf(token)).toBe(401)
    expect((await refreshed(api, client, refresh)).status).toBe(400)
  })

  test('blocked, until the owner lets it in again', async () => {
    const { token, apiKeyId } = await connected()
    const block = { workspaceId: workspace.id, apiKeyId }
    await api.db.keyBlock.create({ data: block })
    expect(await keyOf(token)).toMatchObject({ projects: [] })
    await api.db.keyBlock.delete({ where: { workspaceId_apiKeyId: block } })
    expect(await keyOf(token)).toMatchObject({ projects: [project, other].sort() })
  })

  test('when its person is no member any more', async () => {
    const home = await api.workspace()
    await home.project()
    const leaving = browserOf(api, await home.session())
    const { auth } = await connectByOAuth(api, leaving)
    const token = auth.kept?.access_token ?? ''
    expect(await keyOf(token)).toMatchObject({ projects: [expect.any(String)] })
    await api.db.membership.deleteMany({ where: { workspaceId: home.id } })
    expect(await keyOf(token)).toMatchObject({ projects: [] })
  })

  test('by its client at /oauth/revoke', async () => {
    const { token, refresh, client, apiKeyId } = await connected()
    const sent = await postForm(api, '/oauth/revoke', { client_id: client, token: refresh })
    expect(sent.status).toBe(200)
    expect(await keyOf(token)).toBe(401)
    const key = await api.db.apiKey.findUniqueOrThrow({ where: { id: apiKeyId } })
    expect(key.revokedAt).not.toBeNull()
  })
})
