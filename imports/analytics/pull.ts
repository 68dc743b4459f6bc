import { z } from 'zod'
import { Fault, invalid } from '../../core/errors.ts'
import { keptDays } from '../../core/pulling.ts'
import { type DateRange, daysOf, resolveWindow } from '../../core/window.ts'
import {
  type GoogleKind,
  linkAnalytics,
  linkedName,
  noteProblem,
} from '../../resolvers/connections/analytics.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { rowOrReason } from '../files/flaw.ts'
import { requireProject } from '../loads/lock.ts'
import type { Entry, ImportStores } from '../loads/runner.ts'
import { type DatedRow, type DatedTable, loadDatedRows, type RowsResult } from './dated-rows.ts'
import { type AskGoogle, GoogleRefusal, openGoogle } from './google.ts'
import { googleScopes } from './google-sign-in.ts'
import type { RefusalProblem } from './refusal.ts'
import { readApiRow, searchDimensions } from './search-console-row.ts'
import { cellReader } from './web-analytics-row.ts'

export interface Pull {
  readonly kind: GoogleKind
  readonly projectId: string
  /** The text of a service account's key file. */
  readonly credentials: string
  /** The site or the number of the property; the linked one unless given. */
  readonly name: string | undefined
  /** Length of the window, which ends today. */
  readonly days: number
  readonly signal: AbortSignal
}

const windowRule = { defaultDays: 28, maxDays: keptDays }

interface Report {
  readonly scope: string
  readonly table: DatedTable['table']
  readonly rows: (ask: AskGoogle, window: DateRange, name: string) => AsyncIterable<Entry<DatedRow>>
}

/** The scopes allow reading only. */
const reports: Readonly<Record<GoogleKind, Report>> = {
  searchConsole: {
    scope: googleScopes.searchConsole,
    table: 'search_console',
    rows: searchRows,
  },
  webAnalytics: {
    scope: googleScopes.webAnalytics,
    table: 'web_analytics',
    rows: sessionRows,
  },
}

/**
 * Loads the rows of the last days from Google's API, and links the project. The link stores a refusal of Google; a
 * success clears it.
 * @throws {Fault} `gsc_access_denied`, `gsc_site_not_linked`, `invalid_argument`; the faults of `loadDatedRows`
 */
export async function pull(stores: ImportStores, actor: Actor, options: Pull): Promise<RowsResult> {
  const { kind, projectId, credentials, days, signal } = options
  const { db } = stores
  const name = await nameOf(stores, options)
  const ask = openGoogle(credentials, reports[kind].scope, { signal })
  const window = resolveWindow({ days }, windowRule, new Date())
  try {
    const result = await pullDays(stores, actor, { projectId, kind, name, window, ask, signal })
    await noteProblem(db, projectId, kind, null)
    return result
  } catch (error) {
    if (!(error instanceof GoogleRefusal)) throw error
    const { problem } = error
    if (!isOfProperty(problem)) throw error
    // A refused property never delivered a row, so the project is not linked to it.
    if (kind === 'searchConsole') await linkAnalytics(db, actor, projectId, kind, name)
    await noteProblem(db, projectId, kind, problem)
    throw faultOf(kind, error)
  }
}

/** Whether the site or property itself is refused, and not the sign-in or all of its users. */
export const isOfProperty = (problem: RefusalProblem): problem is 'accessDenied' | 'notFound' =>
  problem === 'accessDenied' || problem === 'notFound'

export interface Chunk {
  readonly projectId: string
  readonly kind: GoogleKind
  readonly name: string
  readonly window: DateRange
  readonly ask: AskGoogle
  readonly signal: AbortSignal
}

/**
 * Loads the rows of some days, and links the project.
 * @throws {GoogleRefusal}; the faults of `loadDatedRows`
 */
