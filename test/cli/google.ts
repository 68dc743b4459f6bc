import { createVerify, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'

type Body = Record<string, unknown>
type Answer = { readonly status?: number; readonly body: unknown }

/** Two of Google's APIs on the loopback, and the key of a service account that they know. */
export interface FakeGoogle {
  readonly url: string
  /** The text of the key file. */
  readonly credentials: string
  /** What was asked since the last time, without tokens. */
  taken(): { path: string; body: Body }[]
  /** What is answered from now on, in turn; the last stays. */
  answer(...answers: ((body: Body) => Answer)[]): void
  close(): Promise<void>
}

const issuer = 'reader@project.iam.gserviceaccount.com'

export async function startGoogle(): Promise<FakeGoogle> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const asked: { path: string; body: Body }[] = []
  let answers: ((body: Body) => Answer)[] = []

  const isSigned = (assertion: string) => {
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Body
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
    return iss === issuer && verify.verify(publicKey, signature, 'base64url')
  }
  const grant = async (form: string): Promise<Answer> => {
    const assertion = new URLSearchParams(form).get('assertion') ?? '..'
    if (!isSigned(assertion)) return { status: 400, body: { error: 'invalid_grant' } }
    return { body: { access_token: 'granted', expires_in: 3600, token_type: 'Bearer' } }
  }
  const server = createServer(async (request, response) => {
    const send = ({ status = 200, body }: Answer) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.url === '/token') return send(await grant(await text(request)))
    if (request.headers.authorization !== 'Bearer granted') return send({ status: 401, body: {} })
    const body = (await json(request)) as Body
    asked.push({ path: request.url ?? '', body })
    const [next, ...others] = answers
    if (others.length > 0) answers = others
    return send(next?.(body) ?? { status: 500, body: {} })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: JSON.stringify({
      type: 'service_account',
      client_email: issuer,
      private_key: privateKey,
      token_uri: 'https://oauth2.googleapis.com/token',
    }),
    taken: () => asked.splice(0),
    answer: (...given) => {
      answers = given
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
