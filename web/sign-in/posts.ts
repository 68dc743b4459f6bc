import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Begun, Principal } from '../../core/access.ts'
import { check } from '../../core/check.ts'
import { Fault, notFound } from '../../core/errors.ts'
import { pageKeyPath } from '../key.ts'
import type { OpenedSignIn } from './open.ts'

/** What a page gets, beside the cookie. */
export interface Posted {
  readonly status: 200 | 204
  readonly body?: object
  readonly cookie?: string
}

/** A request of a page. */
export interface Post {
  readonly request: IncomingMessage
  /** @throws {Fault} */
  body(): Promise<Record<string, unknown>>
  /** Who asks, by the session of the browser; undefined for nobody. */
  visitor(): Promise<Principal | undefined>
  /** The id of the key in the `Authorization` header. @throws {Fault} `unauthorized` */
  keyId(): Promise<string>
}

export interface PostParts {
  readonly signIn: OpenedSignIn
  /** The address that a request comes from. */
  clientOf(request: IncomingMessage): string
  redeem(code: string): Promise<{ readonly userId: string } | { readonly key: string }>
  beginForUser(userId: string, browser: string | undefined): Promise<Begun | null>
  beginForKey(keyId: string, browser: string | undefined): Promise<Begun>
  end(token: string): Promise<void>
  byPassword(input: unknown, from: Origin): Promise<Begun>
  /** Absent where the service sends no mail. */
  askForReset?(input: unknown, client: string): Promise<void>
  resetPassword(input: unknown, browser: string | undefined): Promise<Begun>
  changePassword(principal: Principal, input: unknown, address: string): Promise<void>
  passkeyOptions(place: Place): Promise<object>
  byPasskey(place: Place, input: unknown, browser: string | undefined): Promise<Begun>
  newPasskeyOptions(principal: Principal, place: Place): Promise<object>
  addPasskey(principal: Principal, place: Place, input: unknown): Promise<void>
  showInvitation(token: string, visitor: Principal | undefined): Promise<object>
  invitedPasskeyOptions(token: string, place: Place): Promise<object>
  acceptByLink(token: string, input: unknown, by: Acceptance): Promise<Begun | null>
}

/** Where a request comes from. */
interface Origin {
  readonly address: string
  readonly browser: string | undefined
}

/** The origin of a page. */
interface Place {
  readonly origin: string
}

interface Acceptance {
  readonly visitor: Principal | undefined
  readonly place: Place
  readonly browser: string | undefined
}

const codeSchema = z.object({ code: z.string() })
const tokenSchema = z.object({ token: z.string() })

/** What pages of this service send to begin and to end a session, by path. */
export function signInPosts(parts: PostParts): Readonly<Record<string, Handler>> {
  const { signIn, end } = parts

  /** A browser has one session: the one before ends, whoever began it. */
  async function began({ request }: Post, begun: Begun, body?: object): Promise<Posted> {
    const before = signIn.tokenOf(request)
    if (before !== undefined) await end(before)
    const rest = { cookie: signIn.cookieOf(begun) }
    return body ? { status: 200, body, ...rest } : { status: 204, ...rest }
  }

  const browserOf = ({ request }: Post) => request.headers['user-agent']

  return {
    async [pageKeyPath](post) {
      const subject = await parts.redeem(check(codeSchema, await post.body()).code)
      if ('key' in subject) return { status: 200, body: subject }
      const begun = await parts.beginForUser(subject.userId, browserOf(post))
      if (begun === null) throw notFound()
      return began(post, begun, { key: null })
    },
    '/sign-in/key': async (post) =>
      began(post, await parts.beginForKey(await post.keyId(), browserOf(post))),
    async '/sign-in/password'(post) {
      const from = { address: parts.clientOf(post.request), browser: browserOf(post) }
      return began(post, await parts.byPassword(await post.body(), from))
    },
    async '/sign-in/forgotten'(post) {
      if (!parts.askForReset) throw notFound()
      await parts.askForReset(await post.body(), parts.clientOf(post.request))
      return { status: 204 }
    },
    async '/reset/password'(post) {
      return began(post, await parts.resetPassword(await post.body(), browserOf(post)))
    },
    '/sign-in/passkey/options': async ({ request }) => ({
      status: 200,
      body: await parts.passkeyOptions(placeOf(request)),
    }),
    async '/sign-in/passkey'(post) {
      const place = placeOf(post.request)
      return began(post, await parts.byPasskey(place, await post.body(), browserOf(post)))
    },
    async '/account/password'(post) {
      const address = parts.clientOf(post.request)
      await parts.changePassword(await personOf(post), await post.body(), address)
      return { status: 204 }
    },
    '/account/passkey/options': async (post) => ({
      status: 200,
      body: await parts.newPasskeyOptions(await personOf(post), placeOf(post.request)),
    }),
    async '/account/passkey'(post) {
      const place = placeOf(post.request)
      await parts.addPasskey(await personOf(post), place, await post.body())
      return { status: 204 }
    },
    async '/join/invitation'(post) {
      const { token } = check(tokenSchema, await post.body())
      return { status: 200, body: await parts.showInvitation(token, await post.visitor()) }
    },
    async '/join/passkey/options'(post) {
      const { token } = check(tokenSchema, await post.body())
      const body = await parts.invitedPasskeyOptions(token, placeOf(post.request))
      return { status: 200, body }
    },
    async '/join/accept'(post) {
      const { token, ...input } = check(acceptSchema, await post.body())
      const visitor = await post.visitor()
      const by = { visitor, place: placeOf(post.request), browser: browserOf(post) }
      const begun = await parts.acceptByLink(token, input, by)
      return begun ? began(post, begun) : { status: 204 }
    },
    async '/sign-out'({ request }) {
      const token = signIn.tokenOf(request)
      if (token !== undefined) await end(token)
      return { status: 204, cookie: signIn.noCookie }
    },
  }
}

const acceptSchema = z.looseObject({ token: z.string() })

/** The origin of the page that sent the request: a page of this service. */
const placeOf = ({ headers }: IncomingMessage): Place => {
  const { origin } = headers
  if (origin === undefined) throw new Fault('forbidden', 'The request must name its `Origin`.')
  return { origin }
}

async function personOf(post: Post): Promise<Principal> {
  const visitor = await post.visitor()
  if (visitor) return visitor
  throw new Fault('unauthorized', 'Sign in first.')
}

type Handler = (post: Post) => Promise<Posted>

/** @throws {Fault} `forbidden` for a request that no page of this service sent */
export function requireOwnPage(signIn: OpenedSignIn, request: IncomingMessage): void {
  if (signIn.isOwnPage(request)) return
  throw new Fault('forbidden', 'Only the pages of this service may do this.')
}
