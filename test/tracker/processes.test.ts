import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { closeSegments, copyEventsOut, withEvents } from '../../cli/backup/events.ts'
import { BackupWriter } from '../../cli/backup/files.ts'
import { inspectTracker } from '../../cli/doctor/tracker.ts'
import { openFolder } from '../../cli/storage/folder.ts'
import { processFolders } from '../../ingest/log/process-folders.ts'
import { joinMetrics } from '../../observability/registry.ts'
import { samplesOf, sumOf } from '../kit/observability/samples.ts'
import { until } from '../kit/service.ts'
import { isShipped, makeFolder, useWarehouse } from '../kit/tracker/folder.ts'
import { makeSite, type Site, send, startLoad } from '../kit/tracker/processes.ts'
import { hitOf } from '../kit/tracker/service.ts'
import { startTrackers } from '../kit/tracker/trackers.ts'

/** Trackers that stop after the test, and what they measure. */
async function start(path: string, { secret }: Site, processes: number, clickhouseUrl?: string) {
  const started = await startTrackers({ path, secret, processes, clickhouseUrl })
  onTestFinished(started.stop)
  const metrics = async () => {
    const texts = started.trackers.map(async (kept) => (await kept.current()?.metrics?.()) ?? '')
    return samplesOf(joinMetrics(await Promise.all(texts)))
  }
  return { ...started, metrics }
}

/** Sends a hit over a connection of its own, which stays open. */
function sendOver(agent: Agent, port: number, { key, siteToken }: Site, path: string) {
  return new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const to = { port, host: '127.0.0.1', method: 'POST', path: '/v1/events', headers, agent }
    const asked = request(to, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    asked
      .once('error', reject)
      .end(JSON.stringify({ site_token: siteToken, events: [hitOf(path)] }))
  })
}

const allShipped = async (trackerFolder: string) => {
  const folders = (await processFolders(trackerFolder)).filter((dir) =>
    existsSync(join(dir, 'log')),
  )
  return (await Promise.all(folders.map(isShipped))).every(Boolean)
}

test('processes share the connections of one port, and each event is stored once', async () => {
  const { url, paths } = useWarehouse()
  const site = makeSite()
  const { dataDir, port, metrics } = await start(await makeFolder(), site, 2, url)
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  onTestFinished(() => {
    for (const agent of agents) agent.destroy()
  })
  for (const round of [1, 2, 3]) {
    const sent = agents.map((agent, i) => sendOver(agent, port, site, `/${round}-${i}`))
    expect(await Promise.all(sent)).toEqual([202, 202, 202, 202])
  }
  const samples = await metrics()
  const answered = (process: string) =>
    sumOf(samples, 'sightline_tracker_requests_total', { process, status: '202' })
  expect([answered('1'), answered('2')]).toEqual([6, 6])
  await until(async () => (await paths(site.projectId)).length === 12)
  const expected = [1, 2, 3].flatMap((round) => [0, 1, 2, 3].map((i) => `/${round}-${i}`))
  expect(await paths(site.projectId)).toEqual(expected)
  expect(await processFolders(dataDir.tracker)).toEqual([
    dataDir.tracker,
    join(dataDir.tracker, 'process-2'),
  ])
})

test('a process that is killed under load is replaced, and every acknowledged event is stored once', async () => {
  const { url, paths } = useWarehouse()
  const site = makeSite()
  const { dataDir, port, trackers, warnings } = await start(await makeFolder(), site, 2, url)
  const load = startLoad({ port }, site, { connections: 8, pathsAtOnce: 2, pauseMs: 5 })
  for (const kept of trackers) {
    const before = kept.current()
    await until(() => load.acknowledged.length > 40)
    before?.kill()
    const acknowledged = load.acknowledged.length
    // The other process goes on.
    await until(() => load.acknowledged.length > acknowledged + 20)
    await until(() => kept.current() !== undefined && kept.current() !== before)
  }
  await load.stop()
  await until(() => allShipped(dataDir.tracker))
  const stored = await paths(site.projectId)
  const once = new Set(stored)
  expect(load.acknowledged.filter((path) => !once.has(path))).toEqual([])
  expect(stored.length).toBe(once.size)
  expect(stored.length).toBeLessThanOrEqual(load.acknowledged.length + load.unanswered)
  expect(warnings.filter((line) => line.includes('restarts'))).toHaveLength(2)
})

test('events of a process that the next start lacks are in doctor and in a backup, and are stored', async () => {
  const { url, paths } = useWarehouse()
  const site = makeSite()
  const path = await makeFolder()
  const before = await start(path, site, 3)
  const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const sent = agents.map((agent, i) => sendOver(agent, before.port, site, `/${i}`))
  expect(await Promise.all(sent)).toEqual([202, 202, 202])
  for (const agent of agents) agent.destroy()
  await before.stop()

  const { dataDir } = before
  const { backlog } = await inspectTracker(dataDir, null, [])
  expect(backlog.bytes).toBeGreaterThan(300)
  expect(backlog.segments).toBe(3)

  const logs = (await withEvents(dataDir.tracker, async () => undefined)) ?? []
  const backup = join(path, randomUUID())
  await copyEventsOut(dataDir.tracker, logs, new BackupWriter(openFolder(backup)))
  await closeSegments(logs)
  const copied = await readdir(join(backup, 'tracker'), { recursive: true })
  for (const folder of ['', 'process-2/', 'process-3/']) {
    expect(copied).toContain(`${folder}checkpoint`)
    expect(copied.filter((name) => name.startsWith(`${folder}log/`))).toHaveLength(1)
  }

  const after = await start(path, site, 1, url)
  await until(async () => (await paths(site.projectId)).length === 3)
  expect(await paths(site.projectId)).toEqual(['/0', '/1', '/2'])
  expect((await send(after, site, ['/3']))?.status).toBe(202)
  await until(async () => (await paths(site.projectId)).length === 4)
})
