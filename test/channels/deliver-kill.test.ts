import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { migrateCatalog } from '../../prisma/migrate.ts'
import { addChannel } from '../../resolvers/channels/channels.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { deliver } from '../../resolvers/shared/deliver.ts'
import { inTransaction } from '../../resolvers/shared/transaction.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { type AuditWorker, startAuditWorker } from '../fault/audit-worker.ts'
import { openReceiver } from '../kit/channels/receiver.ts'
import { startTestPostgres, type TestPostgres } from '../kit/postgres.ts'
import { until } from '../kit/service.ts'

/** 500 events wait; the worker is killed, then PostgreSQL goes away. */

const events = 500
const receiver = await openReceiver()
const env = { ALLOW_PRIVATE_HOSTS: receiver.privateHost }
let postgres: TestPostgres
let db: Catalog
let worker: AuditWorker

beforeAll(async () => {
  postgres = await startTestPostgres()
  await migrateCatalog(postgres.url)
  db = createCatalog(postgres.url)
  const { id: workspaceId } = await createWorkspace(db, { name: 'Test' })
  const input = { workspaceId, name: 'Acme', domain: 'acme.com' }
  const { id: projectId } = await createProject(db, input, 'x')
  const channel = { kind: 'webhook' as const, address: receiver.url }
  const privateHosts = [
    { name: 'hooks.test', port: 80, target: { address: '127.0.0.1', port: receiver.port } },
  ]
  const sealing = { signingSecret: 'x', privateHosts, isMailed: false }
  await addChannel(db, commandLine, workspaceId, channel, sealing)
  await inTransaction(
    db,
    async (tx) => {
      for (let at = 0; at < events; at++) {
        await deliver(tx, {
          type: 'run.completed',
          projectId,
          title: `Run ${at}`,
          page: 'overview',
        })
      }
    },
    { timeout: 120_000 },
  )
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
  await start()
  await until(() => receiver.received.length >= 50)
  await worker.kill()
  const before = receiver.received.length
  expect(before).toBeLessThan(events)
  await start()
  await until(() => receiver.received.length >= before + 50)
  await postgres.pause()
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
})
