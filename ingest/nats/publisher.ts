import { Overloaded } from '../log/backpressure.ts'

/** Rows of one project that become one message. */
interface Message {
  readonly lines: string[]
  bytes: number
  readonly stored: PromiseWithResolvers<void>
}

/** Gathers rows to messages: what comes while a message of the project is under way shares the next one. */
export interface Publisher {
  /** Settles when JetStream has the message with the rows, or refuses it. */
  publish(projectId: string, lines: string, bytes: number): Promise<void>
  /** Bytes that JetStream has not acknowledged yet. */
  readonly waitingBytes: number
  /** Resolves when nothing waits. */
  idle(): Promise<void>
}

/** @param send resolves when JetStream has the message; it gets one message of a project at a time */
export function createPublisher(
  send: (projectId: string, rows: string) => Promise<void>,
  maxMessageBytes: () => number,
): Publisher {
  const queues = new Map<string, Message[]>()
  const running = new Set<Promise<void>>()
  let waitingBytes = 0

  async function run(projectId: string, queue: Message[]): Promise<void> {
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      try {
        await send(projectId, message.lines.join(''))
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
    const message: Message = { lines: [], bytes: 0, stored: Promise.withResolvers() }
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
    async publish(projectId, lines, bytes) {
      const queue = queueOf(projectId)
      const parts = bytes <= maxMessageBytes() ? [lines] : split(lines, maxMessageBytes())
      const stored = parts.map((part) => {
        const size = Buffer.byteLength(part)
        const message = messageFor(queue, size)
        message.lines.push(part)
        message.bytes += size
        waitingBytes += size
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
function split(lines: string, maxBytes: number): string[] {
  const parts: string[] = []
  let part = ''
  let bytes = 0
  for (const line of lines.split('\n').slice(0, -1)) {
    const size = Buffer.byteLength(line) + 1
    if (size > maxBytes) throw new Overloaded('A row is longer than a message of NATS.', 10)
    if (bytes + size > maxBytes) {
      parts.push(part)
      part = ''
      bytes = 0
    }
    part += `${line}\n`
    bytes += size
  }
  return [...parts, part]
}
