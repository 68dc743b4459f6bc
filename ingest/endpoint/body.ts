import type { IncomingMessage } from 'node:http'
import { maxBodyBytes } from './replies.ts'

/** What a piece of a body costs beside its bytes: a sender can make pieces of one byte. */
const pieceBytes = 200

/** Bounds what the bodies of all requests together take up in memory. */
export class BodyBudget {
  readonly maxBytes: number
  #held = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get heldBytes(): number {
    return this.#held
  }

  /** Takes so many bytes for a body, until `free` is called for it. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.maxBytes) return false
    this.#held += bytes
    return true
  }

  free(bytes: number): void {
    this.#held -= bytes
  }
}

export type Body =
  | { readonly bytes: Buffer; readonly heldBytes: number }
  | 'body_too_large'
  | 'overloaded'
  /** The client went away. */
  | 'aborted'

/**
 * Reads a body of at most 1 MB. The budget is charged for what has come, not for what was announced:
 * a slow sender takes little of it. Who gets bytes frees `heldBytes` when done with them.
 */
export function readBody(request: IncomingMessage, budget: BodyBudget): Promise<Body> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let bytes = 0
    let heldBytes = 0

    function add(piece: Buffer): void {
      bytes += piece.length
      const cost = piece.length + pieceBytes
      if (bytes > maxBodyBytes) {
        settle('body_too_large')
      } else if (!budget.take(cost)) {
        settle('overloaded')
      } else {
        heldBytes += cost
        pieces.push(piece)
      }
    }
    function end(): void {
      const [first] = pieces
      const whole = first && pieces.length === 1 ? first : Buffer.concat(pieces, bytes)
      settle({ bytes: whole, heldBytes })
    }
    const abort = () => settle('aborted')

    function settle(body: Body): void {
      request.off('data', add).off('end', end).off('close', abort)
      if (typeof body === 'string') budget.free(heldBytes)
      resolve(body)
    }
    request.on('data', add).on('end', end).on('close', abort)
  })
}
