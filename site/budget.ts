const perPageMs = 15_000
const baseMs = 15 * 60_000
const mostMs = 6 * 3_600_000

/** When an audit ends its requests: 15 seconds a page and 15 minutes after its start, at most 6 hours. */
export function auditDeadline(startedAt: Date, pageCount: number): Date {
  return new Date(startedAt.getTime() + Math.min(perPageMs * pageCount + baseMs, mostMs))
}
