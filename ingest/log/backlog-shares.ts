import { FairShare } from '../fair-share.ts'
import type { BacklogMeter } from '../writer/backlog.ts'
import type { Appender } from './appender.ts'
import { Overloaded } from './backpressure.ts'

/** What each workspace holds of the backlog, by segments: one counts until the writer has left it. */
export interface BacklogShares {
  /** Why the log refuses so many bytes of a workspace now; undefined when it accepts them. */
  refusal(workspaceId: string, bytes: number): Overloaded | undefined
  /** Counts the bytes of an append, unless it fails. */
  hold(workspaceId: string, bytes: number, appended: Promise<void>): Promise<void>
  /** Gives back what the writer has shipped. Call it after the backlog was measured. */
  measure(): void
}

interface Holding {
  readonly workspaceId: string
  bytes: number
}

const retryAfterSeconds = 10

/** Segments of before the start count for nobody. */
export function createBacklogShares(
  maxBacklogBytes: number,
  appender: Pick<Appender, 'sequence'>,
  meter: Pick<BacklogMeter, 'shippedSegment' | 'current'>,
): BacklogShares {
  const share = new FairShare(maxBacklogBytes)
  const segments = new Map<number, Map<string, Holding>>()

  return {
    refusal(workspaceId, bytes) {
      if (share.mayTake(workspaceId, bytes)) return undefined
      return new Overloaded('The workspace holds half of the backlog.', retryAfterSeconds)
    },
    async hold(workspaceId, bytes, appended) {
      share.take(workspaceId, bytes)
      try {
        await appended
      } catch (error) {
        share.give(workspaceId, bytes)
        throw error
      }
      const { sequence } = appender
      const segment = segments.get(sequence) ?? new Map<string, Holding>()
      segments.set(sequence, segment)
      const holding = segment.get(workspaceId) ?? { workspaceId, bytes: 0 }
      segment.set(workspaceId, holding)
      holding.bytes += bytes
    },
    measure() {
      for (const [sequence, holdings] of segments) {
        if (sequence >= meter.shippedSegment && meter.current.bytes > 0) continue
        segments.delete(sequence)
        for (const { workspaceId, bytes } of holdings.values()) share.give(workspaceId, bytes)
      }
    },
  }
}
