import { type Bucket, bucketOf, type HistoryInterval } from '../../core/buckets.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { byProject, type CrawlSelection, resolveCrawls, type TrafficArgs } from './crawls.ts'
import {
  type AttributionKey,
  attribution,
  sessionsByPlatform,
  sessionsByStep,
} from './referrals.sql.ts'

/** Sessions of people whom an AI assistant referred. */
export interface Referrals {
  readonly projectId: string
  /** What the sessions were selected by. */
  readonly asked: SessionSelection
  readonly total: number
  /** In the compared window; absent without a comparison. */
  readonly previous?: number
  readonly byPlatform: readonly PlatformSessions[]
}

export interface PlatformSessions {
  readonly projectId: string
  readonly platform: string
  readonly sessions: number
  readonly previous?: number
}

/** The sessions of a window, each with those of the compared one. */
export function comparedReferrals(now: Referrals, before: Referrals): Referrals {
  const earlier = new Map(before.byPlatform.map(({ platform, sessions }) => [platform, sessions]))
  const byPlatform = now.byPlatform.map((row) => {
    return { ...row, previous: earlier.get(row.platform) ?? 0 }
  })
  return { ...now, previous: before.total, byPlatform }
}

/** Selects sessions, whatever the project. */
type SessionSelection = Pick<CrawlSelection, 'from' | 'to' | 'hosts'>

const paramsOf = (scopes: readonly ProjectScope[], { from, to, hosts }: SessionSelection) => ({
  projects: scopes.map(({ project }) => project.id),
  from,
  to,
  ...(hosts ? { hosts } : {}),
})

/**
 * AI-referral sessions of several projects. Web analytics counts them: without it there are none. Crawls are no
 * sessions.
 */
export async function referralsOfMany(
  scopes: readonly ProjectScope[],
  selection: SessionSelection,
): Promise<Referrals[]> {
  const [first] = scopes.filter(({ project }) => project.connections.includes('webAnalytics'))
  if (first === undefined) {
    return scopes.map(({ project }) => {
      return { projectId: project.id, asked: selection, total: 0, byPlatform: [] }
    })
  }
  const rows = await run<PlatformSessions>(first.warehouse, {
    id: 'traffic.referrals',
    sql: sessionsByPlatform(selection.hosts !== null),
    params: paramsOf(scopes, selection),
  })
  return byProject(scopes, rows).map((found, i) => ({
    projectId: scopes[i]?.project.id ?? '',
    asked: selection,
    total: found.reduce((total, { sessions }) => total + sessions, 0),
    byPlatform: found.map(({ projectId, platform, sessions }) => ({
      projectId,
      platform,
      sessions,
    })),
  }))
}

/** The sessions of one AI platform in a day, week or month. */
export interface ReferralStep extends Bucket {
  readonly projectId: string
  readonly platform: string
  readonly sessions: number
}

/** The same sessions by day, week or month and AI platform; those without sessions are left out. */
export async function referralStepsOfMany(
  scopes: readonly ProjectScope[],
  { interval, ...selection }: SessionSelection & { readonly interval: HistoryInterval },
): Promise<ReferralStep[][]> {
  const [first] = scopes
  if (first === undefined) return []
  const rows = await run<Pick<ReferralStep, 'projectId' | 'platform' | 'date' | 'sessions'>>(
    first.warehouse,
    {
      id: 'traffic.referral-steps',
      sql: sessionsByStep(interval, selection.hosts !== null),
      params: paramsOf(scopes, selection),
    },
  )
  return byProject(scopes, rows).map((found) =>
    found.map((row) => ({ ...row, ...bucketOf(selection, interval, row.date) })),
  )
}

export const attributionGroupings = ['platform', 'landingPath'] as const
export type AttributionGrouping = (typeof attributionGroupings)[number]

export interface AttributedSessions {
  readonly projectId: string
  /** Null when rows are grouped by landing path only; `landingPath` is null when grouped by platform only. */
  readonly platform: string | null
  readonly landingPath: string | null
  readonly sessions: number
  readonly conversions: number | null
}

/** A key that rows are not grouped by is absent. */
type AttributionRow = Pick<AttributedSessions, 'sessions' | 'conversions'> &
  Partial<AttributedSessions>

const mostRows = 1000

/**
 * AI-referral sessions and their conversions, by platform and landing path, or by one of the two.
 * @throws {Fault} as `beginTraffic` does
 */
export async function trafficAttribution(
  scope: ProjectScope,
  args: TrafficArgs & { groupBy?: AttributionGrouping | null | undefined },
) {
  const { from, to, hosts } = resolveCrawls(scope, args)
  const by: AttributionKey = args.groupBy ?? 'both'
  const found = await run<AttributionRow>(scope.warehouse, {
    id: `traffic.attribution-${by}`,
    sql: attribution(by, hosts !== null),
    params: { ...paramsOf([scope], { from, to, hosts }), limit: mostRows },
  })
  const rows = found.map(
    ({ platform = null, landingPath = null, sessions, conversions }): AttributedSessions => ({
      projectId: scope.project.id,
      platform,
      landingPath,
      sessions,
      conversions,
    }),
  )
  return { scope, rows, dateRange: { from, to } }
}

export type TrafficAttribution = Awaited<ReturnType<typeof trafficAttribution>>
