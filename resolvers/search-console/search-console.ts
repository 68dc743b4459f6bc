import { type Bucket, bucketed, type HistoryInterval } from '../../core/buckets.ts'
import { Fault, invalid } from '../../core/errors.ts'
import { average, type Ratio, share } from '../../core/metrics.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { oneOfRule } from '../../core/rule-text.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  explicitWindow,
  resolveWindow,
  type WindowArgs,
  type WindowRule,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  periodsOf,
  type SearchEngine,
  type SearchKey,
  searchBuckets,
  searchBy,
  searchByDay,
  searchPage,
} from './search-console.sql.ts'

export const searchWindows = ['7d', '28d', '90d'] as const

/** The window of reports on web search: 28 days by default. */
export const searchWindow: WindowRule = { ...yearWindow, defaultDays: 28 }

/** `window`, `startDate` and `endDate` are of REST, all others of GraphQL. */
export interface SearchWindowArgs extends WindowArgs {
  window?: string | null | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  /** Google unless another is given, as always in REST. */
  engine?: SearchEngine | null | undefined
}

/** The engine that a report is of. */
const engineOf = ({ engine }: Pick<SearchWindowArgs, 'engine'>): SearchEngine => engine ?? 'google'

export interface Counts {
  readonly clicks: number
  readonly impressions: number
  /** Impressions whose position is known. */
  readonly ranked: number
  /** Sum of position · impressions, times 1,000. */
  readonly placesThousandths: number
}

type Named = Counts & { readonly name: string }
type OfProject<Row> = Row & { readonly projectId: string }

/** Clicks and impressions. Without impressions the ratios have a denominator of 0. */
export interface SearchTotals {
  readonly clicks: number
  readonly impressions: number
  readonly ctr: Ratio
  readonly position: Ratio
  /** The same in the compared window; null or absent without a comparison. */
  readonly previous?: SearchTotals | null
}

/** Rows of both windows, each with whether it is of the window itself. */
type OfWindows<Row> = Row & { readonly isNow: boolean }

export interface ComparedSearchArgs extends SearchWindowArgs {
  compare?: Comparison | null | undefined
}

/** Totals of a query, page, country or device. */
export interface SearchRow extends SearchTotals {
  readonly projectId: string
  readonly engine: SearchEngine
  readonly name: string
  /** The window that the numbers are of. */
  readonly window: DateRange
}

/** Totals of one day, week or month. */
export interface SearchPoint extends SearchTotals, Bucket {}

export function totalsOf({ clicks, impressions, ranked, placesThousandths }: Counts): SearchTotals {
  return {
    clicks,
    impressions,
    ctr: share(clicks, impressions),
    position: average(placesThousandths, ranked * 1000),
  }
}

/** Explicit dates override `window`, which is then not checked. */
function windowOf(
  { window, startDate, endDate, engine: _engine, ...args }: SearchWindowArgs,
  now: Date,
): DateRange {
  if (startDate != null && endDate != null) {
    return explicitWindow(startDate, endDate, yearWindow, now, ['startDate', 'endDate'])
  }
  if (startDate != null) throw invalid('endDate', 'is required together with `startDate`')
  if (endDate != null) throw invalid('startDate', 'is required together with `endDate`')
  if (window == null) return resolveWindow(args, searchWindow, now)
  if (!searchWindows.some((name) => name === window)) {
    throw invalid('window', oneOfRule(searchWindows), window)
  }
  return resolveWindow({ days: Number.parseInt(window, 10) }, yearWindow, now)
}

type Linked = Awaited<ReturnType<typeof findLinks>>[number] | undefined

/** How a project is linked to an engine, and the words for it. */
const consoles = {
  google: { kind: 'searchConsole', name: 'Search Console', denies: 'Search Console denied' },
  bing: { kind: 'bingWebmaster', name: 'Bing Webmaster Tools', denies: 'Bing denied' },
} as const

