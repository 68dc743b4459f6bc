/** States of the data and of the site that are wrong without any statistics. */

/** Verified requests of one vendor's crawlers in a day. */
export interface Requests {
  readonly requests: number
  /** Answered with 401, 403, 429 or an error of the server. */
  readonly refused: number
}

/** A fifth of at least 50 requests: below that, one page that is gone would be an alarm. */
export const areRefused = ({ requests, refused }: Requests) =>
  requests >= 50 && refused >= 0.2 * requests

/** A tenth of the questions of a run. */
export const hasFailed = ({ asked, failed }: { readonly asked: number; readonly failed: number }) =>
  asked > 0 && failed >= 0.1 * asked

/** How much of a cap is spent: from 80 % on it is worth knowing, at 100 % questions wait. */
export function capState(spent: number, cap: number | null): 'near' | 'reached' | null {
  if (cap === null || spent < 0.8 * cap) return null
  return spent < cap ? 'near' : 'reached'
}

const problems = [
  'tracker_silent',
  'schedule_failed',
  'run_failed',
  'cap_near',
  'cap_reached',
  'connection_refused',
  'key_refused',
  'backup_old',
  'requests_refused',
  'robots_forbid',
] as const
export type Problem = (typeof problems)[number]

/** A state that a rule found. */
export interface Condition {
  readonly kind: 'crawlers.refused' | 'data.degraded'
  /** What it is about, such as one schedule: a condition of a subject is one alarm until it is over. */
  readonly subject: string
  readonly level: 'info' | 'warn'
  readonly problem: Problem
  /** The name of the subject, and what is wrong in words of the source; "" where nothing is to add. */
  readonly name: string
  readonly detail: string
}
