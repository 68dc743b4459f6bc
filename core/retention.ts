/** Kinds of data that are kept for a number of days. */
export const keptKinds = [
  'answers',
  'crawlerHits',
  'analytics',
  'pageContents',
  'audits',
  'auditTrail',
] as const
export type KeptKind = (typeof keptKinds)[number]

/** Days for which data of each kind is kept; null for as long as its project is there. */
export type Retention = Readonly<Record<KeptKind, number | null>>

/** The shorter of two retentions, kind by kind. */
export function shorter(one: Retention, other: Retention): Retention {
  const days = (kind: KeptKind) => {
    const least = Math.min(one[kind] ?? Infinity, other[kind] ?? Infinity)
    return least === Infinity ? null : least
  }
  const entries = keptKinds.map((kind) => [kind, days(kind)] as const)
  return Object.fromEntries(entries) as Record<KeptKind, number | null>
}

const dayMs = 24 * 3600 * 1000

/** The first day that is kept, `YYYY-MM-DD`: with 30, the 30 days before today. */
export const firstKeptDay = (days: number, now: Date): string =>
  new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)

/** The first kept day of each kind that has a limit. */
export function firstKeptDays(kept: Retention, now: Date): Partial<Record<KeptKind, string>> {
  return Object.fromEntries(
    keptKinds.flatMap((kind) => {
      const days = kept[kind]
      return days === null ? [] : [[kind, firstKeptDay(days, now)] as const]
    }),
  )
}
