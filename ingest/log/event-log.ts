import type { DeadLetterCounts } from '../writer/checkpoint.ts'

/** Whose events they are. */
export interface EventOwner {
  readonly workspaceId: string
  readonly projectId: string
}

export const noOwner: EventOwner = { workspaceId: '', projectId: '' }

/** Events that are not in the warehouse yet. */
export interface Backlog {
  readonly bytes: number
  /** Files of the log on disk, or messages of NATS. */
  readonly segments: number
  readonly deadLetters: DeadLetterCounts
}

/**
 * The log of accepted events: files of this machine, or JetStream. The endpoint acknowledges events after their
 * append.
 */
export interface EventLog {
  /**
   * Appends rows of JSONEachRow, each ending in a line feed. Resolves when the log has them for good. While other
   * workspaces send events too, a workspace holds at most half of the backlog.
   * @param rows copied before the call returns
   * @throws {Overloaded} when the log cannot take the events now, such as for a backlog that is too long
   */
  append(rows: Buffer, count: number, owner?: EventOwner): Promise<void>
  readonly isOverloaded: boolean
  /** Whether the server of the log does not answer. A log of files has none. */
  readonly isAway?: boolean
  isOverloadedFor(workspaceId: string): boolean
  backlog(): Backlog
  /** Resolves when each append is stored or refused. */
  close(): Promise<void>
}
