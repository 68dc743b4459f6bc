import {
  type AccessNotice,
  type EventKind,
  type LiveItem,
  merged,
  mergeKey,
  type ProjectEvent,
  readNotice,
} from '../../core/live/events.ts'
import type { Log } from '../../core/log.ts'
import type { Listener, ListenOptions } from '../../prisma/listen.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { CrawlerWatch } from './crawler-hits.ts'
import { LiveStream } from './stream.ts'

/** Who reads a stream, and what of it. */
export interface LiveReader {
  readonly projectId: string
  readonly keyId: string
  readonly userId: string
  /** The workspace of the key. Its plan decides whether the key may read. */
  readonly workspaceId: string
  readonly kinds: ReadonlySet<EventKind>
}

/** The events of all projects, for the readers of one process. */
export interface Live {
  /**
   * Opens a stream. Every later event reaches it.
   * @throws the error of the connection while PostgreSQL is away
   */
  open(reader: LiveReader): Promise<LiveStream>
  /** Ends all streams, and opens no other. */
  endStreams(): void
  close(): Promise<void>
}

export interface LiveParts {
  readonly listen: (options: ListenOptions) => Listener
  readonly warehouse: Warehouse
  readonly log: Log
}

/** Changes of this time become one event for each thing that they are about. */
const batchMs = 250
const hitsEveryMs = 10_000

/** One listening connection and one look at the warehouse for all readers. */
export function createLive({ listen, warehouse, log }: LiveParts): Live {
  const readers = new Map<LiveStream, LiveReader>()
  const watch = new CrawlerWatch(warehouse)
  let pending = new Map<string, LiveItem>()
  let flushing: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  let isOver = false

  function deliver(event: ProjectEvent): void {
    for (const [stream, { projectId, kinds }] of readers) {
      if (projectId !== event.projectId) continue
      if (event.kind === 'updates_missed' || kinds.has(event.kind)) stream.push(event)
    }
  }

  function flush(): void {
    const events = [...pending.values()]
    pending = new Map()
    flushing = undefined
    for (const event of events) deliver(event as ProjectEvent)
  }

  function collect(event: ProjectEvent): void {
    const key = `${event.projectId} ${String(mergeKey(event))}`
    const earlier = pending.get(key)
    pending.set(key, earlier === undefined ? event : merged(earlier, event))
    flushing ??= setTimeout(flush, batchMs)
  }

  function check(notice: AccessNotice): void {
    for (const [stream, reader] of readers) {
      const isConcerned =
        reader.keyId === notice.keyId ||
        reader.userId === notice.userId ||
        reader.workspaceId === notice.workspaceId ||
        reader.projectId === notice.projectId
      if (isConcerned) stream.recheck()
    }
  }

  function onNotice(payload: string): void {
    if (readers.size === 0) return
    const notice = readNotice(payload, new Date())
    if (notice?.kind === 'access') check(notice)
    else if (notice) collect(notice)
  }

  function onResumed(): void {
    const at = new Date()
    for (const [stream, { projectId }] of readers) {
      stream.recheck()
      stream.push({ kind: 'updates_missed', projectId, at })
    }
  }

  async function look(): Promise<void> {
    const wanted = [...readers.values()].filter(({ kinds }) => kinds.has('crawlers_visited'))
    try {
      const found = await watch.look(new Set(wanted.map((reader) => reader.projectId)), new Date())
      for (const event of found) deliver(event)
    } catch (err) {
      log.debug({ err }, 'crawler hits were not counted for live readers')
    }
    looking = readers.size > 0 && !isOver ? setTimeout(look, hitsEveryMs) : undefined
  }

  const listener = listen({
    onNotice,
    onResumed,
    onLost: (err) => log.warn({ err }, 'live events wait: the connection to PostgreSQL is lost'),
  })

  function endStreams(): void {
    isOver = true
    for (const stream of [...readers.keys()]) stream.end()
  }

  return {
    async open(reader) {
      await listener.ready()
      const stream = new LiveStream(() => readers.delete(stream))
      if (isOver) {
        stream.end()
        return stream
      }
      readers.set(stream, reader)
      looking ??= setTimeout(look, 0)
      return stream
    },
    endStreams,
    async close() {
      endStreams()
      clearTimeout(flushing)
      clearTimeout(looking)
      await listener.close()
    },
  }
}
