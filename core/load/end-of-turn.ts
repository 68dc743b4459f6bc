/** A socket that holds back what is written to it from `cork` to `uncork`. */
export interface Corked {
  cork(): void
  uncork(): void
}

interface Reply {
  readonly socket: Corked | null
  readonly write: () => void
}

let ready: Reply[] = []

/**
 * Writes a reply at the end of this turn of the event loop, with all others of the turn. First the heads of all are made,
 * then their bytes are sent, one right after the other. A write that wakes a client on another core takes longer than a
 * reply does. So most writes should find the client awake.
 */
export function atEndOfTurn(socket: Corked | null, write: () => void): void {
  if (ready.push({ socket, write }) === 1) setImmediate(flush)
}

function flush(): void {
  const replies = ready
  ready = []
  const faults: unknown[] = []
  for (const { socket, write } of replies) {
    socket?.cork()
    try {
      write()
    } catch (error) {
      faults.push(error)
    }
  }
  for (const { socket } of replies) socket?.uncork()
  // A fault of one reply keeps no other from its client.
  if (faults.length > 0) throw faults[0]
}
