import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
import type { TestApi } from './api.ts'
import { eras } from './tools.ts'

/** What a person decides on the page that asks. */
export interface Decision {
  readonly decision?: 'allow' | 'deny'
  readonly write?: boolean
  readonly draft?: boolean
  readonly projectId?: string | null
  readonly days?: number
}

const usual = { decision: 'allow', write: false, draft: false, projectId: null, days: 30 }

/** Nothing listens there: the browser of the test does not go on. */
const redirectUrl = 'http://127.0.0.1:9/callback'

/** A browser in which a person has signed in. It follows no redirect by itself. */
export function browserOf(api: Pick<TestApi, 'url'>, token: string) {
  const { port } = new URL(api.url)
  const jar = new Map([[`sightline-session-${port}`, token]])
  return async (path: string | URL, body?: object): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, api.url), {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        ...(body && { 'content-type': 'application/json', origin: api.url }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
}

export type Browser = ReturnType<typeof browserOf>

export const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** Opens the address that a client leads to. @returns the path of the page that asks */
export async function openConsent(browser: Browser, authorizeUrl: URL): Promise<string> {
  const page = locationOf(await browser(authorizeUrl))
  expect(page).toMatch(/^\/connect\//)
  return page
}

/** Decides on the page that asks. @returns the address that the browser is sent back to */
export async function decide(browser: Browser, page: string, decision: Decision = {}) {
  const decided = await browser(page, { ...usual, ...decision })
  expect(decided.status).toBe(200)
  const { to } = (await decided.json()) as { to: string }
  return new URL(locationOf(await browser(to)))
}

/** A client that keeps its registration and its tokens in memory, as a program does in a file. */
class MemoryAuth implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl
  asked: URL | undefined
  info: StoredOAuthClientInformation | undefined
  kept: StoredOAuthTokens | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  get clientMetadata() {
    return {
      client_name: 'Claude',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'claudeai read',
      logo_uri: 'http://169.254.169.254/logo.png',
    }
  }
  clientInformation = () => this.info
  saveClientInformation(info: StoredOAuthClientInformation) {
    this.info = info
  }
  tokens = () => this.kept
  saveTokens(tokens: StoredOAuthTokens) {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state
  }
  discoveryState = () => this.#discovered
}

/** Connects the official client as a person does, from the first refusal to the first answer. */
export async function connectByOAuth(
  api: TestApi,
  browser: Browser,
  { era = 'modern', ...decision }: Decision & { readonly era?: keyof typeof eras } = {},
) {
  const auth = new MemoryAuth()
  const transportOf = () =>
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { authProvider: auth })
  const clientOf = () =>
    new Client({ name: 'test', version: '1' }, { versionNegotiation: eras[era] })
  const first = transportOf()
  await expect(clientOf().connect(first)).rejects.toThrow(UnauthorizedError)
  const page = await openConsent(browser, auth.asked as URL)
  const back = await decide(browser, page, decision)
  await first.finishAuth(back.searchParams)
  const client = clientOf()
  await client.connect(transportOf())
  onTestFinished(() => client.close())
  return { client, auth }
}

/** Calls the tool server with a bearer, by hand. */
export const callWith = (api: Pick<TestApi, 'url'>, token: string) =>
  fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'query_graph', arguments: { document: currentKey } },
    }),
  })

const currentKey = '{ currentKey { scopes capabilities } projects { nodes { id } } }'

/** Sends a form, as clients do to the token endpoint. */
export const postForm = (api: Pick<TestApi, 'url'>, path: string, form: Record<string, string>) =>
  fetch(api.url + path, { method: 'POST', body: new URLSearchParams(form) })

/** Registers a client by hand. */
export const register = (api: Pick<TestApi, 'url'>, metadata: object) =>
  fetch(`${api.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })

/** The code verifier and its challenge of RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** The address that a client leads a browser to. An empty parameter is left out. */
export function authorizeUrl(
  api: Pick<TestApi, 'url'>,
  clientId: string,
  changed: Record<string, string> = {},
): URL {
  const asked = new URL('/oauth/authorize', api.url)
  const query = {
    client_id: clientId,
    redirect_uri: redirectUrl,
    response_type: 'code',
    scope: 'read',
    state: 'abc',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${api.url}/mcp`,
    ...changed,
  }
  for (const [name, value] of Object.entries(query)) if (value) asked.searchParams.set(name, value)
  return asked
}

/** Registers a client as the official one does. @returns its id */
export async function newClient(api: Pick<TestApi, 'url'>): Promise<string> {
  const registered = await register(api, new MemoryAuth().clientMetadata)
  return ((await registered.json()) as { client_id: string }).client_id
}

export const exchanged = (
  api: Pick<TestApi, 'url'>,
  clientId: string,
  code: string,
  redirect = redirectUrl,
) =>
  postForm(api, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
  })

export const refreshed = (api: Pick<TestApi, 'url'>, clientId: string, token: string) =>
  postForm(api, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
  })
