import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProject } from '../resolvers/projects/create.ts'
import { commandLine } from '../resolvers/shared/audit-trail.ts'
import { refreshSitemap } from '../resolvers/sitemap/refresh.ts'
import { memoryMb, started } from './processes.ts'
import { say, startBenchService } from './service.ts'

/**
 * node bench/sitemap.ts [URLS]
 *
 * Refreshes a sitemap of an index and files of 50,000 URLs; default: 250,000 URLs, the most that a refresh reads.
 * Prints URLs a second, and the memory of the worker.
 */
const urls = Number(process.argv[2] ?? 250_000)
const urlsOfFile = 50_000
const mostWorkerMb = 400
const base = 'http://shop.test'
const files = Math.ceil(urls / urlsOfFile)

function* linesOf(file: number): Generator<string, void> {
  yield '<urlset>'
  for (let i = file * urlsOfFile; i < Math.min(urls, (file + 1) * urlsOfFile); i++) {
    yield `<url><loc>${base}/products/shoes/number-${i}</loc><lastmod>2026-01-01</lastmod></url>\n`
  }
  yield '</urlset>'
}

function bodyOf(path: string): Iterable<string> | undefined {
  if (path === '/robots.txt') return [`Sitemap: ${base}/index.xml\n`]
  const all = Array.from({ length: files }, (_, i) => `<sitemap><loc>${base}/${i}</loc></sitemap>`)
  if (path === '/index.xml') return [`<sitemapindex>${all.join('')}</sitemapindex>`]
  const [, file] = /^\/(\d+)$/.exec(path) ?? []
  return file === undefined ? undefined : linesOf(Number(file))
}

const site = createServer(({ url = '' }, response) => {
  const body = bodyOf(url)
  response.statusCode = body === undefined ? 404 : 200
  Readable.from(body ?? []).pipe(response)
}).listen(0, '127.0.0.1')
await once(site, 'listening')
const { port } = site.address() as AddressInfo

const service = await startBenchService()
const { db, databaseUrl, warehouseUrl } = service
const allowed = `shop.test:80=127.0.0.1:${port}`
const [worker] = await started('./audits/worker.ts', [databaseUrl, warehouseUrl, allowed])
const { workspaceId } = await db.project.findUniqueOrThrow({ where: { id: service.projectId } })
const input = { workspaceId, name: 'Shop', domain: 'shop.test' }
const { id } = await createProject(db, input, 'bench')
const idleMb = memoryMb(worker.pid, 'VmRSS')
const began = performance.now()
await refreshSitemap({ db, privateHosts: [] }, commandLine, id)
for (;;) {
  await sleep(250)
  const { sitemapStatus: status, sitemapError } = await db.project.findUniqueOrThrow({
    where: { id },
  })
  if (status === 'queued' || status === 'running') continue
  if (sitemapError) say(sitemapError)
  break
}
const seconds = (performance.now() - began) / 1000
const read = await db.sitemapUrl.count({ where: { projectId: id } })
const peakMb = memoryMb(worker.pid, 'VmHWM')
say(`${read} URLs of ${urls}, ${seconds.toFixed(0)} s  (${(read / seconds).toFixed(0)} URLs/s)`)
say(`worker  ${peakMb} MB at most, ${idleMb} MB idle  (limit ${mostWorkerMb} MB)`)
worker.disconnect()
site.close()
await service.stop()
if (read < urls || peakMb > mostWorkerMb) process.exitCode = 1
