import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { browser, gptBot } from '../kit/imports/access-logs.ts'
import { until } from '../kit/service.ts'
import { isShipped, makeFolder, storedPaths } from '../kit/tracker/folder.ts'
import { makeSite, startTrackerPart, startWriterPart } from '../kit/tracker/processes.ts'
import { startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'

let engine: TestWarehouse

beforeAll(async () => {
  engine = await startTestWarehouse()
  await migrateWarehouse(engine.warehouse)
})

afterAll(() => engine.stop())

/** `PUSH_LINES=10000000` for the run whose result the documentation has. */
const lines = Number(process.env.PUSH_LINES ?? 400_000)
const linesOfPush = 5000
const crawlers = 10
const kills = 6

const head = { ClientRequestHost: 'acme.com', ClientRequestMethod: 'GET', EdgeResponseStatus: 200 }

/** A body of Logpush: each tenth line is of GPTBot. */
function bodyOf(push: number, at: string): Buffer<ArrayBuffer> {
  let text = ''
  for (let i = 0; i < linesOfPush; i++) {
    const number = push * linesOfPush + i
    const [agent, ip] = i % crawlers === 0 ? [gptBot, '20.171.207.9'] : [browser, '203.0.113.7']
    const line = {
      ...head,
      RayID: `ray-${number}`,
      ClientIP: ip,
      ClientRequestURI: `/${number}`,
      ClientRequestUserAgent: agent,
      EdgeStartTimestamp: at,
    }
    text += `${JSON.stringify(line)}\n`
  }
  return gzipSync(text, { level: 1 })
}

test(`${lines} lines pushed in parallel, with ${kills} kills of tracker, writer and warehouse: each that was answered for is stored`, async () => {
  const dir = await makeFolder()
  const site = makeSite()
  let tracker = await startTrackerPart({ dir, site })
  let writer = await startWriterPart(dir, engine.url)
  onTestFinished(async () => {
    await Promise.all([tracker.kill(), writer.kill()])
  })
  const { port } = tracker
  const url = `http://127.0.0.1:${port}/v1/logs/cloudflare?site=${site.siteToken}`
  const headers = { authorization: `Bearer ${site.key}`, 'content-encoding': 'gzip' }
  const began = performance.now()
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const result = { acknowledged: 0, tries: 0, unanswered: 0, refused: 0 }
  let next = 0
  async function pushAll(): Promise<void> {
    while (next < lines / linesOfPush) {
      const body = bodyOf(next++, at)
      for (let isStored = false; !isStored; ) {
        result.tries++
        const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
        await answer?.arrayBuffer().catch(() => undefined)
        isStored = answer?.status === 200
        if (answer === undefined) result.unanswered++
        else if (!isStored) result.refused++
        if (!isStored) await sleep(50)
      }
      result.acknowledged += linesOfPush / crawlers
    }
  }
  const pushes = Promise.all(Array.from({ length: 4 }, pushAll))
  const kill = {
    async tracker() {
      await tracker.kill()
      tracker = await startTrackerPart({ dir, site, port })
    },
    async writer() {
      await writer.kill()
      writer = await startWriterPart(dir, engine.url)
    },
    async warehouse() {
      await engine.kill()
      await engine.restart()
    },
  }
  const parts = ['tracker', 'writer', 'warehouse'] as const
  for (let n = 0; n < kills; n++) {
    const share = ((n + 1) * lines) / (kills + 1)
    await until(() => next * linesOfPush >= share, 3_600_000)
    await kill[parts[n % 3] ?? 'tracker']()
  }
  await pushes
  const pushedMs = performance.now() - began
  await until(() => isShipped(dir), 600_000)
  const stored = await storedPaths(engine.warehouse, site.projectId)
  const once = new Set(stored)
  const twice = stored.length - once.size
  const said = {
    lines,
    ...result,
    stored: once.size,
    twice,
    linesPerSecond: Math.round((1000 * lines) / pushedMs),
  }
  process.stdout.write(`${JSON.stringify(said)}\n`)
  expect(result.acknowledged - once.size).toBe(0)
  // A push whose answer was lost with its tracker is repeated.
  expect(twice).toBeLessThanOrEqual((result.unanswered * linesOfPush) / crawlers)
}, 3_600_000)
