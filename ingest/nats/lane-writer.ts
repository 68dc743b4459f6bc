import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { Log } from '../../core/log.ts'
import { countRows, deliver } from '../../warehouse/delivery.ts'
import { RefusedRows, type Warehouse } from '../../warehouse/run.ts'
import { type LanePart, LaneReader, rowsOf } from './lane-reader.ts'
import { isWrongSequence, type LaneBatch, type Lease } from './lease.ts'
import { deadSubject, laneStream } from './streams.ts'

export interface LaneParts {
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  readonly warehouse: Warehouse
  readonly log: Log
  /** Called after each piece, and with 0 when the lane is open. */
  readonly onStored: (lane: number, rows: number) => void
}

/**
 * Writes a lane to the warehouse. Messages leave the stream when their rows are in the warehouse, or dead letters.
 * Repeat `write` when it throws, while the lease lasts.
 */
export class LaneWriter {
  readonly #parts: LaneParts
  readonly #lane: number
  readonly #lease: Lease

  constructor(parts: LaneParts, lane: number, lease: Lease) {
    this.#parts = parts
    this.#lane = lane
    this.#lease = lease
  }

  /** Writes until it is stopped. */
  async write(stop: AbortSignal): Promise<void> {
    const { client, manager } = this.#parts
    const begun = this.#lease.state.batch
    if (begun !== null) {
      const part = await LaneReader.read(client, manager, this.#lane, begun)
      await this.#send(part, true)
    }
    await this.#purge()
    const reader = await LaneReader.open(client, manager, this.#lane)
    this.#parts.onStored(this.#lane, 0)
    while (!stop.aborted) {
      this.#lease.signal.throwIfAborted()
      const part = await reader.next(this.#lease.state.shipped)
      if (part === undefined || stop.aborted) continue
      const { first, last, rows } = part
      const batch = { first, last, rows, pieces: [[0, rows] as const], attempt: 1 }
      await this.#lease.save({ batch })
      await this.#send(part, false)
      await this.#purge()
    }
  }

  /** What is shipped leaves the stream: this is the acknowledgement of its messages. */
  async #purge(): Promise<void> {
    const { sequence } = this.#lease.state.shipped
    if (sequence === 0) return
    const stream = laneStream(this.#lane)
    const { state } = await this.#parts.manager.streams.info(stream)
    // A server that lost messages begins again below: nothing that is there was shipped.
    if (state.first_seq > sequence || state.last_seq < sequence) return
    await this.#parts.manager.streams.purge(stream, { seq: sequence + 1 })
  }

  /** Sends the pieces of the batch. @param part is undefined when the server has lost all its messages */
  async #send(part: LanePart | undefined, mayBeStored: boolean): Promise<void> {
    let isAgain = mayBeStored
    for (let { batch } = this.#lease.state; batch !== null; { batch } = this.#lease.state) {
      const piece = batch.pieces[0] ?? [0, 0]
      const lines = part === undefined ? Buffer.alloc(0) : rowsOf(part.lines, piece)
      await this.#lease.confirm()
      try {
        const isStored = lines.length === 0 || (await this.#deliver(batch, lines, isAgain))
        if (isStored) {
          this.#parts.onStored(this.#lane, countRows(lines))
          await this.#finishPiece(batch)
        } else {
          await this.#lease.save({ batch: { ...batch, attempt: batch.attempt + 1 } })
        }
      } catch (error) {
        if (!(error instanceof RefusedRows)) throw error
        await this.#refuse(batch, lines, error.message)
      }
      isAgain = false
    }
  }

  #deliver(batch: LaneBatch, lines: Buffer, isAgain: boolean): Promise<boolean> {
    const { first, last, pieces, attempt } = batch
    const piece = pieces[0] ?? [0, 0]
    const { signal } = this.#lease
    const place = [this.#lane, first.sequence, first.time, last.sequence, piece.join('-')]
    const token = `nats:${place.join(':')}:${attempt}`
    const rows = piece[1] - piece[0]
    return deliver(this.#parts.warehouse, { lines, token, isAgain, signal, rows })
  }

  /** Splits a refused piece in halves until the faulty row is alone. That row becomes a dead letter. */
  async #refuse(batch: LaneBatch, lines: Buffer, reason: string): Promise<void> {
    const [from, to] = batch.pieces[0] ?? [0, 0]
    if (to - from > 1) {
      const middle = from + ((to - from) >> 1)
      const halves = [[from, middle] as const, [middle, to] as const]
      const pieces = [...halves, ...batch.pieces.slice(1)]
      await this.#lease.save({ batch: { ...batch, pieces, attempt: 1 } })
      return
    }
    const place = `${batch.first.sequence}-${batch.first.time}-${from}`
    this.#parts.log.warn({ place }, 'A row that the warehouse refuses becomes a dead letter.')
    const letter = { time: new Date().toISOString(), reason, row: lines.toString().trimEnd() }
    await this.#bury(place, JSON.stringify(letter))
    await this.#finishPiece(batch)
  }

  /** Publishes a dead letter, unless an earlier attempt has done so. */
  async #bury(place: string, letter: string): Promise<void> {
    const expect = { lastSubjectSequence: 0 }
    try {
      await this.#parts.client.publish(deadSubject(this.#lane, place), letter, { expect })
    } catch (error) {
      if (!isWrongSequence(error)) throw error
    }
  }

  #finishPiece(batch: LaneBatch): Promise<void> {
    const pieces = batch.pieces.slice(1)
    if (pieces.length > 0) return this.#lease.save({ batch: { ...batch, pieces, attempt: 1 } })
    return this.#lease.save({ batch: null, shipped: batch.last })
  }
}
