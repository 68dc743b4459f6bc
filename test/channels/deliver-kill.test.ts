import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { migrateCatalog } from '../../prisma/migrate.ts'
import { addChannel, switchChannel } from '../../resolvers/channels/channels.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { deliver } from '../../resolvers/shared/deliver.ts'
import { inTransaction } from '../../resolvers/shared/transaction.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { type AuditWorker, startAuditWorker } from '../fault/audit-worker.ts'
import { openReceiver } from '../kit/channels/receiver.ts'
import { startTestPostgres, type TestPostgres } from '../kit/postgres.ts'
import { until } from '../kit/service.ts'

/** 500 events wait; the worker and PostgreSQL are killed, and receivers behave badly. */

const events = 500
const receiver = await openReceiver()
const env = { ALLOW_PRIVATE_HOSTS: receiver.privateHost }
let postgres: TestPostgres
let db: Catalog
let worker: AuditWorker
let workspaceId = ''
let projectId = ''

const addWebhook = async (path = '') => {
  const channel = {
    kind: 'webhook' as const,
    address: receiver.url + path,
    name: `Webhook ${path}`,
    events: ['run.completed' as const],
  }
  const privateHosts = [
    { name: 'hooks.test', port: 80, target: { address: '127.0.0.1', port: receiver.port } },
  ]
  const sealing = { signingSecret: 'x', privateHosts, isMailed: false }
  const { row } = await addChannel(db, commandLine, workspaceId, channel, sealing)
  return row.id
}

/** Events happen in one transaction, for each channel that is on. */
const happen = (count: number) =>
  inTransaction(
    db,
    async (tx) => {
      for (let at = 0; at < count; at++) {
        const title = `Run ${at}`
        await deliver(tx, { type: 'run.completed', projectId, title, page: 'overview' })
      }
    },
    { timeout: 120_000 },
  )

beforeAll(async () => {
  postgres = await startTestPostgres()
  await migrateCatalog(postgres.url)
  db = createCatalog(postgres.url)
  workspaceId = (await createWorkspace(db, { name: 'Test' })).id
  const input = { workspaceId, name: 'Acme', domain: 'acme.com' }
  projectId = (await createProject(db, input, 'x')).id
})

afterAll(async () => {
  await worker?.kill()
  await Promise.all([db?.$disconnect(), receiver.close()])
  await postgres?.stop()
})

const start = async () => {
  worker = await startAuditWorker({ databaseUrl: postgres.url, env })
}
const idsOf = () => new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))

test('each of 500 events arrives at least once, under one id', { timeout: 300_000 }, async () => {
  const channelId = await addWebhook()
  await happen(events)
  await start()
  await until(() => receiver.received.length >= 50)
  await worker.kill()
  const before = receiver.received.length
  expect(before).toBeLessThan(events)
  await start()
  await until(() => receiver.received.length >= before + 50)
  await postgres.kill()
  await postgres.resume()
  await until(async () => {
    const left = await db.delivery.count({ where: { state: 'waiting' } }).catch(() => 1)
    return left === 0
  })
  const rows = await db.delivery.findMany({ select: { id: true, state: true } })
  expect(rows.filter(({ state }) => state !== 'sent')).toEqual([])
  expect([...idsOf()].sort()).toEqual(rows.map(({ id }) => id).sort())
  const titleOf = new Map<unknown, Set<string>>()
  for (const { headers, body } of receiver.received) {
    const titles = titleOf.get(headers['webhook-id']) ?? new Set()
    titleOf.set(headers['webhook-id'], titles.add(JSON.parse(body).data.title))
  }
  expect([...titleOf.values()].every((titles) => titles.size === 1)).toBe(true)
  // What was under way at a kill may come twice, and nothing else does.
  expect(receiver.received.length).toBeLessThanOrEqual(events + 10)
  await switchChannel(db, commandLine, { workspaceId, channelId }, 'paused')
  await worker.kill()
})

test('500 events for four receivers, of which one is slow, one fails, one is busy and one goes away', {
  timeout: 600_000,
}, async ({ annotate }) => {
  const each = events / 4
  const paths = ['/slow', '/failing', '/busy', '/gone'] as const
  const idOf = new Map<string, string>()
  for (const path of paths) idOf.set(path, await addWebhook(path))
  const counts = new Map<string, number>()
  /** By the id of a delivery, the times that its receiver took it. */
  const taken = new Map<string, number>()
  let busyUntil = 0
  let early = 0
  receiver.answer(({ path, headers }) => {
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    const id = String(headers['webhook-id'])
    if (path === '/failing' && count % 15 === 0) return { status: 503 }
    if (path === '/gone' && count > 20) return { status: 410 }
    if (path === '/busy') {
      if (Date.now() < busyUntil) early++
      if (count % 30 === 0) {
        busyUntil = Date.now() + 7000
        return { status: 429, headers: { 'retry-after': '7' } }
      }
    }
    taken.set(id, (taken.get(id) ?? 0) + 1)
    return { status: 204, ...(path === '/slow' && { afterMs: 100 }) }
  })
  await happen(each)
  const before = receiver.received.length
  const since = () => receiver.received.length - before
  await start()
  const began = performance.now()
  const kills = 3
  for (let kill = 0; kill < kills; kill++) {
    const seen = since()
    await until(() => since() >= seen + 40)
    await worker.kill()
    await start()
  }
  const left = () => db.delivery.count({ where: { state: 'waiting' } })
  await until(async () => (await left()) === 0, 500_000)
  const ms = performance.now() - began
  const rows = await db.delivery.findMany({ where: { channelId: { in: [...idOf.values()] } } })
  const stateOf = (path: string) =>
    rows.filter(({ channelId }) => channelId === idOf.get(path)).map(({ state }) => state)
  for (const path of ['/slow', '/failing', '/busy']) {
    expect(stateOf(path)).toEqual(Array.from({ length: each }, () => 'sent'))
  }
  // What was taken is sent, what is sent was taken, and the rest of the channel that is gone was dropped.
  const isTaken = rows.filter(({ id }) => taken.has(id)).map(({ id }) => id)
  expect(isTaken.toSorted()).toEqual(
    rows.flatMap(({ id, state }) => (state === 'sent' ? [id] : [])).toSorted(),
  )
  const given = stateOf('/gone').filter((state) => state !== 'sent')
  expect(given.length).toBeGreaterThanOrEqual(each - 20)
  expect(new Set(given)).toEqual(new Set(['dropped']))
  const gone = await db.channel.findUniqueOrThrow({ where: { id: idOf.get('/gone') ?? '' } })
  expect(gone.state).toBe('disabled')
  // At a kill, one delivery of each channel may be under way.
  const twice = [...taken.values()].reduce((sum, times) => sum + times - 1, 0)
  expect(twice).toBeLessThanOrEqual(kills * paths.length)
  expect(early).toBe(0)
  await annotate(JSON.stringify({ ms: Math.round(ms), requests: since(), twice }), 'receivers')
})
