import { type Bucket, bucketed, type HistoryInterval } from '../../core/buckets.ts'
import { Fault } from '../../core/errors.ts'
import { average, type Ratio, share } from '../../core/metrics.ts'
import {
  type DateRange,
  resolveWindow,
  type WindowArgs,
  type WindowRule,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { aiSessionsBySource, sessionsByDay, sessionsByPage } from './web-analytics.sql.ts'

/** The rows of a list to read. */
interface RowArgs {
  readonly limit: number
  readonly offset?: number
}

/** `weeks` is of REST, all others of GraphQL. */
type WeeksArgs = WindowArgs

/** Twelve weeks by default, a year at most. */
export const weeksWindow: WindowRule = { defaultDays: 12 * 7, maxDays: 52 * 7 }

interface Counts {
  readonly sessions: number
  readonly users: number
  /** Sessions that were not engaged, times a billion: of a rate, they have a fraction. */
  readonly bouncedBillionths: number
  readonly durationNs: number
}

/** Sessions of one day, week or month. */
export interface SessionPoint extends Bucket {
  readonly sessions: number
  readonly users: number
}

/** Sessions with bounce rate and duration. Without sessions the ratios have a denominator of 0. */
export interface SessionTotals {
  readonly sessions: number
  readonly users: number
  readonly bounceRate: Ratio
  readonly avgDuration: Ratio
}

/** The number of rows of the whole list, of which a page was read. */
interface RowCount {
  readonly total: number
}

export interface LandingPage extends SessionTotals, RowCount {
  readonly path: string
}

export interface AiReferral extends RowCount {
  readonly platform: string
  readonly source: string
  readonly sessions: number
  readonly users: number
}

const billion = 1e9

function totalsOf({ sessions, users, bouncedBillionths, durationNs }: Counts): SessionTotals {
  return {
    sessions,
    users,
    bounceRate: share(bouncedBillionths, sessions * billion),
    avgDuration: average(durationNs, sessions * billion),
  }
}

function notConnected(): Fault {
  return new Fault('ga4_not_connected', 'No property of web analytics is linked to the project.')
}

/** Reads all linked projects in one statement; returns a report or an error per project. */
async function reportMany<Row extends object, Answer>(
  scopes: readonly ProjectScope[],
  { limit = 0, offset = 0, ...args }: WeeksArgs & Partial<RowArgs>,
  query: { id: string; sql: string },
  answer: (rows: readonly Row[], window: DateRange) => Answer,
): Promise<(Answer | Error)[]> {
  const isLinked = ({ project }: ProjectScope) => project.connections.includes('webAnalytics')
  const [first] = scopes.filter(isLinked)
  if (first === undefined) return scopes.map(notConnected)
  const window = resolveWindow(args, weeksWindow, first.now)
  const projects = scopes.filter(isLinked).map(({ project }) => project.id)
  const rows = await run<Row & { projectId: string }>(first.warehouse, {
    ...query,
    params: { projects, ...window, limit, offset },
  })
  const found = Map.groupBy(rows, ({ projectId }) => projectId)
  return scopes.map((scope) =>
    isLinked(scope) ? answer(found.get(scope.project.id) ?? [], window) : notConnected(),
  )
}

/** Landing pages, most sessions first, ties by path. @returns `ga4_not_connected` for a project without a link */
export function topPages(scopes: readonly ProjectScope[], args: WeeksArgs & RowArgs) {
  const query = { id: 'web-analytics.pages', sql: sessionsByPage }
  return reportMany(
    scopes,
    args,
    query,
    (rows: readonly (Counts & RowCount & { path: string })[], window) => ({
      window,
      pages: rows.map(
        (row): LandingPage => ({ path: row.path, total: row.total, ...totalsOf(row) }),
      ),
    }),
  )
}

/** Sessions in total and by day, week or month. @returns `ga4_not_connected` for a project without a link */
export function webAnalytics(scopes: readonly ProjectScope[], args: WeeksArgs) {
  const query = { id: 'web-analytics.days', sql: sessionsByDay }
  return reportMany(scopes, args, query, (rows: readonly (Counts & { date: string })[], window) => {
    const series = (interval: HistoryInterval): SessionPoint[] =>
      bucketed(window, interval, rows).map(({ bucket, days }) => {
        const { sessions, users } = sumOf(days)
        return { ...bucket, sessions, users }
      })
    return { window, totals: totalsOf(sumOf(rows)), series }
  })
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum = (of: (row: Counts) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    sessions: sum((row) => row.sessions),
    users: sum((row) => row.users),
    bouncedBillionths: sum((row) => row.bouncedBillionths),
    durationNs: sum((row) => row.durationNs),
  }
}

/** AI-referral sessions by platform and source. @returns `ga4_not_connected` for a project without a link */
export function aiReferrals(scopes: readonly ProjectScope[], args: WeeksArgs & RowArgs) {
  const query = { id: 'web-analytics.ai-referrals', sql: aiSessionsBySource }
  return reportMany(scopes, args, query, (rows: readonly AiReferral[], window) => ({
    window,
    rows: rows.map(({ platform, source, sessions, users, total }) => ({
      platform,
      source,
      sessions,
      users,
      total,
    })),
  }))
}
