import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import type { Range } from '../writer/checkpoint.ts'
import { writerStream, writerSubject } from './streams.ts'

/** A message of a lane: its number, and when the server stored it. A server that lost messages reuses numbers. */
export interface Place {
  readonly sequence: number
  /** Nanoseconds of Unix time. */
  readonly time: string
}

/** Messages that the writer sends together. */
export interface LaneBatch {
  readonly first: Place
  readonly last: Place
  readonly rows: number
  /** Rows to send, each range with its own deduplication token. The first one may have been sent. */
  readonly pieces: readonly Range[]
  /** Part of the first token: 1, and more after the warehouse kept a token but lost its rows. */
  readonly attempt: number
}

/** The progress of a lane, and who works on it. */
export interface LaneState {
  /** Null when the last writer has left the lane. */
  readonly owner: string | null
  /** Everything up to this message is in the warehouse, or a dead letter. */
  readonly shipped: Place
  readonly batch: LaneBatch | null
}

/** Another writer has the lane now. */
class LeaseLost extends Error {}

interface Saved {
  readonly state: LaneState
  /** The number of the message that holds the state; 0 when there is none. */
  readonly revision: number
}

/** A writer that says nothing for so long has left its lanes. */
export const leaseMs = 6000
const beatMs = 1500

/** The last saved state of a lane. */
export async function readLane(manager: JetStreamManager, lane: number): Promise<Saved> {
  const last = { last_by_subj: writerSubject(lane) }
  const found = await manager.streams.getMessage(writerStream, last)
  if (found !== null) return { state: found.json<LaneState>(), revision: found.seq }
  return { state: { owner: null, shipped: { sequence: 0, time: '0' }, batch: null }, revision: 0 }
}

/**
 * The right to write a lane. Each save names the save before it, so that a writer that was paused can save nothing
 * after another one has taken the lane.
 */
export class Lease {
  readonly #client: JetStreamClient
  readonly #lane: number
  readonly #owner: string
  readonly #lost = new AbortController()
  readonly #beating: NodeJS.Timeout
  #saved: Saved
  #savedAt = performance.now()
  #saving: Promise<void> = Promise.resolve()

  private constructor(client: JetStreamClient, lane: number, owner: string, found: Saved) {
    this.#client = client
    this.#lane = lane
    this.#owner = owner
    this.#saved = found
    this.#beating = setInterval(() => this.#beat(), beatMs)
  }

  /** Takes a lane as it was found. @throws {LeaseLost} when another writer is faster */
  static async take(
    client: JetStreamClient,
    lane: number,
    owner: string,
    found: Saved,
  ): Promise<Lease> {
    const lease = new Lease(client, lane, owner, found)
    try {
      await lease.save({})
      return lease
    } catch (error) {
      lease.#end()
      throw error
    }
  }

  get state(): LaneState {
    return this.#saved.state
  }

  /** Aborts when the lane is lost or left. */
  get signal(): AbortSignal {
    return this.#lost.signal
  }

  /** Resolves when JetStream has the state. @throws {LeaseLost} when another writer has the lane */
  save(change: Partial<LaneState>): Promise<void> {
    const saving = this.#saving.then(() => this.#save(change))
    this.#saving = saving.catch(() => undefined)
    return saving
  }

  /** Saves when the last save is old: what follows must not begin after another writer has taken the lane. */
  async confirm(): Promise<void> {
    if (performance.now() - this.#savedAt > leaseMs / 2) await this.save({})
  }

  /** Lets another writer take the lane at once. */
  async leave(): Promise<void> {
    if (!this.signal.aborted) await this.save({ owner: null }).catch(() => undefined)
    this.#end()
  }

  async #save(change: Partial<LaneState>): Promise<void> {
    if (this.signal.aborted) throw new LeaseLost()
    const state: LaneState = { ...this.#saved.state, owner: this.#owner, ...change }
    const expect = { lastSubjectSequence: this.#saved.revision }
    const began = performance.now()
    try {
      const body = JSON.stringify(state)
      const { seq } = await this.#client.publish(writerSubject(this.#lane), body, { expect })
      this.#saved = { state, revision: seq }
      this.#savedAt = began
    } catch (error) {
      // Also when it is not known whether the state was saved: the lane is taken again by what is there.
      this.#end()
      if (isWrongSequence(error)) throw new LeaseLost()
      throw error
    }
  }

  #beat(): void {
    this.save({}).catch(() => undefined)
  }

  #end(): void {
    clearInterval(this.#beating)
    this.#lost.abort()
  }
}

/** Whether JetStream has another message than the expected one. */
export function isWrongSequence(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence
  )
}
