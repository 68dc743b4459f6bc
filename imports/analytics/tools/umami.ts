import { invalid } from '../../../core/errors.ts'
import { hostOfText } from '../../../core/sites/urls.ts'
import { readDay, readText } from '../../files/cells.ts'
import { csvEntries } from '../../files/csv-columns.ts'
import { fieldFlaw } from '../../files/flaw.ts'
import type { Entry } from '../../loads/runner.ts'
import type { DatedRow } from '../dated-rows.ts'
import { type Origin, SessionSums } from './sessions.ts'

const names = {
  session: ['sessionid'],
  visit: ['visitid'],
  host: ['hostname'],
  path: ['urlpath'],
  referrer: ['referrerdomain'],
  campaign: ['utmsource'],
  medium: ['utmmedium'],
  type: ['eventtype'],
  at: ['createdat'],
} as const

type Cells = Readonly<Record<keyof typeof names, string>>

interface PageView {
  readonly visit: string
  readonly user: string
  readonly atMs: number
  readonly host: string
  readonly page: string
  readonly origin: Origin
}

/** A visit so far: its first page view, and what its other ones add. */
interface Visit {
  first: PageView
  lastMs: number
  views: number
}

const mostVisits = 2_000_000
const pageView = '1'

/**
 * The events of Umami's export, as sessions by day, landing page and source. A visit with one page view is a bounce,
 * and lasts from its first page view to its last.
 * @see https://docs.umami.is/docs/cloud/export-data
 */
export async function* umamiRows(
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Entry<DatedRow>, void> {
  const required = ['session', 'visit', 'path', 'at'] as const
  const visits = new Map<string, Visit>()
  const views = csvEntries(bytes, { names, required, read: viewOf }, signal)
  for await (const entry of views) {
    if (!('row' in entry)) yield entry
    else if (entry.row) addView(visits, entry.row)
  }
  const sums = new SessionSums('umami visits')
  for (const { first, lastMs, views } of visits.values()) {
    const day = new Date(first.atMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
    const { host, page, origin, user } = first
    const seconds = Math.round((lastMs - first.atMs) / 1000)
    sums.add({ day, host, page, origin, user, isBounce: views === 1, seconds })
  }
  yield* sums.rows()
}

/** Events come in any order. */
function addView(visits: Map<string, Visit>, view: PageView): void {
  const known = visits.get(view.visit)
  if (known === undefined) {
    if (visits.size >= mostVisits) {
      throw invalid('content', `has more than ${mostVisits} visits: export fewer days at a time`)
    }
    visits.set(view.visit, { first: view, lastMs: view.atMs, views: 1 })
    return
  }
  known.views++
  known.lastMs = Math.max(known.lastMs, view.atMs)
  if (view.atMs < known.first.atMs) known.first = view
}

/** A page view; null for an event of another type. @throws {Flaw} */
function viewOf(cells: Cells): PageView | null {
  if (cells.type !== '' && cells.type !== pageView) return null
  const visit = readText('visit_id', cells.visit)
  if (visit === '') throw fieldFlaw('visit_id', 'is required')
  const host = hostOfText(readText('hostname', cells.host, 300))
  const referrer = hostOfText(readText('referrer_domain', cells.referrer, 300))
  return {
    visit,
    user: readText('session_id', cells.session),
    atMs: readTime(cells.at),
    host,
    page: readText('url_path', cells.path, 8000),
    origin: {
      campaign: readText('utm_source', cells.campaign),
      // Within the site a page leads to the next one.
      host: referrer === host ? '' : referrer,
      name: '',
      medium: readText('utm_medium', cells.medium),
    },
  }
}

/** Unix time, in milliseconds, of a time in UTC, such as `2026-11-20 12:00:00`. @throws {Flaw} */
function readTime(text: string): number {
  const [, day = '', clock = ''] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|[+]00(?::?00)?)?$/.exec(text) ?? []
  const atMs = Date.parse(`${day}T${clock}Z`)
  if (Number.isNaN(atMs)) throw fieldFlaw('created_at', 'must be a time in UTC', text)
  readDay('created_at', day)
  return atMs
}
