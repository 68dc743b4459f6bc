import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { until } from '../kit/service.ts'
import {
  isShipped,
  makeFolder,
  open,
  pathsTo,
  rowOf,
  rowsInLog,
  storedPaths,
} from '../kit/tracker/folder.ts'
import {
  makeSite,
  send,
  startLoad,
  startTrackerPart,
  startWriterPart,
} from '../kit/tracker/processes.ts'
import { startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'

let engine: TestWarehouse

beforeAll(async () => {
  engine = await startTestWarehouse()
  await migrateWarehouse(engine.warehouse)
})

afterAll(() => engine.stop())

/** What is stored, against what was acknowledged. */
async function account(projectId: string, acknowledged: readonly string[]) {
  const stored = await storedPaths(engine.warehouse, projectId)
  const once = new Set(stored)
  const lost = acknowledged.filter((path) => !once.has(path))
  return {
    acknowledged: acknowledged.length,
    stored: stored.length,
    lost: lost.length,
    twice: stored.length - once.size,
  }
}

const kills = 12

test(`${kills} kills of tracker, writer and warehouse lose no acknowledged event, and store none twice`, async () => {
  const dir = await makeFolder()
  const site = makeSite()
  const limits = { segmentBytes: 200_000 }
  let tracker = await startTrackerPart({ dir, site, limits })
  const { port } = tracker
  let writer = await startWriterPart(dir, engine.url)
  onTestFinished(async () => {
    await Promise.all([tracker.kill(), writer.kill()])
  })
  const load = startLoad({ port }, site, { connections: 16, pathsAtOnce: 5, pauseMs: 10 })

  const killed = { tracker: 0, writer: 0, warehouse: 0 }
  const away = () => sleep(Math.random() * 300)
  const kill = {
    async tracker() {
      await tracker.kill()
      await away()
      tracker = await startTrackerPart({ dir, site, limits, port })
    },
    async writer() {
      await writer.kill()
      await away()
      writer = await startWriterPart(dir, engine.url)
    },
    async warehouse() {
      await engine.kill()
      await away()
      await engine.restart()
    },
  }
  const parts = ['tracker', 'writer', 'warehouse'] as const
  // Every part in each round, in an order that chance gives.
  const rounds = Array.from({ length: 4 }, () => parts.toSorted(() => Math.random() - 0.5)).flat()
  for (const part of rounds.slice(0, kills)) {
    await sleep(300 + Math.random() * 1200)
    await kill[part]()
    killed[part]++
  }
  await sleep(500)
  await load.stop()
  await until(() => isShipped(dir), 120_000)

  const result = await account(site.projectId, load.acknowledged)
  const { sent, unanswered, refused } = load
  process.stdout.write(`${JSON.stringify({ killed, sent, unanswered, refused, ...result })}\n`)
  expect(result).toMatchObject({ lost: 0, twice: 0 })
  expect(result.acknowledged).toBeGreaterThan(1000)
  expect(result.stored).toBeLessThanOrEqual(result.acknowledged + unanswered)
})

test('while the warehouse is away events are taken up to the mark, and all are stored when it is back', async () => {
  const dir = await makeFolder()
  const site = makeSite()
  const maxBacklogBytes = 300_000
  const tracker = await startTrackerPart({ dir, site, limits: { maxBacklogBytes } })
  const writer = await startWriterPart(dir, engine.url)
  onTestFinished(async () => {
    await Promise.all([tracker.kill(), writer.kill()])
  })
  const acknowledged: string[] = []
  let count = 0
  async function sendSome(): Promise<Response | undefined> {
    const paths = Array.from({ length: 10 }, () => `/${count++}`)
    const response = await send(tracker, site, paths)
    if (response?.status === 202) acknowledged.push(...paths)
    return response
  }
  expect((await sendSome())?.status).toBe(202)
  await until(() => isShipped(dir))
  await engine.kill()
  let last = await sendSome()
  for (; last?.status === 202; last = await sendSome()) await sleep(5)
  expect(last?.status).toBe(503)
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  const inLog = (await rowsInLog(dir)).join('\n').length
  expect(inLog).toBeGreaterThan(0.9 * maxBacklogBytes)
  expect(inLog).toBeLessThan(1.1 * maxBacklogBytes)
  expect((await sendSome())?.status).toBe(503)

  await engine.restart()
  await until(async () => (await sendSome())?.status === 202)
  await until(() => isShipped(dir))
  const { lost, twice, stored } = await account(site.projectId, acknowledged)
  expect({ lost, twice, stored }).toEqual({ lost: 0, twice: 0, stored: acknowledged.length })
  const told = (part: { errors(): string }, text: string) => part.errors().split(text).length - 1
  expect(told(tracker, 'Events are refused')).toBe(1)
  expect(told(writer, 'Events wait')).toBe(1)
})

test('a second tracker or writer on the folder does not start, until the first has ended, however that was', async () => {
  const dir = await makeFolder()
  const site = makeSite()
  const [tracker, writer] = [
    await startTrackerPart({ dir, site }),
    await startWriterPart(dir, engine.url),
  ]
  await expect(startTrackerPart({ dir, site })).rejects.toThrow('another process has it')
  await expect(startWriterPart(dir, engine.url)).rejects.toThrow('another process has it')
  expect((await send(tracker, site, ['/1']))?.status).toBe(202)
  await Promise.all([tracker.kill(), writer.kill()])
  const next = await startTrackerPart({ dir, site })
  await (await startWriterPart(dir, engine.url)).kill()
  await next.kill()
})

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

test.skipIf(!canTrace).each([1, 2, 3])(
  'a warehouse killed when it has noted an insert, before the rows are in place, month %i of 3, loses none',
  async (month) => {
    const dir = await makeFolder()
    const { projectId } = makeSite()
    const log = await open(dir)
    const paths = pathsTo(15)
    const rows = paths.map((path, index) => {
      const timestamp = `2026-0${1 + (index % 3)}-15 12:00:00.000`
      return rowOf(projectId, path, { timestamp })
    })
    await log.append(Buffer.from(rows.join('')), rows.length)
    // A month's rows are in place when their folder has its name.
    const inject = ['-e', 'trace=rename', '-e', `inject=rename:signal=SIGKILL:when=${month}`]
    const { pid } = engine
    const strace = spawn('strace', ['-f', '-o', '/dev/null', ...inject, '-p', String(pid)])
    await once(strace.stderr, 'data')
    await sleep(1000)
    const writer = await startWriterPart(dir, engine.url)
    onTestFinished(() => writer.kill())
    await once(strace, 'close')
    await engine.kill()
    await engine.restart()
    await until(() => isShipped(dir))
    expect(await storedPaths(engine.warehouse, projectId)).toEqual(paths)
  },
)