function findLinks(first: ProjectScope, scopes: readonly ProjectScope[], engine: SearchEngine) {
  const { kind } = consoles[engine]
  return first.db.connection.findMany({
    where: { kind, projectId: { in: scopes.map(({ project }) => project.id) } },
    select: { projectId: true, host: true, problem: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
}

/** Why a project has no report; null when it has one. */
function problemOf(link: Linked, engine: SearchEngine): Fault | null {
  const { name, denies } = consoles[engine]
  if (!link) {
    return new Fault('gsc_not_connected', `No site of ${name} is linked to the project.`)
  }
  if (link.problem === 'accessDenied') {
    return new Fault('gsc_access_denied', `${denies} access to ${link.host}.`)
  }
  if (link.problem === 'notFound') {
    return new Fault('gsc_site_not_linked', `${name} does not know ${link.host}.`)
  }
  return null
}

export interface Head {
  readonly scope: ProjectScope
  readonly engine: SearchEngine
  readonly siteUrl: string
  readonly window: DateRange
}

/** Reads all linked projects in one statement; returns a report or an error per project. */
async function reportMany<Found, Answer>(
  scopes: readonly ProjectScope[],
  args: SearchWindowArgs,
  read: (
    linked: readonly ProjectScope[],
    window: DateRange,
  ) => Promise<readonly OfProject<Found>[]>,
  answer: (rows: readonly OfProject<Found>[], head: Head) => Answer,
): Promise<(Answer | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const window = windowOf(args, first.now)
  const engine = engineOf(args)
  const found = await findLinks(first, scopes, engine)
  const links = new Map(found.map((link) => [link.projectId, link]))
  const linked = scopes.filter(({ project }) => problemOf(links.get(project.id), engine) === null)
  const rows = linked.length === 0 ? [] : await read(linked, window)
  const byId = Map.groupBy(rows, ({ projectId }) => projectId)
  return scopes.map((scope) => {
    const { id, domain } = scope.project
    const siteUrl = links.get(id)?.host ?? `sc-domain:${domain}`
    const head = { scope, engine, siteUrl, window }
    return problemOf(links.get(id), engine) ?? answer(byId.get(id) ?? [], head)
  })
}

/** Values that a statement binds, beside projects and window. */
type OfEngine = Readonly<Record<string, unknown>> & { readonly engine: SearchEngine }

function reader<Row>(id: string, sql: string, more: OfEngine) {
  return (scopes: readonly ProjectScope[], window: DateRange): Promise<OfProject<Row>[]> => {
    const [first] = scopes
    if (first === undefined) return Promise.resolve([])
    const projects = scopes.map(({ project }) => project.id)
    return run<OfProject<Row>>(first.warehouse, {
      id: `search-console.${id}`,
      sql,
      params: { projects, ...window, ...more },
    })
  }
}

const buckets = [
  { label: 'Top 3', range: '1-3' },
  { label: 'Page 1', range: '4-10' },
  { label: 'Page 2', range: '11-20' },
  { label: 'Beyond', range: '20+' },
] as const

interface BucketCounts {
  readonly bucket: number
  readonly queries: number
  readonly clicks: number
  readonly impressions: number
}

/** Queries by their average position. */
export function positionBuckets(scopes: readonly ProjectScope[], args: SearchWindowArgs) {
  const engine = engineOf(args)
  const read = reader<BucketCounts>('buckets', searchBuckets(engine), { engine })
  return reportMany(scopes, args, read, (rows: readonly BucketCounts[], head) => ({
    ...head,
    buckets: buckets.map((about, number) => {
      const {
        queries = 0,
        clicks = 0,
        impressions = 0,
      } = rows.find(({ bucket }) => bucket === number) ?? {}
      return { ...about, queries, clicks, impressions }
    }),
    totalQueries: rows.reduce((sum, { queries }) => sum + queries, 0),
  }))
}

/** Reads the rows of the window, and those of the compared one. */
function readingBoth<Row extends object>(
  compare: Comparison | null | undefined,
  read: (scopes: readonly ProjectScope[], window: DateRange) => Promise<readonly Row[]>,
) {
  return async (
    linked: readonly ProjectScope[],
    window: DateRange,
  ): Promise<readonly OfWindows<Row>[]> => {
    const [now, before] = await Promise.all([
      read(linked, window),
      compare ? read(linked, comparedWindow(window, compare)) : [],
    ])
    return [
      ...now.map((row) => ({ ...row, isNow: true })),
      ...before.map((row) => ({ ...row, isNow: false })),
    ]
  }
}

const ofNow = <Row extends { readonly isNow: boolean }>(rows: readonly Row[]) =>
  rows.filter(({ isNow }) => isNow)
const ofBefore = <Row extends { readonly isNow: boolean }>(rows: readonly Row[]) =>
  rows.filter(({ isNow }) => !isNow)

/** Clicks and impressions, in total and by day, week or month. */
export function searchPerformance(
  scopes: readonly ProjectScope[],
  { compare, ...args }: ComparedSearchArgs,
) {
  type Day = Counts & { date: string }
  const read = readingBoth(compare, reader<Day>('days', searchByDay, { engine: engineOf(args) }))
  return reportMany(scopes, args, read, (found: readonly OfWindows<Day>[], head) => {
    const rows = ofNow(found)
    const previous = compare ? totalsOf(sumOf(ofBefore(found))) : null
    const series = (interval: HistoryInterval): SearchPoint[] =>
      bucketed(head.window, interval, rows).map(({ bucket, days }) => {
        return { ...bucket, ...totalsOf(sumOf(days)) }
      })
    return { ...head, totals: { ...totalsOf(sumOf(rows)), previous }, series }
  })
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum = (of: (row: Counts) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    clicks: sum((row) => row.clicks),
    impressions: sum((row) => row.impressions),
    ranked: sum((row) => row.ranked),
    placesThousandths: sum((row) => row.placesThousandths),
  }
}

/** @param before rows of the compared window; null without a comparison */
function rowsFrom(
  { window, engine }: Pick<Head, 'window' | 'engine'>,
  rows: readonly OfProject<Named>[],
  before: readonly Named[] | null,
): SearchRow[] {
  const earlier = before && new Map(before.map((row) => [row.name, row]))
  return rows.map((row) => ({
    projectId: row.projectId,
    engine,
    name: row.name,
    window,
    ...totalsOf(row),
    previous: earlier && totalsOf(earlier.get(row.name) ?? sumOf([])),
  }))
}

/** All devices or countries: most clicks first, then most impressions, ties by name. */
export const searchByFew =
  (key: 'device' | 'country') =>
  (scopes: readonly ProjectScope[], { compare, ...args }: ComparedSearchArgs) => {
    const engine = engineOf(args)
    return reportMany(
      scopes,
      args,
      readingBoth(compare, reader<Named>(key, searchBy(key, { engine }), { engine })),
      (found: readonly OfWindows<OfProject<Named>>[], head) => ({
        ...head,
        rows: rowsFrom(head, ofNow(found), compare ? ofBefore(found) : null),
      }),
    )
  }

/** The weeks of Bing, or the windows that an export of Google's web page has totals of, by a key, the newest first. */
export async function searchPeriods(
  scopes: readonly ProjectScope[],
  { key, engine }: { readonly key: SearchKey; readonly engine: SearchEngine },
): Promise<DateRange[][]> {
  const [first] = scopes
  if (first === undefined) return []
  const found = await run<{ projectId: string; first: string; last: string }>(first.warehouse, {
    id: 'search-console.periods',
    sql: periodsOf(key),
    params: { projects: scopes.map(({ project }) => project.id), engine },
  })
  const byId = Map.groupBy(found, ({ projectId }) => projectId)
  return scopes.map(({ project }) =>
    (byId.get(project.id) ?? []).map((row) => ({ from: row.first, to: row.last })),
  )
}

/** A page of queries or pages: most clicks first, then most impressions, ties by name. */
export const searchByMany =
  (key: SearchKey) =>
  (
    scopes: readonly ProjectScope[],
    { limit, offset, compare, ...args }: ComparedSearchArgs & PageArgs,
  ) => {
    type Listed = Named & { total: number }
    const engine = engineOf(args)
    const readPage = (page: PageArgs) =>
      reader<Listed>(key, searchPage(key, engine), { ...page, engine })
    const read = async (linked: readonly ProjectScope[], window: DateRange) => {
      const rows = await readPage({ limit, offset })(linked, window)
      const shown = new Set(rows.map(({ projectId }) => projectId))
      // A page beyond the end has no row that holds the total.
      const behind = offset === 0 ? [] : linked.filter(({ project }) => !shown.has(project.id))
      const firsts = await readPage({ limit: 1, offset: 0 })(behind, window)
      const names = [...new Set(rows.map(({ name }) => name))]
      const readNamed = reader<Named>(`${key}-before`, searchBy(key, { engine, isNamed: true }), {
        names,
        engine,
      })
      const before = compare ? await readNamed(linked, comparedWindow(window, compare)) : []
      return [
        ...rows.map((row) => ({ ...row, isNow: true, isShown: true })),
        ...firsts.map((row) => ({ ...row, isNow: true, isShown: false })),
        ...before.map((row) => ({ ...row, total: 0, isNow: false, isShown: false })),
      ]
    }
    return reportMany(
      scopes,
      args,
      read,
      (all: readonly OfWindows<OfProject<Listed & { isShown: boolean }>>[], head) => {
        const found = ofNow(all)
        const shown = found.filter(({ isShown }) => isShown)
        const rows = rowsFrom(head, shown, compare ? ofBefore(all) : null)
        return {
          ...head,
          rows,
          pagination: pagination({ limit, offset }, rows.length, found[0]?.total ?? 0),
        }
      },
    )
  }
