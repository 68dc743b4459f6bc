import type { IncomingMessage } from 'node:http'
import { FairShare } from '../fair-share.ts'
import { maxBodyBytes } from './replies.ts'

/** The memory of a chunk beside its bytes: a sender can send chunks of one byte. */
const chunkBytes = 200

/** Limits the memory of all request bodies together, and shares it among workspaces. */
export class BodyBudget {
  readonly maxBytes: number
  readonly #shares: FairShare
  #held = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
    this.#shares = new FairShare(maxBytes)
  }

  get heldBytes(): number {
    return this.#held
  }

  /** Reserves bytes until `free`. @returns false when the budget, or the workspace's part of it, is used up */
  reserve(workspaceId: string, bytes: number): boolean {
    if (!this.#shares.mayTake(workspaceId, bytes)) return false
    if (this.#held + bytes > this.maxBytes) return false
    this.#held += bytes
    this.#shares.take(workspaceId, bytes)
    return true
  }

  free(workspaceId: string, bytes: number): void {
    this.#held -= bytes
    this.#shares.give(workspaceId, bytes)
  }
}

export interface WholeBody {
  readonly bytes: Buffer
  /** What the budget is charged for it. */
  readonly heldBytes: number
}

export type Body =
  | WholeBody
  | 'body_too_large'
  | 'overloaded'
  /** The client disconnected. */
  | 'aborted'

/**
 * Reads a body of at most 1 MB. The budget is charged for received bytes, not for announced ones: a slow sender
 * reserves little. The caller frees `heldBytes` after use.
 */
export function readBody(
  request: IncomingMessage,
  budget: BodyBudget,
  workspaceId: string,
): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let heldBytes = 0

    function add(chunk: Buffer): void {
      bytes += chunk.length
      const cost = chunk.length + chunkBytes
      if (bytes > maxBodyBytes) {
        settle('body_too_large')
      } else if (!budget.reserve(workspaceId, cost)) {
        settle('overloaded')
      } else {
        heldBytes += cost
        chunks.push(chunk)
      }
    }
    const end = () => settle({ bytes: Buffer.concat(chunks), heldBytes })
    const abort = () => settle('aborted')

    function settle(body: Body): void {
      request.off('data', add).off('end', end).off('close', abort)
      if (typeof body === 'string') budget.free(workspaceId, heldBytes)
      resolve(body)
    }
    request.on('data', add).on('end', end).on('close', abort)
  })
}
