import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hashApiKey, isSessionToken } from '../../core/access.ts'
import { notFound } from '../../core/errors.ts'
import { onFirstCall } from '../../core/load/first-call.ts'
import { authenticate, isAlive } from '../../plugins/authentication.ts'
import { requestsPerWindow } from '../../plugins/limiter.ts'
import { takeRequest } from '../../plugins/rate-limit.ts'
import { createRequestState, type RequestState } from '../../plugins/request-state.ts'
import { followLink, showLink } from '../../resolvers/channels/links.ts'
import { redeemPageCode } from '../../resolvers/keys/page-codes.ts'
import { limitGuesses } from '../../resolvers/members/guesses.ts'
import {
  acceptByLink,
  invitedPasskeyOptions,
  showInvitation,
} from '../../resolvers/members/invitation-links.ts'
import { askForReset, limitResets, resetPassword } from '../../resolvers/members/mails.ts'
import {
  addPasskey,
  ownPasskeyOptions,
  passkeyOptions,
  signInByPasskey,
} from '../../resolvers/members/passkeys.ts'
import { changePassword, personOf, signInByPassword } from '../../resolvers/members/passwords.ts'
import {
  beginSession,
  renewSession,
  signIn,
  signInUser,
  signOut,
} from '../../resolvers/members/sessions.ts'
import { logoAt } from '../../resolvers/projects/logo.ts'
import { previewedPage, sharedPage } from '../../resolvers/reports/share.ts'
import { pathOf } from '../../rest/handler/address.ts'
import { readBody } from '../../rest/handler/body.ts'
import { responder } from '../../rest/handler/reply.ts'
import type { Visits } from '../../web/dashboard.ts'
import { googleReturnHandler } from '../../web/google-return.ts'
import { mailLinkHandler } from '../../web/mail-links.ts'
import { shareHandler, sharePrefix } from '../../web/share/serve.ts'
import { openSignIn } from '../../web/sign-in/open.ts'
import { requireOwnPage, signInPosts } from '../../web/sign-in/posts.ts'
import type { Running } from '../services.ts'
import type { Tools } from './tools.ts'

/** Passwords that may be tried on the link of one report in a minute, by all readers and from one address. */
const triesOfReport = 60
const triesOfAddress = 10

