/** The score that a check lowers. */
export type CheckCategory = 'technical' | 'content' | 'aiReadiness'

export type CheckSeverity = 'critical' | 'high' | 'medium' | 'low'

/** An address, a line or a text behind a finding. Only the members that apply are set. */
export interface EvidenceEntry {
  readonly address?: string
  readonly line?: number
  readonly text?: string
  readonly status?: number
  readonly count?: number
  readonly crawler?: string
  readonly platform?: string
  readonly id?: string
}

export type Evidence = readonly EvidenceEntry[]

/** One check of the catalogue: what it finds, how bad that is, and how to mend it. */
export interface CheckEntry {
  readonly severity: CheckSeverity
  /**
   * Which pages a check judges: all that were requested, or only those read, or only those
   * indexable too. `site`: the check judges the site as a whole.
   */
  readonly of: 'page' | 'read' | 'indexable' | 'site'
  /**
   * `blocks`: the page cannot be read, so that no other check applies, and all scores are 0.
   * `hides`: the scores of content and AI readiness are 0.
   * `elsewhere`: the address stands for another page and has no scores.
   */
  readonly mark?: 'blocks' | 'hides' | 'elsewhere'
  /** Uses answers, hits of crawlers or other facts that only the service holds. */
  readonly facts?: true
  /** Ids of the checks that a finding of this check replaces. */
  readonly insteadOf?: readonly string[]
  /** What `affectedCount` counts. Without it, the count is 1. */
  readonly counts?: string
  /** When the check finds a fault. */
  readonly condition: string
  /** The condition with the figures of a page. Without it, `condition` describes the finding. */
  readonly found?: (n: number, evidence: Evidence) => string
  readonly howToFix: string
}

/** `1 link`, `3 links`. */
export function many(n: number, one: string, others = `${one}s`): string {
  return `${n} ${n === 1 ? one : others}`
}
