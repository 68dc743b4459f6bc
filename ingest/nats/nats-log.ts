import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../../core/log.ts'
import { type BacklogShares, createBacklogShares } from '../log/backlog-shares.ts'
import { Overloaded } from '../log/backpressure.ts'
import { type EventLog, noOwner } from '../log/event-log.ts'
import { connectNats, type Nats } from './connection.ts'
import { createPublisher } from './publisher.ts'
import {
  deadStream,
  eventSubject,
  laneCount,
  laneOf,
  laneStream,
  lanes,
  openStreams,
  type StreamLimits,
} from './streams.ts'

export interface NatsLogOptions extends StreamLimits {
  /** The value of NATS_URL. */
  readonly url: string
  readonly log: Log
}

/** Bytes that may wait in memory for JetStream. */
const maxWaitingBytes = 64 * 2 ** 20
const measureMs = 500
const ackMs = 5000
/** What of a message is not its rows: subject and headers. */
const messageHeadBytes = 1024
const bestMessageBytes = 512 * 1024
const retryAfterSeconds = 10
/** Messages that count as one while the writer has not left the last of them. */
const messagesAtOnce = 256

/** What this tracker knows of a lane. */
interface Lane {
  /** Bytes in the stream. What this tracker has added since the last look counts too. */
  bytes: number
  messages: number
  firstSequence: number
  /** Of the newest message that this tracker added. */
  lastSequence: number
  isFull: boolean
  readonly shares: BacklogShares
}

/**
 * The log of events in JetStream. It connects in the background, and refuses events while NATS is away.
 */
export function openNatsLog(options: NatsLogOptions): EventLog {
  const nats = connectNats(options.url, 'sightline tracker', options.log)
  return new NatsLog(nats, options)
}

class NatsLog implements EventLog {
  readonly #nats: Nats
  readonly #log: Log
  readonly #maxLaneBytes: number
  readonly #lanes: readonly Lane[]
  readonly #publisher = createPublisher(
    (projectId, rows) => this.#send(projectId, rows),
    () => Math.min(bestMessageBytes, this.#largestMessage),
  )
  readonly #measuring: NodeJS.Timeout
  #client: JetStreamClient | undefined
  #manager: JetStreamManager | undefined
  #largestMessage = bestMessageBytes
  #deadLetters = 0
  #isClosed = false
  #fault: string | undefined
  #isMeasuring = false

