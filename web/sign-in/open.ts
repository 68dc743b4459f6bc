import type { IncomingMessage } from 'node:http'
import { type Begun, sessionMs } from '../../core/access.ts'
import type { Log } from '../../core/log.ts'
import { baseUrlOf, type Settings } from '../../core/settings.ts'
import { cookiesOf, isSameOrigin } from './cookies.ts'
import { issuerProblem } from './issuer.ts'
import { openProvider } from './provider.ts'
import { callbackPath, type SignInParts, signInHandler } from './serve.ts'

/** The cookies of sessions, and the sign-in by the provider of `OIDC_ISSUER`, where there is one. */
export function openSignIn(
  settings: Settings,
  { log, ...parts }: Pick<SignInParts, 'signIn' | 'count'> & { readonly log: Log },
) {
  const baseUrl = baseUrlOf(settings)
  const cookies = cookiesOf(baseUrl)
  const isOwnPage = (request: IncomingMessage) => isSameOrigin(request, baseUrl)
  const tokenOf = (request: IncomingMessage) =>
    request.headers.cookie === undefined ? undefined : cookies.read(request, 'session')
  const cookieOf = ({ token }: Begun) => cookies.set('session', token, sessionMs / 1000)
  const session = {
    baseUrl,
    cookies,
    isOwnPage,
    /** The token that the browser sent, whoever made it send the request. */
    tokenOf,
    /** The token of the session of the page that sent the request. A request with a key has no use for it. */
    sessionOf: (request: IncomingMessage) =>
      request.headers.authorization === undefined && isOwnPage(request)
        ? tokenOf(request)
        : undefined,
    /** The header that gives the browser its session. */
    cookieOf,
    /** The header that takes it away. */
    noCookie: cookies.set('session', '', 0),
  }
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = settings
  if (issuer === undefined || clientId === undefined) {
    return { ...session, hasOrganisation: false, serve: async () => false }
  }
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
    ...session,
    hasOrganisation: true,
    serve: signInHandler({
      ...parts,
      ...session,
      provider,
      onError: (err) => log.warn({ err }, 'a sign-in by the provider of OIDC_ISSUER failed'),
    }),
  }
}

export type OpenedSignIn = ReturnType<typeof openSignIn>
