import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { soundPage, startSmallSite } from '../kit/small-site.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Another site on loopback, with what it was asked: `HEAD /path`. */
async function startOther(answer: RequestListener) {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, asked, close: () => new Promise((resolve) => server.close(resolve)) }
}

const statuses: Record<string, number> = {
  '/gone': 404,
  '/members': 403,
  '/social': 999,
  '/busy': 429,
  '/down': 502,
}

const other = await startOther(({ url = '/', method }, response) => {
  if (url === '/moved') return response.writeHead(301, { location: '/fine' }).end()
  // A server that knows no HEAD.
  if (url === '/old') return response.writeHead(method === 'HEAD' ? 405 : 200).end()
  response.writeHead(url === '/robots.txt' ? 404 : (statuses[url] ?? 200)).end()
})
/** The shop in German, which keeps crawlers out of its drafts. The shop's own robots.txt would allow them. */
const german = await startOther(({ url }, response) => {
  const robots = 'User-agent: *\nDisallow: /draft\n'
  response.writeHead(200, { 'content-type': 'text/plain' }).end(url === '/robots.txt' ? robots : '')
})
const site = await startSmallSite()
const allowed = [
  site.allowed,
  `other.test:80=127.0.0.1:${other.port}`,
  `laden.test:80=127.0.0.1:${german.port}`,
  // Nothing listens there.
  'silent.test:80=127.0.0.1:9',
].join(',')
const api = useApi({ ALLOW_PRIVATE_HOSTS: allowed }, undefined, {
  ownDatabase: true,
})

let project = ''
let key = ''
let worker: TestWorker
const graph = asking(api, () => key)

const links = (...addresses: string[]) =>
  addresses.map((address) => `<a href="${address}">Elsewhere</a>`).join(' ')
const withLinks = (path: string, html: string, head = '') =>
  soundPage(path).replace('</head>', `${head}</head>`).replace('</main>', `${html}</main>`)

beforeAll(async () => {
  const of = (path: string) => `http://other.test${path}`
  site.pages.set(
    '/a',
    withLinks(
      '/a',
      links(
        ...[of('/fine#part'), of('/gone'), of('/members'), of('/moved'), of('/old'), of('/down')],
        ...['http://silent.test/x', 'http://10.0.0.8/admin', 'http://localhost/x'],
      ),
      '<link rel="alternate" hreflang="de" href="http://laden.test/draft/a">' +
        '<link rel="alternate" hreflang="en" href="http://shop.test/a">' +
        '<link rel="amphtml" href="http://laden.test/amp/a">',
    ),
  )
  site.pages.set('/b', withLinks('/b', links(of('/gone'), of('/social'), of('/busy'))))
  const workspace = await api.workspace()
  project = await workspace.project({ domain: 'shop.test' })
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  for (const path of ['/a', '/b']) {
    const shown = { slug: path, type: 'other', title: '', description: '' } as const
    const [url, address] = [`https://shop.test${path}`, `http://shop.test${path}`]
    await api.db.page.create({ data: { projectId: project, url, address, ...shown } })
  }
  worker = await startTestWorker(api)
}, 60_000)
afterAll(() => Promise.all([site.close(), other.close(), german.close()]))

async function audit(args: string): Promise<string> {
  const { data } = await graph(
    `mutation { createAudit(projectId: "${project}" ${args}) { ... on AuditRequest { audit { id } } } }`,
  )
  await worker.idle()
  return (data.createAudit as unknown as { audit: { id: string } }).audit.id
}

const ofAudit = async (id: string, fields: string) => {
  const { data } = await graph(`{ project(id: "${project}") { audit(id: "${id}") { ${fields} } } }`)
  return data.project?.audit as unknown as Record<string, never>
}

test('an audit asks no other site unless someone wants it', async () => {
  const id = await audit('')
  expect(await ofAudit(id, 'status checksExternalLinks externalLinkCounts { key }')).toEqual({
    status: 'completed',
    checksExternalLinks: false,
    externalLinkCounts: [],
  })
  expect([other.asked, german.asked]).toEqual([[], []])
})

test('links to other sites are broken or refused, each with its pages, and private addresses are never asked', async () => {
  const id = await audit('externalLinks: true')
  const found = await ofAudit(
    id,
    `status issueCount externalLinkCounts { key count } externalLinks(first: 50) {
      totalCount nodes { address kinds state httpStatus reason finalAddress pageCount pageUrls } }`,
  )
  const [a, b] = ['https://shop.test/a', 'https://shop.test/b']
  const link = (address: string, state: string, more: object = {}) => ({
    ...{ address, kinds: ['link'], state, httpStatus: null, reason: null, finalAddress: null },
    ...{ pageCount: 1, pageUrls: [a], ...more },
  })
  const of = (path: string) => `http://other.test${path}`
  expect(found).toMatchObject({
    status: 'completed',
    externalLinkCounts: [
      { key: 'broken', count: 3 },
      { key: 'refused', count: 3 },
      { key: 'not_checked', count: 3 },
      { key: 'working', count: 4 },
    ],
    externalLinks: {
      totalCount: 13,
      nodes: [
        link(of('/gone'), 'broken', { httpStatus: 404, pageCount: 2, pageUrls: [a, b] }),
        link(of('/down'), 'broken', { httpStatus: 502 }),
        link('http://silent.test/x', 'broken', { reason: 'connection' }),
        link(of('/busy'), 'refused', { httpStatus: 429, pageUrls: [b] }),
        link(of('/members'), 'refused', { httpStatus: 403 }),
        link(of('/social'), 'refused', { httpStatus: 999, pageUrls: [b] }),
        link('http://10.0.0.8/admin', 'not_checked', { reason: 'private_address' }),
        link('http://laden.test/draft/a', 'not_checked', {
          reason: 'robots',
          kinds: ['alternate'],
        }),
        link('http://localhost/x', 'not_checked', { reason: 'private_address' }),
        link('http://laden.test/amp/a', 'working', { httpStatus: 200, kinds: ['alternate'] }),
        link(of('/fine'), 'working', { httpStatus: 200 }),
        link(of('/moved'), 'working', { httpStatus: 200, finalAddress: of('/fine') }),
        link(of('/old'), 'working', { httpStatus: 200 }),
      ],
    },
  })
  expect(german.asked).toEqual(['GET /robots.txt', 'HEAD /amp/a'])
  expect(other.asked.filter((asked) => /old|fine|robots/.test(asked))).toEqual([
    ...['GET /robots.txt', 'HEAD /fine', 'HEAD /fine', 'HEAD /old', 'GET /old'],
  ])
  // A page of the list, and one state alone.
  const one = await ofAudit(
    id,
    'externalLinks(first: 1, filter: { states: [refused] }) { totalCount nodes { address } pageInfo { endCursor } }',
  )
  const first = one.externalLinks as unknown as {
    readonly totalCount: number
    readonly nodes: object[]
    readonly pageInfo: { readonly endCursor: string }
  }
  expect(first).toMatchObject({ totalCount: 3, nodes: [{ address: of('/busy') }] })
  const { endCursor } = first.pageInfo
  expect(
    await ofAudit(
      id,
      `externalLinks(first: 2, after: "${endCursor}", filter: { states: [refused] }) { nodes { address } }`,
    ),
  ).toEqual({ externalLinks: { nodes: [{ address: of('/members') }, { address: of('/social') }] } })
})
