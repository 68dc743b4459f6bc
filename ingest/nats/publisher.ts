import { Overloaded } from '../log/backpressure.ts'

const lineFeed = 0x0a

/** Rows of one project that become one message. */
interface Message {
  readonly parts: Buffer[]
  bytes: number
  readonly stored: PromiseWithResolvers<void>
}

/** Gathers rows to messages: what comes while a message of the project is under way shares the next one. */
export interface Publisher {
  /**
   * Settles when JetStream has the message with the rows, or refuses it.
   * @param rows copied before the call returns
   */
  publish(projectId: string, rows: Buffer): Promise<void>
  /** Bytes that JetStream has not acknowledged yet. */
  readonly waitingBytes: number
  /** Resolves when nothing waits. */
  idle(): Promise<void>
}

/** @param send resolves when JetStream has the message; it gets one message of a project at a time */
export function createPublisher(
  send: (projectId: string, rows: Buffer) => Promise<void>,
  maxMessageBytes: () => number,
): Publisher {
  const queues = new Map<string, Message[]>()
  const running = new Set<Promise<void>>()
  let waitingBytes = 0

  async function run(projectId: string, queue: Message[]): Promise<void> {
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      try {
        await send(projectId, Buffer.concat(message.parts))
        message.stored.resolve()
      } catch (error) {
        message.stored.reject(error)
      }
      waitingBytes -= message.bytes
    }
    queues.delete(projectId)
  }

  function messageFor(queue: Message[], bytes: number): Message {
    const last = queue.at(-1)
    if (last !== undefined && last.bytes + bytes <= maxMessageBytes()) return last
    const message: Message = { parts: [], bytes: 0, stored: Promise.withResolvers() }
    queue.push(message)
    return message
  }

  function queueOf(projectId: string): Message[] {
    const known = queues.get(projectId)
    if (known !== undefined) return known
    const queue: Message[] = []
    queues.set(projectId, queue)
    // After this turn of the event loop: its requests share the first message.
    const run_ = new Promise((resolve) => setImmediate(resolve)).then(() => run(projectId, queue))
    running.add(run_)
    run_.finally(() => running.delete(run_))
    return queue
  }

  return {
    async publish(projectId, rows) {
      const queue = queueOf(projectId)
      const stored = split(rows, maxMessageBytes()).map((part) => {
        const message = messageFor(queue, part.length)
        message.parts.push(Buffer.from(part))
        message.bytes += part.length
        waitingBytes += part.length
        return message.stored.promise
      })
      // Each has settled before the answer: a retry must not meet a part that is still under way.
      const failed = (await Promise.allSettled(stored)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
    get waitingBytes() {
      return waitingBytes
    },
    async idle() {
      await Promise.all(running)
    },
  }
}

/** Splits rows between lines. @throws {Overloaded} never for rows of the tracker, which are shorter */
function split(rows: Buffer, maxBytes: number): Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; from < rows.length; ) {
    const isLast = rows.length - from <= maxBytes
    const end = isLast ? rows.length : rows.lastIndexOf(lineFeed, from + maxBytes - 1) + 1
    if (end <= from) throw new Overloaded('A row is longer than a message of NATS.', 10)
    parts.push(rows.subarray(from, end))
    from = end
  }
  return parts
}
