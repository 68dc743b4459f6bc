import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { trusted } from '../kit/audit/certificate.ts'
import { askingRest } from '../kit/prompts.ts'
import { soundPage } from '../kit/small-site.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** A sound site whose redirects change only the scheme of a page, or the slash at its end. */

const base = 'https://shop.test'
const listed = ['/a', '/b/', '/c/']
const sitemap = `<urlset>${listed.map((path) => `<url><loc>${base}${path}</loc><lastmod>2026-01-01</lastmod></url>`).join('')}</urlset>`
const files: Record<string, string> = {
  '/robots.txt': `User-agent: *\nAllow: /\nSitemap: ${base}/sitemap.xml\n`,
  '/sitemap.xml': sitemap,
  '/llms.txt': '# Acme\n',
}
/** `/b/` answers at `/b`, and `/c` at `/c/`. */
const moved: Record<string, string> = { '/b/': '/b', '/c': '/c/' }
const pages = ['/', '/a', '/b', '/c/']
const requests: string[] = []

const serve: RequestListener = ({ url = '' }, response) => {
  requests.push(`https ${url}`)
  const file = files[url]
  const location = moved[url]
  if (location !== undefined) response.writeHead(301, { location }).end()
  else if (file !== undefined) response.end(file)
  else {
    response.writeHead(pages.includes(url) ? 200 : 404, { 'content-type': 'text/html' })
    response.end(soundPage(url).replaceAll('http://', 'https://'))
  }
}
const secure = createTlsServer(trusted, serve).listen(0, '127.0.0.1')
const plain = createServer(({ url = '' }, response) => {
  requests.push(`http ${url}`)
  response.writeHead(301, { location: base + url }).end()
}).listen(0, '127.0.0.1')
await Promise.all([once(secure, 'listening'), once(plain, 'listening')])
const portOf = (server: typeof plain | typeof secure) => (server.address() as AddressInfo).port

const authorities = tls.getCACertificates()
tls.setDefaultCACertificates([...authorities, trusted.cert])
afterAll(() => {
  tls.setDefaultCACertificates(authorities)
  secure.close()
  plain.close()
})

const hosts = `shop.test:443=127.0.0.1:${portOf(secure)},shop.test:80=127.0.0.1:${portOf(plain)}`
const api = useApi({ ALLOW_PRIVATE_HOSTS: hosts }, undefined, {
  ownDatabase: true,
})
let project = ''
let key = ''
let worker: TestWorker
const rest = askingRest(
  api,
  () => project,
  () => key,
)

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ domain: 'shop.test' })
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  await api.db.page.create({
    data: {
      projectId: project,
      url: `${base}/a`,
      address: 'http://shop.test/a',
      slug: '/a',
      type: 'other',
      title: '',
      description: '',
    },
  })
  worker = await startTestWorker(api)
})

test('redirects of scheme or slash are no issues, for pages, links and the sitemap', async () => {
  expect((await rest('POST', '/sitemap/refresh', {})).status).toBe(202)
  await worker.idle()
  // Imported before, the page keeps the address of http.
  const where = { projectId_url: { projectId: project, url: `${base}/a` } }
  await api.db.page.update({ where, data: { address: 'http://shop.test/a' } })
  const { body } = await rest('POST', '/audits', {})
  expect(body.audit).toMatchObject({ pageCount: listed.length })
  await worker.idle()
  const { id } = body.audit as { id: string }
  const scores = { overall: 100, technical: 100, content: 100, aiReadiness: 100 }
  const { body: found } = await rest('GET', `/audits/${id}/pages`)
  expect(found.pages).toEqual(
    ['/a', '/b', '/c'].map((path) =>
      expect.objectContaining({ url: base + path, status: 'completed', httpStatus: 200, scores }),
    ),
  )
  expect((await rest('GET', '/issues')).body.issues).toEqual([])
  // The redirects were met: the pages were asked as the catalog and the sitemap spell them.
  expect(requests).toEqual(expect.arrayContaining(['http /a', 'https /b/', 'https /c/']))
})