export function pullDays(
  stores: ImportStores,
  actor: Actor,
  { projectId, kind, name, window, ask, signal }: Chunk,
): Promise<RowsResult> {
  const { table, rows } = reports[kind]
  return loadDatedRows(stores, {
    projectId,
    table,
    signal,
    actor,
    file: 'Google',
    rows: rows(ask, window, name),
    begin: () => linkAnalytics(stores.db, actor, projectId, kind, name),
  })
}

async function nameOf({ db }: ImportStores, { kind, projectId, name }: Pull): Promise<string> {
  const project = await requireProject(db, projectId)
  const linked = (await linkedName(db, projectId, kind))?.host
  if (kind === 'searchConsole') return name ?? linked ?? `sc-domain:${project.domain}`
  const property = (name ?? linked)?.replace(/^properties\//, '')
  if (property === undefined) {
    throw invalid('property', 'is required: no property is linked to the project')
  }
  if (!/^\d+$/.test(property))
    throw invalid('property', 'must be the number of a property', property)
  return property
}

function faultOf(kind: GoogleKind, cause: GoogleRefusal): Error {
  if (kind === 'webAnalytics') return invalid('property', `is not readable: ${cause.message}`)
  const code = cause.problem === 'accessDenied' ? 'gsc_access_denied' : 'gsc_site_not_linked'
  return new Fault(code, cause.message, { cause })
}

const pageRows = 25_000

const searchAnswer = z.object({ rows: z.array(z.unknown()).optional() })

/** Asks for each day alone, since an answer holds a limited number of rows. */
async function* searchRows(
  ask: AskGoogle,
  window: DateRange,
  site: string,
): AsyncGenerator<Entry<DatedRow>, void> {
  const endpoint = `https://searchconsole.googleapis.com/webmasters/v3/sites/${encodeURIComponent(site)}/searchAnalytics/query`
  let number = 0
  for (const day of daysOf(window)) {
    for (let startRow = 0, isMore = true; isMore; startRow += pageRows) {
      const { rows = [] } = searchAnswer.parse(
        await ask(endpoint, {
          startDate: day,
          endDate: day,
          dimensions: searchDimensions,
          type: 'web',
          rowLimit: pageRows,
          startRow,
        }),
      )
      for (const row of rows) yield rowOrReason(++number, () => readApiRow(row, searchDimensions))
      isMore = rows.length === pageRows
    }
  }
}

const dimensions = ['date', 'hostName', 'landingPage', 'sessionSource', 'sessionMedium']
const metrics = ['sessions', 'totalUsers', 'bounceRate', 'averageSessionDuration', 'keyEvents']
const named = (names: readonly string[]) => names.map((name) => ({ name }))

const cells = z.array(z.object({ value: z.string() }))
const sessionAnswer = z.object({
  rows: z.array(z.object({ dimensionValues: cells, metricValues: cells })).optional(),
  rowCount: z.number().optional(),
})

async function* sessionRows(
  ask: AskGoogle,
  { from, to }: DateRange,
  property: string,
): AsyncGenerator<Entry<DatedRow>, void> {
  const endpoint = `https://analyticsdata.googleapis.com/v1beta/properties/${property}:runReport`
  const read = cellReader(dimensions, metrics)
  let number = 0
  for (let offset = 0, isMore = true; isMore; offset += pageRows) {
    const { rows = [], rowCount = 0 } = sessionAnswer.parse(
      await ask(endpoint, {
        dateRanges: [{ startDate: from, endDate: to }],
        dimensions: named(dimensions),
        metrics: named(metrics),
        limit: String(pageRows),
        offset: String(offset),
        // Pages of one report need an order.
        orderBys: dimensions.map((dimensionName) => ({ dimension: { dimensionName } })),
      }),
    )
    for (const { dimensionValues, metricValues } of rows) {
      const values = [...dimensionValues, ...metricValues].map(({ value }) => value)
      yield rowOrReason(++number, () => read(values))
    }
    isMore = rows.length > 0 && offset + pageRows < rowCount
  }
}
