import { type Bucket, bucketed, type HistoryInterval } from '../../core/buckets.ts'
import { Fault } from '../../core/errors.ts'
import { average, type Ratio, share } from '../../core/metrics.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  resolveWindow,
  type WindowArgs,
  type WindowRule,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  aiSessionsBySource,
  sessionPeriods,
  sessionsByDay,
  sessionsByPage,
} from './web-analytics.sql.ts'

/** The rows of a list to read. */
interface RowArgs {
  readonly limit: number
  readonly offset?: number
}

/** `weeks` is of REST, all others of GraphQL. */
type WeeksArgs = WindowArgs

interface CompareArgs {
  readonly compare?: Comparison | null | undefined
}

/** Twelve weeks by default, a year at most. */
export const weeksWindow: WindowRule = { defaultDays: 12 * 7, maxDays: 52 * 7 }

interface Counts {
  readonly sessions: number
  readonly users: number
  /** Sessions of rows with a bounce rate, and of rows with a duration: an export may lack either. */
  readonly bounceSessions: number
  readonly timedSessions: number
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
  /** The same in the compared window; null or absent without a comparison. */
  readonly previous?: SessionTotals | null
}

/** The number of rows of the whole list, of which a page was read. */
interface RowCount {
  readonly total: number
}

export interface LandingPage extends SessionTotals, RowCount {
  readonly projectId: string
  readonly path: string
}

export interface AiReferral extends RowCount {
  readonly projectId: string
  readonly platform: string
  readonly source: string
  readonly sessions: number
  readonly users: number
  /** Sessions in the compared window; null without a comparison. */
  readonly previous: number | null
}

const billion = 1e9

