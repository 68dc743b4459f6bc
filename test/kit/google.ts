import { createHash, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Body = Record<string, unknown>
type Answer = { readonly status?: number; readonly body: unknown }

/** Google's sign-in and APIs on the loopback, with a service account and an OAuth client that they know. */
export interface FakeGoogle {
  readonly url: string
  /** With it, a process reaches this server at Google's addresses. */
  readonly env: Readonly<Record<string, string>>
  /** The text of the key file. */
  readonly credentials: string
  readonly client: { readonly clientId: string; readonly secret: string }
  /** What was asked since the last time, without tokens. A GET has no body. */
  taken(): { path: string; body: Body }[]
  /** What is answered from now on, in turn; the last stays. */
  answer(...answers: ((body: Body, path: string) => Answer)[]): void
  /** A person who allows what was asked for on the page of Google. @returns where Google sends the person back to */
  allow(page: string, scopes?: readonly string[]): string
  /** Takes all tokens back that people have allowed. */
  revoke(): void
  /** The refresh tokens that are valid now. */
  refreshTokens(): string[]
  close(): Promise<void>
}

const issuer = 'reader@project.iam.gserviceaccount.com'
const client = { clientId: '42-test.apps.googleusercontent.com', secret: 'GOCSPX-very-secret' }

/** The account that people sign in with. */
export const googleEmail = 'ana@example.com'

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The error body of Google's APIs. @see https://google.aip.dev/193 */
export const googleError =
  (status: number, reason = '', message = 'No.') =>
  () => ({
    status,
    body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
  })

export async function startGoogle(): Promise<FakeGoogle> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const asked: { path: string; body: Body }[] = []
  let answers: ((body: Body, path: string) => Answer)[] = []
  const codes = new Map<string, { challenge: string; redirectUri: string; scope: string }>()
  const refreshes = new Set<string>()
  const accesses = new Set<string>(['granted'])

  const isSigned = (assertion: string) => {
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Body
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
    return iss === issuer && verify.verify(publicKey, signature, 'base64url')
  }
  const invalidGrant = {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
  }
  const accessOf = () => {
    const token = `ya29.${randomBytes(8).toString('hex')}`
    accesses.add(token)
    return { access_token: token, expires_in: 3599, token_type: 'Bearer' }
  }
  const byCode = (form: URLSearchParams): Answer => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri')) {
      return invalidGrant
    }
    const refresh = `1//${randomBytes(8).toString('hex')}`
    refreshes.add(refresh)
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: 'https://accounts.google.com',
      aud: client.clientId,
      sub: '1',
      email: googleEmail,
      iat: now,
      exp: now + 3600,
    }
    const idToken = `${json({ alg: 'RS256', kid: '1' })}.${json(claims)}.c2ln`
    return {
      body: { ...accessOf(), refresh_token: refresh, scope: code.scope, id_token: idToken },
    }
  }
  const grant = (form: URLSearchParams): Answer => {
    const kind = form.get('grant_type')
    if (kind?.endsWith('jwt-bearer')) {
      if (!isSigned(form.get('assertion') ?? '..')) return invalidGrant
      return { body: { access_token: 'granted', expires_in: 3600, token_type: 'Bearer' } }
    }
    const { clientId, secret } = client
    if (form.get('client_id') !== clientId || form.get('client_secret') !== secret) {
      return { status: 401, body: { error: 'invalid_client' } }
    }
    if (kind === 'authorization_code') return byCode(form)
    return refreshes.has(form.get('refresh_token') ?? '') ? { body: accessOf() } : invalidGrant
  }
  const server = createServer(async (request, response) => {
    const send = ({ status = 200, body }: Answer) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const { url: path = '', headers } = request
    const sent = await text(request)
    if (path === '/token') return send(grant(new URLSearchParams(sent)))
    if (path === '/revoke') {
      refreshes.delete(new URLSearchParams(sent).get('token') ?? '')
      return send({ body: {} })
    }
    if (!accesses.has(headers.authorization?.replace('Bearer ', '') ?? '')) {
      return send({ status: 401, body: {} })
    }
    const body = sent === '' ? {} : (JSON.parse(sent) as Body)
    asked.push({ path, body })
    const [next, ...others] = answers
    if (others.length > 0) answers = others
    return send(next?.(body, path) ?? { status: 500, body: {} })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const preload = `--import=${new URL('search-addresses.mjs', import.meta.url)}`
  return {
    url,
    env: { NODE_OPTIONS: preload, GOOGLE_STAND_IN: url },
    credentials: JSON.stringify({
      type: 'service_account',
      client_email: issuer,
      private_key: privateKey,
      token_uri: 'https://oauth2.googleapis.com/token',
    }),
    client,
    taken: () => asked.splice(0),
    answer: (...given) => {
      answers = given
    },
    allow(page, scopes) {
      const params = new URL(page).searchParams
      const code = `4/${randomBytes(8).toString('hex')}`
      codes.set(code, {
        challenge: params.get('code_challenge') ?? '',
        redirectUri: params.get('redirect_uri') ?? '',
        scope: scopes?.join(' ') ?? params.get('scope') ?? '',
      })
      const state = params.get('state') ?? ''
      const back = new URLSearchParams({ state, code, iss: 'https://accounts.google.com' })
      return `${params.get('redirect_uri')}?${back}`
    },
    revoke: () => {
      refreshes.clear()
      accesses.clear()
    },
    refreshTokens: () => [...refreshes],
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
