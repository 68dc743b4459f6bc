import type { Configuration } from 'openid-client'

/** Secrets of one sign-in, which the browser keeps until the provider sends it back. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The page of this service to open at the end. */
  readonly to: string
  /** An invitation to accept. */
  readonly invitation: string
}

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
}

/** A provider of sign-ins, by OpenID Connect. */
export interface Provider {
  /** @returns the page of the provider, and what `finish` needs */
  begin(to: string, invitation: string): Promise<{ url: URL; attempt: Attempt }>
  /** @returns the e-mail address that the provider has verified; undefined where it has none */
  finish(returned: URL, attempt: Attempt): Promise<string | undefined>
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

const timeoutSeconds = 10

/** The client of OpenID Connect, loaded with the first sign-in. */
export function openProvider(settings: ProviderSettings): Provider {
  const { clientId, clientSecret, redirectUri } = settings
  const issuer = new URL(settings.issuer)
  let known: Promise<Configuration> | undefined

  async function configured() {
    const oidc = await import('openid-client')
    // The provider may be away at the first sign-in, and answer at the next.
    known ??= oidc
      .discovery(issuer, clientId, clientSecret, undefined, {
        timeout: timeoutSeconds,
        ...(isLoopback(issuer) && { execute: [oidc.allowInsecureRequests] }),
      })
      .catch((error: unknown) => {
        known = undefined
        throw error
      })
    return { oidc, config: await known }
  }

  return {
    async begin(to, invitation) {
      const { oidc, config } = await configured()
      const verifier = oidc.randomPKCECodeVerifier()
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier,
        to,
        invitation,
      }
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url, attempt }
    },
    async finish(returned, { state, nonce, verifier }) {
      const { oidc, config } = await configured()
      const tokens = await oidc.authorizationCodeGrant(config, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) return undefined
      // Many providers give the address by their second endpoint alone.
      const { email, email_verified: isVerified } =
        claims.email === undefined
          ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims
      return isVerified === true && typeof email === 'string' ? email : undefined
    },
  }
}
