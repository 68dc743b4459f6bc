import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { serversOf } from './connection.ts'
import { deadStream, laneStream, lanes, leastPayloadBytes } from './streams.ts'

/** The state of the servers and of the events in them. */
export interface NatsReport {
  readonly version: string
  readonly host: string
  readonly faults: readonly { readonly found: string; readonly mend: string }[]
  /** Events that are not in the warehouse yet. */
  readonly bytes: number
  readonly messages: number
  readonly deadLetters: number
}

const timeout = 3000

/** Asks the servers once. @throws {Error} when none answers */
export async function natsReport(urls: string): Promise<NatsReport> {
  const options = { ...serversOf(urls), name: 'sightline doctor', timeout, reconnect: false }
  const connection = await connect(options)
  try {
    const { version = '', max_payload = 0 } = connection.info ?? {}
    const faults: { found: string; mend: string }[] = []
    if (max_payload < leastPayloadBytes) {
      const found = `takes messages of up to ${max_payload} bytes, and an event may have more`
      faults.push({ found, mend: 'Set `max_payload: 4MB` in its configuration.' })
    }
    const manager = await jetstreamManager(connection).catch(() => undefined)
    if (manager === undefined) {
      const mend = 'Add `jetstream { store_dir: "…" }` to its configuration.'
      faults.push({ found: 'has no JetStream', mend })
    }
    const stateOf = async (name: string) => {
      const none = { bytes: 0, messages: 0 }
      if (manager === undefined) return none
      const found = await manager.streams.info(name).catch((error: unknown) => {
        if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
          return undefined
        throw error
      })
      return found?.state ?? none
    }
    const states = await Promise.all(lanes.map((lane) => stateOf(laneStream(lane))))
    return {
      version,
      host: connection.getServer(),
      faults,
      bytes: states.reduce((sum, { bytes }) => sum + bytes, 0),
      messages: states.reduce((sum, { messages }) => sum + messages, 0),
      deadLetters: (await stateOf(deadStream)).messages,
    }
  } finally {
    await connection.close()
  }
}
