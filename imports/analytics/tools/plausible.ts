import { readCount, readDay, readNumber, readText } from '../../files/cells.ts'
import { csvEntries } from '../../files/csv-columns.ts'
import type { Entry } from '../../loads/runner.ts'
import type { DatedRow } from '../dated-rows.ts'
import { sourceOf } from './sessions.ts'

const names = {
  date: ['date'],
  source: ['source'],
  referrer: ['referrer'],
  campaign: ['utmsource'],
  medium: ['utmmedium'],
  name: ['utmcampaign'],
  content: ['utmcontent'],
  term: ['utmterm'],
  visits: ['visits'],
  visitors: ['visitors'],
  bounces: ['bounces'],
  duration: ['visitduration'],
} as const

type Cells = Readonly<Record<keyof typeof names, string>>

/**
 * The table `imported_sources` of Plausible's export: visits by day and source. No table of the export has the landing
 * page and the source together, so these rows have no landing page.
 * @see https://plausible.io/docs/export-stats
 */
export function plausibleRows(
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Entry<DatedRow>, void> {
  const required = ['date', 'source', 'visits', 'visitors', 'bounces', 'duration'] as const
  return csvEntries(bytes, { names, required, read: rowOf }, signal)
}

function rowOf(cells: Cells): DatedRow {
  const host = readText('referrer', cells.referrer, 8000).split('/')[0] ?? ''
  // A visit without a page view has no source, and neither has a direct one.
  const isDirect = /^direct \/ none$/i.test(cells.source)
  const origin = {
    campaign: readText('utm_source', cells.campaign),
    host,
    name: isDirect ? '' : readText('source', cells.source),
    medium: readText('utm_medium', cells.medium),
  }
  const { source, medium, platform } = sourceOf(origin)
  const others = [
    cells.source,
    cells.referrer,
    cells.campaign,
    cells.name,
    cells.content,
    cells.term,
  ]
  return {
    day: readDay('date', cells.date),
    host: '',
    page: '',
    source,
    medium,
    // All columns of the table are part of a row's key.
    part: JSON.stringify(others),
    platform,
    shape: 'plausible sources',
    sessions: readCount('visits', cells.visits),
    users: readCount('visitors', cells.visitors),
    bounced_sessions: readCount('bounces', cells.bounces),
    duration_seconds: readNumber('visit_duration', cells.duration),
    conversions: null,
  }
}
