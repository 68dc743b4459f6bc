type Headers = Readonly<Record<string, string | number>>

/** What a reply goes to, as Node.js has it. */
interface Response {
  writeHead(status: number, headers: Headers): unknown
  end(body?: string | Buffer): unknown
}

interface Reply {
  readonly response: Response
  readonly status: number
  readonly headers: Headers
  readonly body: string | Buffer | undefined
}

/** Turns of the event loop that a reply waits for others at most. */
const mostTurns = 3

let ready: Reply[] = []

/**
 * Sends a reply at the end of this turn of the event loop, with all others of the turn. A turn that has brought replies
 * is followed by another, for the requests that have come meanwhile. First the heads of all are made, then all are sent,
 * one right after the other. A write that wakes a client on another core takes longer than a reply does. So most writes
 * should find the client awake.
 */
export function sendAtEndOfTurn(
  response: Response,
  status: number,
  headers: Headers,
  body?: string | Buffer,
): void {
  if (ready.push({ response, status, headers, body }) === 1) setImmediate(endTurn, 0, 1)
}

function endTurn(before: number, turn: number): void {
  if (ready.length > before && turn < mostTurns) setImmediate(endTurn, ready.length, turn + 1)
  else flush()
}

function flush(): void {
  const replies = ready
  ready = []
  const begun: Reply[] = []
  const faults: unknown[] = []
  for (const reply of replies) {
    try {
      reply.response.writeHead(reply.status, reply.headers)
      begun.push(reply)
    } catch (error) {
      faults.push(error)
    }
  }
  for (const { response, body } of begun) response.end(body)
  // A fault of one reply keeps no other from its client.
  if (faults.length > 0) throw faults[0]
}
