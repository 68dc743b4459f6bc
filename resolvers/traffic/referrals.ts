import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { byProject, type CrawlSelection, resolveCrawls, type TrafficArgs } from './crawls.ts'
import { type AttributionKey, attribution, sessionsByPlatform } from './referrals.sql.ts'

/** Visits of people whom an AI assistant sent. */
export interface Referrals {
  readonly total: number
  readonly byPlatform: readonly { readonly platform: string; readonly sessions: number }[]
}

/** Which sessions are meant, of whatever project. */
export type SessionSelection = Pick<CrawlSelection, 'from' | 'to' | 'hosts'>

/** Referrals of one project; asks for several projects at the same time become one statement. */
export type ReadReferrals = (selection: SessionSelection) => Promise<Referrals>

const paramsOf = (scopes: readonly ProjectScope[], { from, to, hosts }: SessionSelection) => ({
  projects: scopes.map(({ project }) => project.id),
  from,
  to,
  ...(hosts ? { hosts } : {}),
})

/**
 * AI-referral sessions of several projects. They are sessions of web analytics, and never those of crawlers: without
 * web analytics there are none.
 */
export async function referralsOfMany(
  scopes: readonly ProjectScope[],
  selection: SessionSelection,
): Promise<Referrals[]> {
  const [first] = scopes.filter(({ project }) => project.connections.includes('webAnalytics'))
  if (first === undefined) return scopes.map(() => ({ total: 0, byPlatform: [] }))
  const rows = await run<Referrals['byPlatform'][number] & { projectId: string }>(first.warehouse, {
    id: 'traffic.referrals',
    sql: sessionsByPlatform(selection.hosts !== null),
    params: paramsOf(scopes, selection),
  })
  return byProject(scopes, rows).map((found) => ({
    total: found.reduce((total, { sessions }) => total + sessions, 0),
    byPlatform: found.map(({ platform, sessions }) => ({ platform, sessions })),
  }))
}

export const attributionGroupings = ['platform', 'landingPath'] as const
export type AttributionGrouping = (typeof attributionGroupings)[number]

export interface AttributedSessions {
  /** Null where rows are grouped by landing path alone, as the path is by platform alone. */
  readonly platform: string | null
  readonly landingPath: string | null
  readonly sessions: number
  readonly conversions: number | null
}

/** The key that rows are not grouped by is absent. */
type AttributionRow = Pick<AttributedSessions, 'sessions' | 'conversions'> &
  Partial<AttributedSessions>

const mostRows = 1000

/**
 * Sessions that AI assistants sent, and what came of them: by platform and landing path, or one of them.
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
      platform,
      landingPath,
      sessions,
      conversions,
    }),
  )
  return { rows, dateRange: { from, to } }
}

export type TrafficAttribution = Awaited<ReturnType<typeof trafficAttribution>>
