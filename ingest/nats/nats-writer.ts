import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../../core/log.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import type { Warehouse } from '../../warehouse/run.ts'
import { connectNats, type Nats } from './connection.ts'
import { type LaneParts, LaneWriter } from './lane-writer.ts'
import { Lease, leaseMs, readLane } from './lease.ts'
import { laneCount, lanes, openStreams, type StreamLimits } from './streams.ts'

export interface NatsWriter {
  /** Leaves the lanes to other writers, after what is under way, and 3 s at most. */
  close(): Promise<void>
  stats(): NatsWriterStats
}

export interface NatsWriterStats {
  /** Rows stored since the start. */
  readonly rows: number
  /** Lanes that this writer has. */
  readonly lanes: readonly number[]
  /** Whether a step has failed and is retried. */
  readonly isRetrying: boolean
}

export interface NatsWriterOptions extends StreamLimits {
  /** The value of NATS_URL. */
  readonly url: string
  readonly warehouse: Warehouse
  readonly log: Log
}

const roundMs = 500
const finishMs = 3000
const minRetryMs = 200
const maxRetryMs = 10_000
/** Writers say here that they run, so that each takes its part of the lanes. */
const presence = 'sightline.writers'

/** A lane that this writer has. */
interface Held {
  readonly lease: Lease
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/**
 * Writes the events of JetStream to the warehouse until it is closed. Writers share the lanes. Every failure is retried
 * without end.
 */
export function startNatsWriter(options: NatsWriterOptions): NatsWriter {
  const nats = connectNats(options.url, 'sightline tracker-writer', options.log)
  const writer = new LaneShare(nats, options)
  const working = writer.work()
  return {
    stats: () => writer.stats(),
    async close() {
      await writer.leave()
      await nats.close()
      await working
    },
  }
}

class LaneShare {
  readonly #nats: Nats
  readonly #options: NatsWriterOptions
  readonly #owner = randomUUID()
  readonly #stop = new AbortController()
  readonly #held = new Map<number, Held>()
  /** When each writer was heard last. */
  readonly #writers = new Map<string, number>()
  /** The last state of a lane that others have, and when it came. */
  readonly #seen = new Map<number, { revision: number; at: number }>()
  #rows = 0
  readonly #retrying = new Set<number>()

  constructor(nats: Nats, options: NatsWriterOptions) {
    this.#nats = nats
    this.#options = options
  }

  stats(): NatsWriterStats {
    const isRetrying = this.#retrying.size > 0
    return { rows: this.#rows, lanes: [...this.#held.keys()], isRetrying }
  }

  async work(): Promise<void> {
    const { signal } = this.#stop
    const { warehouse, log } = this.#options
    try {
      const connection = await this.#nats.connected
      this.#listen(connection)
      const parts = await this.#untilDone(async (): Promise<LaneParts> => {
        const manager = await openStreams(connection, this.#options)
        await migrateWarehouse(warehouse)
        const onStored = (lane: number, rows: number) => {
          this.#rows += rows
          if (this.#retrying.delete(lane))
            log.info({ lane }, 'Events are written to the warehouse again.')
        }
        return { client: jetstream(connection), manager, warehouse, log, onStored }
      })
      while (!signal.aborted) {
        await this.#round(connection, parts).catch((error: unknown) => {
          log.debug({ err: error }, 'The lanes of NATS could not be shared.')
        })
        await sleep(roundMs, undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** Leaves all lanes. */
  async leave(): Promise<void> {
    this.#stop.abort()
    const held = [...this.#held.values()]
    for (const { stop } of held) stop.abort()
    const ended = Promise.all(held.map((lane) => lane.ended))
    await Promise.race([ended, sleep(finishMs)])
    await Promise.all(held.map(({ lease }) => lease.leave()))
  }

  #listen(connection: NatsConnection): void {
    connection.subscribe(presence, {
      callback: (_, message) => {
        this.#writers.set(message.string(), performance.now())
      },
    })
  }

  /** Takes free lanes up to the share of this writer, and leaves one beyond it. */
  async #round(connection: NatsConnection, parts: LaneParts): Promise<void> {
    if (this.#nats.current() === undefined) return
    connection.publish(presence, this.#owner)
    const share = Math.ceil(laneCount / this.#countWriters())
    if (this.#held.size > share) {
      const [last] = [...this.#held.values()].slice(-1)
      last?.stop.abort()
    }
    for (const lane of lanes) {
      if (this.#stop.signal.aborted || this.#held.has(lane)) continue
      const found = await readLane(parts.manager, lane)
      const isFree = found.state.owner === null || this.#isSilent(lane, found.revision)
      if (!isFree || this.#held.size >= share) continue
      const lease = await Lease.take(parts.client, lane, this.#owner, found)
      this.#begin(parts, lane, lease)
    }
  }

  #countWriters(): number {
    const now = performance.now()
    this.#writers.set(this.#owner, now)
    for (const [writer, at] of this.#writers) {
      if (now - at > leaseMs) this.#writers.delete(writer)
    }
    return this.#writers.size
  }

  /** Whether the writer of a lane has saved nothing for too long. The time counts from the first look. */
  #isSilent(lane: number, revision: number): boolean {
    const seen = this.#seen.get(lane)
    if (seen?.revision === revision) return performance.now() - seen.at > leaseMs
    this.#seen.set(lane, { revision, at: performance.now() })
    return false
  }

  #begin(parts: LaneParts, lane: number, lease: Lease): void {
    const stop = new AbortController()
    this.#seen.delete(lane)
    const ended = this.#write(parts, lane, lease, stop.signal).finally(() => {
      this.#held.delete(lane)
      this.#retrying.delete(lane)
    })
    this.#held.set(lane, { lease, stop, ended })
  }

  async #write(parts: LaneParts, lane: number, lease: Lease, stop: AbortSignal): Promise<void> {
    const writer = new LaneWriter(parts, lane, lease)
    for (let pauseMs = minRetryMs; !stop.aborted && !lease.signal.aborted; ) {
      const before = this.#rows
      try {
        await writer.write(stop)
      } catch (error) {
        if (lease.signal.aborted || stop.aborted) break
        if (this.#rows > before) pauseMs = minRetryMs
        this.#failed(lane, error)
        const signal = AbortSignal.any([stop, lease.signal])
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
        pauseMs = Math.min(2 * pauseMs, maxRetryMs)
      }
    }
    await lease.leave()
  }

  /** Logs the first failure of a series as a warning. */
  #failed(lane: number, error: unknown): void {
    const { log } = this.#options
    const isFirst = !this.#retrying.has(lane)
    this.#retrying.add(lane)
    if (isFirst)
      log.warn(
        { err: error, lane },
        'Events wait: they cannot be written to the warehouse. `sightline doctor` checks CLICKHOUSE_URL.',
      )
    else log.debug({ err: error, lane }, 'Events still wait.')
  }

  async #untilDone<T>(step: () => Promise<T>): Promise<T> {
    const { signal } = this.#stop
    for (let failures = 0; ; failures++) {
      try {
        return await step()
      } catch (error) {
        if (failures === 0)
          this.#options.log.warn(
            { err: error },
            'Events wait: NATS or the warehouse is away. `sightline doctor` checks NATS_URL and CLICKHOUSE_URL.',
          )
        await sleep(Math.min(minRetryMs * 2 ** failures, maxRetryMs), undefined, { signal })
      }
    }
  }
}
