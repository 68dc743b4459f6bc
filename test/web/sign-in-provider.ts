import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const clientId = 'sightline'
export const clientSecret = 'a-secret-of-the-client'

/** A provider of sign-ins on loopback, whose page takes any name. `eve` has an address that is not verified. */
export interface SignInProvider {
  readonly issuer: string
  close(): Promise<void>
}

export async function startSignInProvider(redirectUri: string): Promise<SignInProvider> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['one key for cookies'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@acme.test`, email_verified: id !== 'eve' }),
    }),
  })
  server.on('request', provider.callback())
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
