import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { trusted } from '../kit/audit/certificate.ts'
import {
  authorizeUrl,
  type Browser,
  browserOf,
  decide,
  exchanged,
  openConsent,
  register,
} from '../kit/oauth.ts'
import { freePort } from '../kit/web/free-port.ts'

/** A client that describes itself by a document at its own address. */

const place = 'https://shop.test/client.json'
const sound = {
  client_id: place,
  client_name: 'Bolt',
  redirect_uris: ['http://127.0.0.1:9/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  scope: 'everything',
  logo_uri: 'https://169.254.169.254/logo.png',
}
let document: object = sound
let status = 200
const requests: string[] = []
const site = createServer(trusted, ({ url = '' }, response) => {
  requests.push(url)
  response.writeHead(status, { location: 'https://shop.test/other.json' })
  response.end(JSON.stringify(document))
}).listen(0, '127.0.0.1')
await once(site, 'listening')
const authorities = tls.getCACertificates()
tls.setDefaultCACertificates([...authorities, trusted.cert])
afterAll(() => {
  tls.setDefaultCACertificates(authorities)
  site.close()
})

const api = useApi({
  PORT: String(await freePort()),
  ALLOW_PRIVATE_HOSTS: `shop.test:443=127.0.0.1:${(site.address() as AddressInfo).port}`,
})
let browser: Browser

beforeAll(async () => {
  const workspace = await api.workspace()
  await workspace.project()
  browser = browserOf(api, await workspace.session())
})
beforeEach(() => {
  document = sound
  status = 200
  requests.length = 0
})

test.each([
  ['leads elsewhere', () => (status = 302)],
  ['is of another client', () => (document = { ...sound, client_id: 'https://shop.test/b' })],
  ['has a secret', () => (document = { ...sound, client_secret: 'x'.repeat(40) })],
  ['is larger than 16 kB', () => (document = { ...sound, filler: 'x'.repeat(20_000) })],
])('a document that %s connects nothing', async (_what, change) => {
  change()
  const refused = await browser(authorizeUrl(api, place))
  expect(refused.status).toBe(400)
  expect(new Set(requests)).toEqual(new Set(['/client.json']))
})

test('a client connects by its document, which is fetched once, and nothing that it names', async () => {
  const page = await openConsent(browser, authorizeUrl(api, place))
  expect(await (await browser(page)).json()).toMatchObject({
    name: 'Bolt',
    host: '127.0.0.1',
    documentHost: 'shop.test',
  })
  const back = await decide(browser, page)
  const code = back.searchParams.get('code') ?? ''
  expect((await exchanged(api, place, code)).status).toBe(200)
  expect(requests).toEqual(['/client.json'])
})

test('an address registers twenty clients in an hour', async () => {
  const metadata = { redirect_uris: sound.redirect_uris, token_endpoint_auth_method: 'none' }
  const sent = await Promise.all(Array.from({ length: 21 }, () => register(api, metadata)))
  expect(sent.map((reply) => reply.status).sort()).toEqual([...Array(20).fill(201), 429])
})
