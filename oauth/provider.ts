import { createPrivateKey, hash, hkdfSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Provider, { errors, interactionPolicy, type JWK } from 'oidc-provider'
import type { Log } from '../core/log.ts'
import type { PrivateHost } from '../core/sites/private-hosts.ts'
import type { Db } from '../prisma/client.ts'
import { recordAdapter } from './adapter.ts'
import { documentFetch, isWithin, limitFetches } from './clients.ts'
import { audienceOf, connectionScopes, isAudience } from './resources.ts'

export interface ProviderParts {
  readonly baseUrl: string
  readonly db: Db
  readonly signingSecrets: readonly [string, ...string[]]
  readonly privateHosts: readonly PrivateHost[]
  /** The address that a request comes from. */
  readonly clientOf: (request: IncomingMessage) => string
  readonly log: Log
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Seconds that a person has to decide. */
const interactionSeconds = 30 * minute

/** Where the person decides. Its cookie is for this path alone. */
const connectPath = '/connect'

/** A key of its own for each purpose, the same in each process. */
const keyOf = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', `sightline oauth ${purpose}`, 32))

/** What a private key of Ed25519 begins with in PKCS #8, before its 32 bytes. @see RFC 8410, section 7 */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function signingKey(secret: string): JWK {
  const key = Buffer.concat([ed25519Prefix, keyOf(secret, 'signing')])
  const jwk = createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
  return { ...(jwk as JWK), use: 'sig', alg: 'EdDSA' }
}

const style =
  'body{font:16px/1.6 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}:root{color-scheme:light dark}'
const styleHash = hash('sha256', style, 'base64')

const escaped = (text: string) => text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** The page of a request that cannot lead back to its client. */
const errorPage = (message: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sightline: not connected</title><style>${style}</style></head><body><main><h1>Not connected</h1><p>${escaped(message)}</p><p>Go back to your AI client and connect it again.</p></main></body></html>`

const errorPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** Asks the person each time: nothing is remembered of the last one. */
function alwaysAsk(): interactionPolicy.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy
  const policy = base()
  policy.clear()
  const isUndecided = (ctx: { oidc: { result?: { consent?: object | undefined } | undefined } }) =>
    ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
  const check = new Check(
    'undecided',
    'the person has not decided',
    'consent_required',
    isUndecided,
  )
  policy.add(new Prompt({ name: 'consent', requestable: true }, check))
  policy.add(new Prompt({ name: 'login', requestable: true }))
  return policy
}

/** The authorization server. It issues opaque tokens for the tool server and nothing else. */
export function openProvider(parts: ProviderParts): Provider {
  const { baseUrl, db, signingSecrets, privateHosts, clientOf, log } = parts
  const fetches = limitFetches()
  const { port, protocol } = new URL(baseUrl)
  // Services on other ports of a machine share its cookies.
  const cookie = (name: string) => `sightline-${name}${port && `-${port}`}`
  const cookies = {
    httpOnly: true,
    sameSite: 'lax',
    secure: protocol === 'https:',
    signed: true,
  } as const
  const provider = new Provider(baseUrl, {
    adapter: recordAdapter({
      db,
      signingSecrets,
      whyEnding: () => (Provider.ctx?.oidc.route === 'revocation' ? 'revoked' : 'reused'),
      codeUsed: () => new errors.InvalidGrant('authorization code already used'),
    }),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
    },
    jwks: { keys: [signingKey(signingSecrets[0])] },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    cookies: {
      keys: signingSecrets.map((secret) => keyOf(secret, 'cookies').toString('base64url')),
      names: {
        session: cookie('oauth'),
        interaction: cookie('connect'),
        resume: cookie('connect-resume'),
      },
      long: cookies,
      short: cookies,
    },
    scopes: [...connectionScopes, 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'EdDSA',
      response_types: ['code'],
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (ctx) => isWithin(fetches, clientOf(ctx.req)),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) =>
          (Array.isArray(oneOf) ? oneOf[0] : oneOf) ?? audienceOf(baseUrl),
        getResourceServerInfo: (_ctx, resource) => {
          if (!isAudience(baseUrl, resource)) throw new errors.InvalidTarget()
          return {
            scope: connectionScopes.join(' '),
            audience: audienceOf(baseUrl),
            accessTokenFormat: 'opaque',
            accessTokenTTL: hour,
          }
        },
      },
    },
    fetch: documentFetch(privateHosts) as typeof fetch,
    formats: { bitsOfOpaqueRandomness: 256 },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: minute,
      // A connection ends with its key; within that, after thirty days without a refresh.
      RefreshToken: 30 * day,
      Interaction: interactionSeconds,
      Session: interactionSeconds,
      IdToken: hour,
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId)
    },
    findAccount: async (_ctx, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
    interactions: {
      policy: alwaysAsk(),
      url: (_ctx, { uid }) => `${connectPath}/${uid}`,
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.set('Content-Security-Policy', errorPolicy)
      ctx.set('X-Content-Type-Options', 'nosniff')
      ctx.set('Referrer-Policy', 'no-referrer')
      ctx.type = 'html'
      ctx.body = errorPage(description ?? error)
    },
  })
  // The address is that of `PUBLIC_URL`, whatever way the request came: the door sets the header.
  provider.proxy = true
  provider.on('server_error', (_ctx, err) =>
    log.error({ err }, 'a request to connect an AI client failed'),
  )
  return provider
}
