import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeIngestKey, makeSiteToken } from '../../core/tokens.ts'
import { startTrackers } from '../../test/kit/tracker/trackers.ts'
import { median, say } from '../service.ts'
import { bodiesOf, requestOf, type Shape } from './bodies.ts'
import { load } from './load.ts'

/**
 * node bench/tracker/processes.ts [SECONDS] [ROUNDS]
 *
 * Compares the events that one process of the tracker acknowledges per second with those of several behind one port.
 * The load needs a core too. Five interleaved rounds by default, ratios of medians.
 */
const seconds = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 5)
const counts = [1, 2, 3]
const shapes: Shape[] = [
  { eventsPerBody: 1000, crawlers: 0.1 },
  { eventsPerBody: 1000, crawlers: 1 },
  { eventsPerBody: 100, crawlers: 0.1 },
  { eventsPerBody: 1, crawlers: 1 },
]

const secret = 'bench'.repeat(8)
const ids = { projectId: crypto.randomUUID(), workspaceId: crypto.randomUUID() }
const key = makeIngestKey(secret, { id: crypto.randomUUID(), workspaceId: ids.workspaceId })
const siteToken = makeSiteToken(secret, ids)
const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))

const started = new Map<number, Awaited<ReturnType<typeof startTrackers>>>()
try {
  for (const count of counts)
    started.set(
      count,
      await startTrackers({ path: join(folder, String(count)), secret, processes: count }),
    )
  for (const shape of shapes) {
    const requests = bodiesOf(shape, siteToken).map((body) => requestOf(body, key))
    const seen = new Map<number, number[]>(counts.map((count) => [count, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [count, { port }] of started) {
        const { requestsPerSecond } = await load(port, requests, seconds * 1000)
        seen.get(count)?.push(requestsPerSecond * shape.eventsPerBody)
      }
    }
    const middle = (count: number) => median(seen.get(count) ?? [])
    say(`\n${shape.eventsPerBody} events a body, ${shape.crawlers * 100} % crawlers`)
    for (const count of counts) {
      const events = Math.round(middle(count)).toLocaleString('en').padStart(10)
      const ratio = (middle(count) / middle(1)).toFixed(2)
      say(`${count} processes ${events} events/s, ${ratio} times one process`)
    }
  }
} finally {
  for (const { stop } of started.values()) await stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit()
