import {
  type Consumer,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { countRows } from '../../warehouse/delivery.ts'
import type { Place } from './lease.ts'
import { laneStream } from './streams.ts'

/** Messages of a lane in memory, as one text of rows. */
export interface LanePart {
  readonly first: Place
  readonly last: Place
  readonly lines: Buffer
  readonly rows: number
}

const partBytes = 8 * 2 ** 20
/** The shortest that the client takes. Rows of this time are one insert. */
const fetchMs = 1000

interface Message extends Place {
  readonly data: Uint8Array
}

/** Whether a message is beyond a place. A server that lost messages reuses their numbers, at a later time. */
function isAfter(message: Place, place: Place): boolean {
  return message.sequence > place.sequence || BigInt(message.time) > BigInt(place.time)
}

/** Reads a lane in order, from its first message on. */
export class LaneReader {
  readonly #manager: JetStreamManager
  readonly #stream: string
  readonly #consumer: Consumer
  #read: number

  private constructor(manager: JetStreamManager, stream: string, consumer: Consumer, from: number) {
    this.#manager = manager
    this.#stream = stream
    this.#consumer = consumer
    this.#read = from - 1
  }

  static async open(
    client: JetStreamClient,
    manager: JetStreamManager,
    lane: number,
  ): Promise<LaneReader> {
    const stream = laneStream(lane)
    const { state } = await manager.streams.info(stream)
    const start = { deliver_policy: DeliverPolicy.All, inactive_threshold: 60_000 }
    const consumer = await client.consumers.get(stream, start)
    return new LaneReader(manager, stream, consumer, state.first_seq)
  }

  /**
   * The next messages after a place, of about a second. Undefined when there are none.
   * @param until the last message to read
   * @throws {Error} when the server has messages and sends none: open another reader
   */
  async next(after: Place, until?: Place): Promise<LanePart | undefined> {
    const messages: Message[] = []
    const fetched = await this.#consumer.fetch({ max_bytes: partBytes, expires: fetchMs })
    for await (const { seq: sequence, data, timestampNanos } of fetched) {
      this.#read = sequence
      const message = { sequence, time: String(timestampNanos), data }
      if (isAfter(message, after) && !(until && isAfter(message, until))) messages.push(message)
    }
    if (messages.length === 0) await this.#check()
    return partOf(messages)
  }

  async #check(): Promise<void> {
    const { state } = await this.#manager.streams.info(this.#stream)
    if (state.messages > 0 && state.last_seq !== this.#read) {
      // Unless they came in this moment, another reader gets them.
      throw new Error(`NATS sends no messages of ${this.#stream}.`)
    }
  }

  /** The messages of a batch that an earlier writer began, as far as the server has them. */
  static async read(
    client: JetStreamClient,
    manager: JetStreamManager,
    lane: number,
    { first, last }: { first: Place; last: Place },
  ): Promise<LanePart | undefined> {
    const reader = await LaneReader.open(client, manager, lane)
    const before = { sequence: first.sequence - 1, time: String(BigInt(first.time) - 1n) }
    const parts: LanePart[] = []
    for (let at = before; isAfter(last, at); at = parts.at(-1)?.last ?? last) {
      const part = await reader.next(at, last)
      if (part === undefined) break
      parts.push(part)
    }
    const [one] = parts
    if (one === undefined) return undefined
    const lines = Buffer.concat(parts.map((part) => part.lines))
    return { first: one.first, last, lines, rows: countRows(lines) }
  }
}

function partOf(messages: readonly Message[]): LanePart | undefined {
  const [first] = messages
  const last = messages.at(-1)
  if (first === undefined || last === undefined) return undefined
  const lines = Buffer.concat(messages.map(({ data }) => data))
  const placeOf = ({ sequence, time }: Message): Place => ({ sequence, time })
  return { first: placeOf(first), last: placeOf(last), lines, rows: countRows(lines) }
}

const lineFeed = 0x0a

/** Some rows of a text, counted from 0. */
export function rowsOf(lines: Buffer, [from, to]: readonly [from: number, to: number]): Buffer {
  const startOf = (row: number, start: number, at: number) => {
    let place = start
    for (let n = at; n < row; n++) {
      const end = lines.indexOf(lineFeed, place)
      if (end < 0) return lines.length
      place = end + 1
    }
    return place
  }
  const start = startOf(from, 0, 0)
  return lines.subarray(start, startOf(to, start, from))
}
