import { setTimeout as sleep } from 'node:timers/promises'
import { demoLines } from '../demo/answers.ts'
import { importAnswers } from '../imports/answers/answers.ts'
import { createProject } from '../resolvers/projects/create.ts'
import { sendJob } from '../resolvers/shared/jobs.ts'
import { memoryMb, started } from './processes.ts'
import { quantile, say, startBenchService } from './service.ts'

/**
 * node bench/audits.ts [PAGES]
 *
 * Audits a site on loopback, without pauses between requests; default: 10,000 pages.
 * Prints pages a second beside those of a bare client, and the memory of the worker. It compares the latency of the API
 * with that of a quiet service.
 */
const pages = Number(process.argv[2] ?? 10_000)
const mostWorkerMb = 400
const mostSlowdown = 1.5
const quietMs = 30_000
const service = await startBenchService()
const { db, databaseUrl, projectId } = service
const endDay = new Date().toISOString().slice(0, 10)
await importAnswers(service, { projectId, lines: demoLines({ seed: 1, endDay }) })
const [site, { port }] = await started<{ port: number }>('./audits/site.ts', [String(pages)])

/** Milliseconds of requests to the API until `isOver`, ten a second. */
async function latencies(isOver: () => boolean): Promise<number[]> {
  const key = await service.newKey()
  const all: number[] = []
  for (let i = 0; !isOver(); i++) {
    const url = `${service.url}/api/mcp/projects/${projectId}/topics?days=${7 + (i % 80)}`
    const began = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    if (response.ok) all.push(performance.now() - began)
    await response.arrayBuffer()
    await sleep(400)
  }
  return all.sort((a, b) => a - b)
}

/** Pages a second of a client that only reads them, one after the other. */
async function bareSpeed(): Promise<number> {
  const count = Math.min(pages, 1000)
  const began = performance.now()
  for (let i = 0; i < count; i++) {
    await (await fetch(`http://127.0.0.1:${port}/page/${i}`)).text()
  }
  return count / ((performance.now() - began) / 1000)
}

async function requestAudit(): Promise<string> {
  const { workspaceId } = await db.project.findUniqueOrThrow({ where: { id: projectId } })
  const { id: shop } = await createProject(
    db,
    { workspaceId, name: 'Shop', domain: 'shop.test' },
    'bench',
  )
  const rows = Array.from({ length: pages }, (_, i) => ({
    id: crypto.randomUUID(),
    projectId: shop,
    slug: `${i}`,
    type: 'other',
    url: `https://shop.test/page/${i}`,
    address: `http://shop.test/page/${i}`,
    title: '',
    description: '',
  }))
  await db.page.createMany({ data: rows })
  const audit = await db.audit.create({
    data: { projectId: shop, pageCount: pages, isWholeSite: true },
  })
  await db.auditPage.createMany({
    data: rows.map(({ id: pageId, url, address }) => ({ auditId: audit.id, pageId, url, address })),
  })
  await sendJob(db, 'audit', { auditId: audit.id })
  return audit.id
}

const clickhouseUrl = service.warehouseUrl
const allowed = `shop.test:80=127.0.0.1:${port}`
const [worker] = await started('./audits/worker.ts', [databaseUrl, clickhouseUrl, allowed])
const bare = await bareSpeed()
let isOver = false
setTimeout(() => {
  isOver = true
}, quietMs)
const quiet = await latencies(() => isOver)
const idleMb = memoryMb(worker.pid, 'VmRSS')

isOver = false
const began = performance.now()
const auditId = await requestAudit()
const busy = latencies(() => isOver)
let readSeconds = 0
for (;;) {
  await sleep(1000)
  const queued = await db.auditPage.count({ where: { auditId, status: 'queued' } })
  const seconds = (performance.now() - began) / 1000
  if (queued === 0 && readSeconds === 0) readSeconds = seconds
  if (Math.round(seconds) % 30 === 0) say(`${pages - queued} pages after ${seconds.toFixed(0)} s`)
  const { status, issueCount, error } = await db.audit.findUniqueOrThrow({ where: { id: auditId } })
  if (status !== 'completed' && status !== 'failed') continue
  isOver = true
  const speed = pages / readSeconds
  say(`\n${pages} pages, ${status}${error ? ` (${error})` : ''}, ${issueCount} issues`)
  say(`bare client         ${bare.toFixed(0)} pages/s`)
  say(`audit, reading      ${speed.toFixed(1)} pages/s  (${(bare / speed).toFixed(1)} × slower)`)
  say(`audit, to the end   ${(pages / seconds).toFixed(1)} pages/s  (${seconds.toFixed(0)} s)`)
  break
}
const peakMb = memoryMb(worker.pid, 'VmHWM')
say(`worker              ${peakMb} MB at most, ${idleMb} MB idle  (limit ${mostWorkerMb} MB)`)
const [before, meanwhile] = [quantile(quiet, 0.95), quantile(await busy, 0.95)]
const slowdown = meanwhile / before
say(
  `API p95             ${meanwhile.toFixed(0)} ms, quiet ${before.toFixed(0)} ms  (${slowdown.toFixed(2)} ×, limit ${mostSlowdown} ×)`,
)
worker.disconnect()
site.disconnect()
await service.stop()
if (peakMb > mostWorkerMb || slowdown > mostSlowdown) process.exitCode = 1
