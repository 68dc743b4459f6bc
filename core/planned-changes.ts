/** What AI clients can plan. Deletions, keys, members and links to reports are left out: an injected text must not reach them. */
export const plannedActions = [
  'add_prompts',
  'update_prompt',
  'archive_prompt',
  'restore_prompt',
  'add_topic',
  'add_competitor',
  'create_report',
  'create_audit',
  'refresh_sitemap',
  'run_schedule',
  'complete_opportunity',
  'dismiss_opportunity',
  'ignore_issue',
] as const
export type PlannedAction = (typeof plannedActions)[number]

/** One thing that a change sets; without `before` it is new. */
export interface PlannedLine {
  readonly label: string
  readonly before: string | null
  readonly after: string | null
}

/** What a change does, in words that a person decides by. */
export interface PlannedWords {
  /** One sentence. */
  readonly summary: string
  readonly lines: readonly PlannedLine[]
  /** What else the person should know. */
  readonly notes: readonly string[]
  /** What it is expected to cost at AI providers, in US dollars; null where it costs nothing or its price is unknown. */
  readonly costUsd: number | null
}

/** An allowance of the plan that a change takes from. */
export interface PlannedAllowance {
  readonly name: 'prompts' | 'audits' | 'reports'
  readonly before: number
  readonly after: number
  readonly limit: number | null
}

export interface PlannedSaid extends PlannedWords {
  readonly allowance: PlannedAllowance | null
}

/** How long a person has to decide, and the client to apply. */
export const plannedMs = 10 * 60 * 1000

export const plannedStatuses = [
  'waiting',
  'approved',
  'refused',
  'applied',
  'stale',
  'expired',
] as const
export type PlannedStatus = (typeof plannedStatuses)[number]

/** Where a planned change is. One that was approved expires too, and one that was applied stays so. */
export function plannedStatus(
  change: {
    readonly appliedAt: Date | null
    readonly staleAt: Date | null
    readonly decision: 'approved' | 'refused' | null
    readonly expiresAt: Date
  },
  now: Date,
): PlannedStatus {
  if (change.appliedAt) return 'applied'
  if (change.decision === 'refused') return 'refused'
  if (change.staleAt) return 'stale'
  if (change.expiresAt <= now) return 'expired'
  return change.decision ?? 'waiting'
}
