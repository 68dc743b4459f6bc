import type { Configuration } from 'openid-client'
import { type GoogleReach, GoogleRefusal, placed } from './google.ts'

/** What a person allows: to read, and to say who they are. */
export const googleScopes = {
  searchConsole: 'https://www.googleapis.com/auth/webmasters.readonly',
  webAnalytics: 'https://www.googleapis.com/auth/analytics.readonly',
} as const

const askedScopes = ['openid', 'email', ...Object.values(googleScopes)]

/** The OAuth client of a workspace. */
export interface GoogleClientSecret {
  readonly clientId: string
  readonly secret: string
}

/** An account that a person has signed in with. */
export interface SignedInAccount {
  readonly email: string
  readonly refreshToken: string
  readonly scopes: readonly string[]
}

const timeoutSeconds = 15

/**
 * Google's own addresses, as its discovery document lists them.
 * @see https://accounts.google.com/.well-known/openid-configuration
 */
const endpoints = {
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
}

async function configured({ clientId, secret }: GoogleClientSecret, reach: GoogleReach) {
  const oidc = await import('openid-client')
  const server = { issuer: 'https://accounts.google.com' }
  const addresses = Object.entries(endpoints).map(([name, url]) => [name, placed(reach, url).href])
  const config = new oidc.Configuration(
    { ...server, ...Object.fromEntries(addresses) },
    clientId,
    secret,
  )
  config.timeout = timeoutSeconds
  if (reach.baseUrl?.startsWith('http:')) oidc.allowInsecureRequests(config)
  return { oidc, config }
}

/** A new secret of one sign-in, which stays with the service until Google sends the person back. */
export async function newVerifier(): Promise<string> {
  return (await import('openid-client')).randomPKCECodeVerifier()
}

/** The page of Google that asks a person to sign in and to allow reading. */
export async function googleSignInPage(
  client: GoogleClientSecret,
  attempt: { readonly state: string; readonly verifier: string; readonly redirectUri: string },
  reach: GoogleReach,
): Promise<string> {
  const { oidc, config } = await configured(client, reach)
  return oidc.buildAuthorizationUrl(config, {
    redirect_uri: attempt.redirectUri,
    scope: askedScopes.join(' '),
    state: attempt.state,
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    access_type: 'offline',
    // Google gives a refresh token only where it asks the person.
    prompt: 'consent',
  }).href
}

/**
 * The account of a person who came back from Google.
 * @param returned the address that Google sent the person to
 * @throws {GoogleRefusal} where Google refuses the code, or gives no lasting access
 */
export async function redeemGoogleCode(
  client: GoogleClientSecret,
  returned: URL,
  attempt: { readonly state: string; readonly verifier: string },
  reach: GoogleReach,
): Promise<SignedInAccount> {
  const { oidc, config } = await configured(client, reach)
  const tokens = await oidc
    .authorizationCodeGrant(config, returned, {
      expectedState: attempt.state,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
    .catch((error: unknown) => refuse(oidc, config, error))
  const email = tokens.claims()?.email
  const { refresh_token: refreshToken, scope = '' } = tokens
  if (typeof email !== 'string' || refreshToken === undefined) {
    throw new GoogleRefusal('scopeMissing', 'Google gave no lasting access: sign in once more.')
  }
  return { email, refreshToken, scopes: scope.split(' ').filter((each) => each !== '') }
}

/** Access ends before Google's clock says so. */
const earlyMs = 60_000

/**
 * Gives access tokens of an account, each for as long as it lasts.
 * @throws {GoogleRefusal} `signInEnded` where the access was revoked or has expired
 */
export function accessTokens(
  client: GoogleClientSecret,
  refreshToken: string,
  reach: GoogleReach,
): () => Promise<string> {
  let known: { readonly token: string; readonly until: number } | undefined
  return async () => {
    if (known && Date.now() < known.until) return known.token
    const { oidc, config } = await configured(client, reach)
    const tokens = await oidc
      .refreshTokenGrant(config, refreshToken)
      .catch((error: unknown) => refuse(oidc, config, error))
    const lastsMs = (tokens.expires_in ?? 300) * 1000 - earlyMs
    known = { token: tokens.access_token, until: Date.now() + lastsMs }
    return known.token
  }
}

/** Gives an access back to Google. That it had ended already is no fault. */
export async function revokeGoogle(
  client: GoogleClientSecret,
  refreshToken: string,
  reach: GoogleReach,
): Promise<void> {
  const { oidc, config } = await configured(client, reach)
  await oidc.tokenRevocation(config, refreshToken)
}

const said: Readonly<Record<string, string>> = {
  invalid_grant:
    'Google ended the sign-in: it was revoked or has expired. A client in the status “Testing” loses it after 7 days.',
  invalid_client: 'Google does not know the client, or its secret is wrong.',
  unauthorized_client: 'Google does not let the client sign people in.',
}

/** Never shows a token: the message is ours, or Google's own code. */
function refuse(
  oidc: typeof import('openid-client'),
  config: Configuration,
  cause: unknown,
): never {
  const issuer = config.serverMetadata().issuer
  if (cause instanceof oidc.ResponseBodyError || cause instanceof oidc.AuthorizationResponseError) {
    const { error } = cause
    throw new GoogleRefusal('signInEnded', said[error] ?? `${issuer} answered \`${error}\`.`, {
      cause,
    })
  }
  throw new GoogleRefusal('unavailable', `${issuer} did not answer as it should.`, { cause })
}
