import type { IncomingMessage } from 'node:http'
import type { Log } from '../../core/log.ts'
import { baseUrlOf, type Settings } from '../../core/settings.ts'
import { authorizationOf, cookiesOf } from './cookies.ts'
import { issuerProblem } from './issuer.ts'
import { openProvider } from './provider.ts'
import { callbackPath, type SignInParts, signInHandler } from './serve.ts'

/** The sign-in by the provider of `OIDC_ISSUER`. Without that setting no cookie counts, and the pages take keys alone. */
export function openSignIn(
  settings: Settings,
  { log, ...parts }: Pick<SignInParts, 'signIn' | 'signOut' | 'count'> & { readonly log: Log },
) {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = settings
  if (issuer === undefined || clientId === undefined) {
    return {
      isOn: false,
      serve: async () => false,
      authorizationOf: ({ headers }: IncomingMessage) => headers.authorization,
    }
  }
  const baseUrl = baseUrlOf(settings)
  const cookies = cookiesOf(baseUrl)
  const redirectUri = baseUrl + callbackPath
  issuerProblem(issuer).then((problem) => {
    if (problem !== undefined) {
      log.warn(
        { problem },
        'the provider of OIDC_ISSUER is away, and sign-ins fail until it answers',
      )
    }
  })
  const provider = openProvider({ issuer, clientId, clientSecret, redirectUri })
  return {
    isOn: true,
    serve: signInHandler({
      ...parts,
      baseUrl,
      cookies,
      provider,
      onError: (err) => log.warn({ err }, 'a sign-in by the provider of OIDC_ISSUER failed'),
    }),
    authorizationOf: (request: IncomingMessage) => authorizationOf(request, baseUrl, cookies),
  }
}