function totalsOf({ sessions, users, ...counts }: Counts): SessionTotals {
  const { bounceSessions, bouncedBillionths, timedSessions, durationNs } = counts
  return {
    sessions,
    users,
    bounceRate: share(bouncedBillionths, bounceSessions * billion),
    avgDuration: average(durationNs, timedSessions * billion),
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
  answer: (rows: readonly Row[], window: DateRange, scope: ProjectScope) => Answer,
  at?: DateRange,
): Promise<(Answer | Error)[]> {
  const isLinked = ({ project }: ProjectScope) => project.connections.includes('webAnalytics')
  const [first] = scopes.filter(isLinked)
  if (first === undefined) return scopes.map(notConnected)
  const window = at ?? resolveWindow(args, weeksWindow, first.now)
  const projects = scopes.filter(isLinked).map(({ project }) => project.id)
  const rows = await run<Row & { projectId: string }>(first.warehouse, {
    ...query,
    params: { projects, ...window, limit, offset },
  })
  const found = Map.groupBy(rows, ({ projectId }) => projectId)
  return scopes.map((scope) =>
    isLinked(scope) ? answer(found.get(scope.project.id) ?? [], window, scope) : notConnected(),
  )
}

/** The same with the rows of the compared window; null without a comparison. */
async function comparedMany<Row extends object, Answer>(
  scopes: readonly ProjectScope[],
  { compare, ...args }: WeeksArgs & Partial<RowArgs> & CompareArgs,
  query: { id: string; sql: string },
  answer: (
    rows: readonly Row[],
    before: readonly Row[] | null,
    at: { readonly window: DateRange; readonly scope: ProjectScope },
  ) => Answer,
): Promise<(Answer | Error)[]> {
  const [first] = scopes
  const range = first && compare ? resolveWindow(args, weeksWindow, first.now) : null
  const asIs = (rows: readonly Row[]) => rows
  const [now, before] = await Promise.all([
    reportMany(scopes, args, query, (rows: readonly Row[], window, scope) => ({
      rows,
      window,
      scope,
    })),
    range && compare
      ? reportMany(scopes, allRows, query, asIs, comparedWindow(range, compare))
      : null,
  ])
  return now.map((found, i) => {
    if (found instanceof Error) return found
    const earlier = before?.[i] ?? null
    if (earlier instanceof Error) return earlier
    return answer(found.rows, earlier, found)
  })
}

/** All rows of a window: one on a page now may be anywhere in the list before. */
const allRows: RowArgs = { limit: 1_000_000, offset: 0 }

/** Landing pages, most sessions first, ties by path. @returns `ga4_not_connected` for a project without a link */
export function topPages(scopes: readonly ProjectScope[], args: WeeksArgs & RowArgs & CompareArgs) {
  const query = { id: 'web-analytics.pages', sql: sessionsByPage }
  type Page = Counts & RowCount & { path: string }
  return comparedMany(scopes, args, query, (rows: readonly Page[], before, { window, scope }) => {
    const earlier = before && new Map(before.map((row) => [row.path, row]))
    const { id: projectId } = scope.project
    return {
      scope,
      window,
      pages: rows.map((row): LandingPage => {
        const previous = earlier && totalsOf(earlier.get(row.path) ?? sumOf([]))
        return { projectId, path: row.path, total: row.total, ...totalsOf(row), previous }
      }),
    }
  })
}

/** Sessions in total and by day, week or month. @returns `ga4_not_connected` for a project without a link */
export function webAnalytics(scopes: readonly ProjectScope[], args: WeeksArgs & CompareArgs) {
  const query = { id: 'web-analytics.days', sql: sessionsByDay }
  type Day = Counts & { date: string }
  return comparedMany(scopes, args, query, (rows: readonly Day[], before, { window, scope }) => {
    const dated = rows.filter(({ date }) => date !== '')
    const series = (interval: HistoryInterval): SessionPoint[] =>
      bucketed(window, interval, dated).map(({ bucket, days }) => {
        const { sessions, users } = sumOf(days)
        return { ...bucket, sessions, users }
      })
    const previous = before && totalsOf(sumOf(before))
    return { scope, window, totals: { ...totalsOf(sumOf(rows)), previous }, series }
  })
}

/** The windows of which totals are known, without days. */
export async function sessionPeriodsOf(scopes: readonly ProjectScope[]): Promise<DateRange[][]> {
  const [first] = scopes
  if (first === undefined) return []
  const found = await run<{ projectId: string; first: string; last: string }>(first.warehouse, {
    id: 'web-analytics.periods',
    sql: sessionPeriods,
    params: { projects: scopes.map(({ project }) => project.id) },
  })
  const byId = Map.groupBy(found, ({ projectId }) => projectId)
  return scopes.map(({ project }) =>
    (byId.get(project.id) ?? []).map((row) => ({ from: row.first, to: row.last })),
  )
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum = (of: (row: Counts) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    sessions: sum((row) => row.sessions),
    users: sum((row) => row.users),
    bounceSessions: sum((row) => row.bounceSessions),
    timedSessions: sum((row) => row.timedSessions),
    bouncedBillionths: sum((row) => row.bouncedBillionths),
    durationNs: sum((row) => row.durationNs),
  }
}

/** AI-referral sessions by platform and source. @returns `ga4_not_connected` for a project without a link */
export function aiReferrals(
  scopes: readonly ProjectScope[],
  args: WeeksArgs & RowArgs & CompareArgs,
) {
  const query = { id: 'web-analytics.ai-referrals', sql: aiSessionsBySource }
  const keyOf = ({ platform, source }: AiReferral) => `${platform} ${source}`
  return comparedMany(
    scopes,
    args,
    query,
    (rows: readonly AiReferral[], before, { window, scope }) => {
      const earlier = before && new Map(before.map((row) => [keyOf(row), row.sessions]))
      return {
        scope,
        window,
        rows: rows.map((row): AiReferral => {
          const { projectId, platform, source, sessions, users, total } = row
          const previous = earlier && (earlier.get(keyOf(row)) ?? 0)
          return { projectId, platform, source, sessions, users, total, previous }
        }),
      }
    },
  )
}