  constructor(nats: Nats, options: NatsLogOptions) {
    this.#nats = nats
    this.#log = options.log
    this.#maxLaneBytes = Math.floor(options.maxBacklogBytes / laneCount)
    this.#lanes = lanes.map(() => newLane(this.#maxLaneBytes))
    nats.connected.then((connection) => this.#open(connection, options)).catch(() => undefined)
    this.#measuring = setInterval(() => this.#measure(), measureMs)
  }

  async #open(connection: NatsConnection, options: StreamLimits): Promise<void> {
    while (!this.#isClosed) {
      try {
        this.#manager = await openStreams(connection, options)
        this.#largestMessage = (connection.info?.max_payload ?? 0) - messageHeadBytes
        await this.#measure()
        this.#client = jetstream(connection)
        return
      } catch (error) {
        const { message } = error as Error
        if (message !== this.#fault) {
          this.#log.error(
            { err: error },
            'The streams of NATS cannot be opened. Events are refused.',
          )
        }
        this.#fault = message
        await new Promise((resolve) => setTimeout(resolve, measureMs))
      }
    }
  }

  /** Looks what the writers have shipped. */
  async #measure(): Promise<void> {
    const manager = this.#manager
    if (manager === undefined || this.#isMeasuring || this.#nats.current() === undefined) return
    this.#isMeasuring = true
    try {
      // All at once: one that nobody waits for yet would end the process when NATS goes away.
      const [dead, infos] = await Promise.all([
        manager.streams.info(deadStream),
        Promise.all(lanes.map((lane) => manager.streams.info(laneStream(lane)))),
      ])
      for (const [index, { state }] of infos.entries()) {
        const lane = this.#lanes[index]
        if (lane === undefined) continue
        lane.bytes = state.bytes
        lane.messages = state.messages
        lane.firstSequence = state.first_seq
        lane.lastSequence = Math.max(lane.lastSequence, state.last_seq)
        if (state.bytes < 0.9 * this.#maxLaneBytes) this.#setFull(lane, false)
        lane.shares.measure()
      }
      this.#deadLetters = dead.state.messages
    } catch (error) {
      this.#log.debug({ err: error }, 'The backlog in NATS could not be measured.')
    } finally {
      this.#isMeasuring = false
    }
  }

  #setFull(lane: Lane, isFull: boolean): void {
    if (lane.isFull === isFull) return
    lane.isFull = isFull
    const facts = { backlogBytes: lane.bytes, messages: lane.messages }
    if (isFull) this.#log.error(facts, 'A lane of NATS is full. Its events are refused.')
    else this.#log.info(facts, 'A lane of NATS takes events again.')
  }

  async #send(projectId: string, rows: Buffer): Promise<void> {
    const lane = this.#laneOf(projectId)
    const client = this.#client
    if (client === undefined || this.isAway) {
      throw new Overloaded('NATS does not answer.', retryAfterSeconds)
    }
    try {
      const { seq } = await client.publish(eventSubject(projectId), rows, { timeout: ackMs })
      lane.lastSequence = Math.max(lane.lastSequence, seq)
      lane.bytes += rows.length
    } catch (error) {
      if (/maximum bytes/.test((error as Error).message)) this.#setFull(lane, true)
      throw new Overloaded('NATS did not store the events.', retryAfterSeconds, error)
    }
  }

  #laneOf(projectId: string): Lane {
    const lane = this.#lanes[laneOf(projectId)]
    if (lane === undefined) throw new Error(`The project ${projectId} has no lane.`)
    return lane
  }

  get isAway(): boolean {
    return this.#client === undefined || this.#nats.current() === undefined
  }

  /** Why no lane takes events now. */
  #refusal(bytes: number): Overloaded | undefined {
    if (this.#isClosed) return new Overloaded('The event log is closed.', 1)
    if (this.isAway) return new Overloaded('NATS does not answer.', retryAfterSeconds)
    const isSlow = this.#publisher.waitingBytes + bytes > maxWaitingBytes
    return isSlow ? new Overloaded('NATS is slow.', 1) : undefined
  }

  #laneRefusal(lane: Lane, bytes: number): Overloaded | undefined {
    const waiting = this.#publisher.waitingBytes
    if (!lane.isFull && lane.bytes + waiting + bytes > this.#maxLaneBytes) this.#setFull(lane, true)
    if (!lane.isFull) return undefined
    return new Overloaded('The backlog for the warehouse is too long.', retryAfterSeconds)
  }

  async append(rows: Buffer, _count: number, owner = noOwner): Promise<void> {
    const bytes = rows.length
    if (bytes === 0) return
    const { workspaceId, projectId } = owner
    const lane = this.#laneOf(projectId)
    const refused =
      this.#refusal(bytes) ??
      this.#laneRefusal(lane, bytes) ??
      lane.shares.refusal(workspaceId, bytes)
    if (refused) throw refused
    await lane.shares.hold(workspaceId, bytes, this.#publisher.publish(projectId, rows))
  }

  get isOverloaded(): boolean {
    return this.#refusal(0) !== undefined || this.#lanes.some(({ isFull }) => isFull)
  }

  /** Before the body is read, the lane is not known. */
  isOverloadedFor(workspaceId: string): boolean {
    const isHeld = ({ isFull, shares }: Lane) => isFull || shares.refusal(workspaceId, 1)
    return this.#refusal(1) !== undefined || this.#lanes.every(isHeld)
  }

  backlog() {
    const sum = (of: (lane: Lane) => number) => this.#lanes.reduce((all, lane) => all + of(lane), 0)
    return {
      bytes: sum(({ bytes }) => bytes),
      segments: sum(({ messages }) => messages),
      deadLetters: { rows: this.#deadLetters, damaged: 0 },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#measuring)
    await this.#publisher.idle()
    await this.#nats.close()
  }
}

function newLane(maxBytes: number): Lane {
  const lane = { bytes: 0, messages: 0, firstSequence: 0, lastSequence: 0, isFull: false }
  const group = (sequence: number) => Math.floor(sequence / messagesAtOnce)
  const shares = createBacklogShares(
    maxBytes,
    {
      get sequence() {
        return group(lane.lastSequence)
      },
    },
    {
      get shippedSegment() {
        return group(lane.firstSequence)
      },
      get current() {
        return { bytes: lane.messages === 0 ? 0 : lane.bytes, ...noCounts }
      },
    },
  )
  return Object.assign(lane, { shares })
}

const noCounts = { segments: 0, deadLetters: { rows: 0, damaged: 0 } }
