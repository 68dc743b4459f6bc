import { crc32 } from 'node:zlib'
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

/**
 * Events are in several streams, the lanes. A lane has one writer at a time, so as many writers can work at once. A project has one lane. More lanes later lose nothing: each message stays where it is.
 */
export const laneCount = 4

export const lanes: readonly number[] = Array.from({ length: laneCount }, (_, lane) => lane)

export const laneStream = (lane: number) => `SIGHTLINE_EVENTS_${lane}`

/** The progress of the writer of each lane, by CAS on its last message. */
export const writerStream = 'SIGHTLINE_WRITER'
export const writerSubject = (lane: number) => `sightline.writer.${lane}`

/** Rows that the warehouse refused for good. */
export const deadStream = 'SIGHTLINE_DEAD'
export const deadSubject = (lane: number, place: string) => `sightline.dead.${lane}.${place}`

export function laneOf(projectId: string): number {
  return crc32(projectId) % laneCount
}

export const eventSubject = (projectId: string) =>
  `sightline.events.${laneOf(projectId)}.${projectId === '' ? 'none' : projectId}`

/** The largest row has less: a body has 1 MB, and a row at most twice the bytes of its event's maps. */
export const leastPayloadBytes = 2 * 2 ** 20

export interface StreamLimits {
  /** Of all lanes together. */
  readonly maxBacklogBytes: number
  /** Servers that have each message: 1, 3 or 5. */
  readonly replicas: number
}

/**
 * Makes the streams that are missing, and gives them the limits. Safe when several processes start at once.
 * @throws {Error} when the server takes only smaller messages than an event may have
 */
export async function openStreams(
  connection: NatsConnection,
  { maxBacklogBytes, replicas }: StreamLimits,
): Promise<JetStreamManager> {
  const most = connection.info?.max_payload ?? 0
  if (most < leastPayloadBytes) {
    throw new Error(
      `NATS takes messages of up to ${most} bytes. Set \`max_payload: 4MB\` in its configuration.`,
    )
  }
  const manager = await jetstreamManager(connection)
  const common = { storage: StorageType.File, retention: RetentionPolicy.Limits }
  const kept = { ...common, num_replicas: replicas }
  const full = { discard: DiscardPolicy.New, max_bytes: Math.floor(maxBacklogBytes / laneCount) }
  const streams = [
    { name: writerStream, subjects: ['sightline.writer.*'], max_msgs_per_subject: 1 },
    { name: deadStream, subjects: ['sightline.dead.>'] },
    ...lanes.map((lane) => ({
      name: laneStream(lane),
      subjects: [`sightline.events.${lane}.*`],
      ...full,
    })),
  ]
  await Promise.all(streams.map((stream) => openStream(manager, { ...kept, ...stream })))
  return manager
}

async function openStream(
  manager: JetStreamManager,
  wanted: Partial<StreamConfig> & { name: string },
): Promise<void> {
  const found = await manager.streams.info(wanted.name).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
      return undefined
    throw error
  })
  if (found === undefined) {
    // Another process may make the same stream at the same moment, which changes nothing.
    await manager.streams.add(wanted)
    return
  }
  const { max_bytes = -1, num_replicas = 1 } = wanted
  const isSame = found.config.max_bytes === max_bytes && found.config.num_replicas === num_replicas
  if (!isSame) await manager.streams.update(wanted.name, { max_bytes, num_replicas })
}
