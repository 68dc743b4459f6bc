import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Overloaded } from '../../ingest/log/backpressure.ts'
import type { EventLog } from '../../ingest/log/event-log.ts'
import { openNatsLog } from '../../ingest/nats/nats-log.ts'
import { startNatsWriter } from '../../ingest/nats/nats-writer.ts'
import { eventSubject, laneCount, laneOf, laneStream } from '../../ingest/nats/streams.ts'
import type { Warehouse } from '../../warehouse/run.ts'
import { isInstalled, startNats, type TestServer } from '../kit/machines/servers.ts'
import { until } from '../kit/service.ts'
import { listen, messages, rowOf, storedPaths, useWarehouse } from '../kit/tracker/folder.ts'

/** A project of the test's own, and its rows. */
function useProject() {
  const { warehouse, projectId } = useWarehouse()
  return {
    projectId,
    warehouse,
    owner: { workspaceId: 'one', projectId },
    row: (path: string, more: object = {}) => rowOf(projectId, path, more),
    stored: () => storedPaths(warehouse, projectId),
  }
}

async function openLog(nats: TestServer, maxBacklogBytes = 2 ** 30): Promise<EventLog> {
  const log = openNatsLog({ url: nats.url, maxBacklogBytes, replicas: 1, log: listen().log })
  onTestFinished(() => log.close())
  await until(() => !log.isAway)
  return log
}

function startWriter(nats: TestServer, warehouse: Warehouse, told = listen()) {
  const limits = { maxBacklogBytes: 2 ** 30, replicas: 1 }
  const writer = startNatsWriter({ url: nats.url, ...limits, warehouse, log: told.log })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= writer.close())
  onTestFinished(close)
  return { ...writer, close }
}

async function managerOf(nats: TestServer) {
  const connection = await connect({ servers: new URL(nats.url).host })
  onTestFinished(() => connection.close())
  return { connection, manager: await jetstreamManager(connection) }
}

describe.skipIf(!isInstalled('nats-server'))('the log in NATS', () => {
  test('an append resolves when JetStream has the rows, each project in its subject', async () => {
    const { projectId, owner, row } = useProject()
    const nats = await startNats()
    const log = await openLog(nats)
    const other = randomUUID()
    await Promise.all([
      log.append(Buffer.from(row('/a') + row('/b')), 2, owner),
      log.append(Buffer.from(row('/c')), 1, owner),
      log.append(Buffer.from(rowOf(other, '/d')), 1, { workspaceId: 'two', projectId: other }),
    ])
    const { manager } = await managerOf(nats)
    const textOf = async (project: string) => {
      const stream = laneStream(laneOf(project))
      const found = await manager.streams.getMessage(stream, {
        last_by_subj: eventSubject(project),
      })
      return found?.string()
    }
    // The appends of one turn share a message.
    expect(await textOf(projectId)).toBe(row('/a') + row('/b') + row('/c'))
    expect(await textOf(other)).toBe(rowOf(other, '/d'))
  })

  test('rows of more than a message become several, none is cut', async () => {
    const { warehouse, owner, row, stored } = useProject()
    const nats = await startNats()
    const log = await openLog(nats)
    const paths = Array.from({ length: 3000 }, (_, i) => `/${i}`)
    const text = 'x'.repeat(500)
    await log.append(
      Buffer.from(paths.map((path) => row(path, { referrer: text })).join('')),
      3000,
      owner,
    )
    const writer = startWriter(nats, warehouse)
    await until(async () => (await stored()).length === 3000)
    expect(new Set(await stored())).toEqual(new Set(paths))
    await until(() => log.backlog().segments === 0)
    expect(writer.stats().rows).toBe(3000)
  })

  test('while NATS is away events are refused at once; afterwards they are taken again, and none is lost', async () => {
    const { warehouse, owner, row, stored } = useProject()
    const nats = await startNats()
    const log = await openLog(nats)
    await log.append(Buffer.from(row('/away/before')), 1, owner)
    await nats.kill()
    await until(() => log.isAway === true)
    expect(log.isOverloaded).toBe(true)
    expect(log.isOverloadedFor('one')).toBe(true)
    await expect(log.append(Buffer.from(row('/away/during')), 1, owner)).rejects.toBeInstanceOf(
      Overloaded,
    )
    await nats.restart()
    await until(() => !log.isAway)
    await log.append(Buffer.from(row('/away/after')), 1, owner)
    startWriter(nats, warehouse)
    const here = async () => (await stored()).filter((path) => path.startsWith('/away')).sort()
    await until(async () => (await here()).length > 1)
    expect(await here()).toEqual(['/away/after', '/away/before'])
  })

  test('a log that ends while it asks for the backlog leaves no unhandled failure', async () => {
    const failures: unknown[] = []
    const hear = (reason: unknown) => failures.push(reason)
    process.on('unhandledRejection', hear)
    onTestFinished(() => void process.off('unhandledRejection', hear))
    const nats = await startNats()
    const log = await openLog(nats)
    nats.stop()
    // It asks twice a second.
    await sleep(1200)
    await log.close()
    await sleep(100)
    expect(failures).toEqual([])
  })

  test('a lane that is full refuses its events; while others send, no workspace holds more than half', async () => {
    const { owner, row } = useProject()
    const nats = await startNats()
    const size = Buffer.byteLength(row('/full'))
    // Ten rows a lane.
    const log = await openLog(nats, 10 * size * laneCount)
    const append = (workspaceId: string) =>
      log.append(Buffer.from(row('/full')), 1, { ...owner, workspaceId })
    await append('other')
    let taken = 0
    await expect(async () => {
      for (; taken < 20; taken++) await append('one')
    }).rejects.toBeInstanceOf(Overloaded)
    expect(taken).toBe(5)
    await append('other')
    const refused = Promise.all(Array.from({ length: 10 }, () => append('other')))
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 10 })
  })

  test('a row that the warehouse refuses becomes a dead letter, and its neighbours are stored', async () => {
    const { warehouse, owner, row, stored } = useProject()
    const nats = await startNats()
    const log = await openLog(nats)
    await log.append(Buffer.from(`${row('/dead/1')}nonsense\n${row('/dead/2')}`), 3, owner)
    const told = listen()
    startWriter(nats, warehouse, told)
    await until(() => log.backlog().deadLetters.rows === 1 && log.backlog().segments === 0)
    const here = (await stored()).filter((path) => path.startsWith('/dead'))
    expect(here.sort()).toEqual(['/dead/1', '/dead/2'])
    expect(messages(told, 'warn')).toEqual([
      'A row that the warehouse refuses becomes a dead letter.',
    ])
    const { manager } = await managerOf(nats)
    const letter = await manager.streams.getMessage('SIGHTLINE_DEAD', { seq: 1 })
    expect(letter?.json()).toMatchObject({ row: 'nonsense', reason: expect.any(String) })
  })

  test('two writers share the lanes, and one that stops leaves its lanes to the other', async () => {
    const { warehouse } = useProject()
    const nats = await startNats()
    const [one, two] = [startWriter(nats, warehouse), startWriter(nats, warehouse)]
    await until(() => one.stats().lanes.length === 2 && two.stats().lanes.length === 2)
    const all = [...one.stats().lanes, ...two.stats().lanes]
    expect(all.sort()).toEqual([0, 1, 2, 3])
    await one.close()
    await until(() => two.stats().lanes.length === 4)
  })
})