/** Shared reports, links of mails, and sign-in: what people open in a browser beside the dashboard. */
export function openPeople(running: Running, { oauth }: Tools) {
  const { clientOf, count, door, parts, services, settings } = running
  const { baseUrl, db, log } = services
  const failed = (message: string) => (err: unknown) => log.error({ err }, message)

  const share = shareHandler({
    find: (token) => sharedPage(services, token, (shown) => `${baseUrl}${sharePrefix}${shown}`),
    async proof(token) {
      const { sharedProof } = await import('../../resolvers/reports/proof.ts')
      return sharedProof(services, token)
    },
    preview: (token) => previewedPage(services, token),
    logo: (token) => logoAt(services, token),
    secret: services.signingSecrets[0],
    isSecure: baseUrl.startsWith('https:'),
    count,
    async countTry(request, reportId) {
      for (const [bucket, tries] of [
        [`password:${reportId}`, triesOfReport],
        [`password:${reportId}:${clientOf(request)}`, triesOfAddress],
      ] as const) {
        const refused = await takeRequest(parts.limiter, bucket, {}, requestsPerWindow / tries)
        if (refused) return refused.fault.headers['Retry-After']
      }
      return undefined
    },
    onError: failed('a shared report was not shown'),
  })
  const mailLinks = mailLinkHandler({
    show: (act, token) => showLink(db, services, act, token),
    follow: (act, token) => followLink(db, services, act, token),
    count,
    onError: failed('a link of a mail was not followed'),
  })

  const signingIn = openSignIn(settings, {
    signIn: (address, invitation, { headers }) =>
      signIn(db, address, invitation, headers['user-agent']),
    count,
    log,
  })
  // Few people connect Google, and its client is much.
  const finishGoogle = onFirstCall(async () => {
    const { finishGoogleSignIn } = await import('../../schema/connections/google-return.ts')
    return (asked: Parameters<typeof finishGoogleSignIn>[1]) => finishGoogleSignIn(services, asked)
  })
  const googleReturn = googleReturnHandler({
    baseUrl,
    visitor: (request) =>
      authenticate(
        parts,
        createRequestState({
          requestId: randomUUID(),
          session: signingIn.tokenOf(request),
          authorization: undefined,
          address: clientOf(request),
          idempotencyKeys: [],
          ifMatch: [],
        }),
      ).catch(() => undefined),
    finish: (principal, returned, state) => finishGoogle({ principal, returned, state }),
    count,
    onError: failed('a sign-in with Google failed'),
  })

  const guesses = limitGuesses()
  const resets = limitResets()
  const posts = signInPosts({
    clientOf,
    signIn: signingIn,
    byPassword: (input, from) => signInByPassword(db, guesses, input, from),
    ...(services.mail && {
      askForReset: (input: unknown, client: string) => askForReset(db, resets, input, client),
    }),
    resetPassword: (input, browser) => resetPassword(db, services, input, browser),
    changePassword: (principal, input, address) =>
      changePassword(db, guesses, principal, input, address),
    passkeyOptions: (place) => passkeyOptions(db, place),
    byPasskey: (place, input, browser) => signInByPasskey(db, place, input, browser),
    newPasskeyOptions: (principal, place) => ownPasskeyOptions(db, place, personOf(principal)),
    addPasskey: (principal, place, input) => addPasskey(db, place, personOf(principal), input),
    showInvitation: (token, visitor) => showInvitation(db, services, token, visitor),
    invitedPasskeyOptions: (token, place) => invitedPasskeyOptions(db, services, token, place),
    acceptByLink: (token, input, by) => acceptByLink(db, services, token, input, by),
    redeem: (code) => redeemPageCode(db, code),
    beginForUser: (userId, browser) => signInUser(db, userId, browser),
    beginForKey: (keyId, browser) => beginSession(db, keyId, browser),
    end: (token) => signOut(db, token),
  })
  const post = responder(door, async (request, state) => {
    await running.admitAddress(request, state.headers)
    requireOwnPage(signingIn, request)
    const visitor = () => authenticate(parts, state as RequestState)
    const posted = await posts[pathOf(request)]?.({
      request,
      body: () => readBody(request),
      keyId: async () => (await visitor()).keyId,
      visitor: () =>
        signingIn.sessionOf(request) === undefined
          ? Promise.resolve(undefined)
          : visitor().catch(() => undefined),
    })
    const { status = 404, body, cookie } = posted ?? {}
    const headers = cookie === undefined ? {} : { 'Set-Cookie': cookie }
    const text = body ? JSON.stringify(body) : ''
    return { status, contentType: 'application/json', body: text, headers }
  })
  const consent = responder(door, async (request, state) => {
    await running.admitAddress(request, state.headers)
    requireOwnPage(signingIn, request)
    if (!oauth) throw notFound()
    const principal = await authenticate(parts, state as RequestState)
    const body =
      request.method === 'POST'
        ? await oauth.decideConsent(request, principal, await readBody(request))
        : await oauth.showConsent(request, principal)
    return { status: 200, contentType: 'application/json', body: JSON.stringify(body) }
  })

  const visits: Visits = {
    hasOrganisation: signingIn.hasOrganisation,
    hasMail: services.mail !== null,
    async isSignedIn(request, response) {
      const token = signingIn.tokenOf(request)
      if (token === undefined || !isSessionToken(token)) return false
      try {
        const found = await parts.keyByHash(hashApiKey(token))
        if (!found?.sessionId || !found.rotatedAt || !isAlive(found)) return false
        const { sessionId: id, rotatedAt } = found
        const renewed = await renewSession(db, token, { id, rotatedAt })
        if (renewed) response.setHeader('Set-Cookie', signingIn.cookieOf(renewed))
      } catch (err) {
        // The page is shown all the same, and says that its numbers did not load.
        log.warn({ err }, 'a session was not renewed')
      }
      return true
    },
  }
  return {
    share,
    mailLinks,
    googleReturn,
    signingIn,
    visits,
    consent,
    /** Undefined where the path takes no POST of a page. */
    postAt: (request: IncomingMessage, path: string) =>
      request.method === 'POST' && path in posts ? post : undefined,
  }
}

export type People = ReturnType<typeof openPeople>
