import { z } from 'zod'
import { invalid } from '../../../core/errors.ts'
import { hostOfText } from '../../../core/sites/urls.ts'
import { readCount, readDay, readNumber, readText } from '../../files/cells.ts'
import { csvEntries } from '../../files/csv-columns.ts'
import { checkShape, rowOrReason } from '../../files/flaw.ts'
import type { Entry } from '../../loads/runner.ts'
import type { DatedRow } from '../dated-rows.ts'
import { type Session, SessionSums, sourceOf } from './sessions.ts'

/** What to export instead of a report without days. */
export const matomoAdvice =
  'has no days or no sources: request `Referrers.getAll` or `Live.getLastVisitsDetails` of Matomo ' +
  'with `period=day` and a range of days'

const names = {
  date: ['date'],
  label: ['label'],
  visits: ['nbvisits', 'visits'],
  users: ['nbuniqvisitors', 'uniquevisitors'],
  bounces: ['bouncecount', 'bounces'],
  duration: ['sumvisitlength', 'totaltimespentbyvisitorsinseconds'],
} as const

type Cells = Readonly<Record<keyof typeof names, unknown>>

/**
 * A report of referrers by day, as CSV of Matomo's API with its own or its English names of columns.
 * @see https://developer.matomo.org/api-reference/reporting-api
 */
export function matomoTableRows(
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Entry<DatedRow>, void> {
  const required = ['date', 'label', 'visits', 'users', 'bounces', 'duration'] as const
  return csvEntries(bytes, { names, required, read: rowOf }, signal)
}

const reportRow = z.object({
  label: z.string(),
  nb_visits: z.unknown(),
  nb_uniq_visitors: z.unknown(),
  bounce_count: z.unknown(),
  sum_visit_length: z.unknown(),
})
const days = z.record(z.string().regex(/^\d{4}-\d\d-\d\d$/), z.array(z.unknown()))
const visits = z
  .array(z.looseObject({ serverDate: z.unknown(), actionDetails: z.unknown() }))
  .min(1)

/**
 * The JSON of Matomo's API: referrers by day, or a log of visits.
 * @throws {Fault} `invalid_argument` for any other report
 */
export function matomoRows(document: unknown): Iterable<Entry<DatedRow>> {
  const byDay = days.safeParse(document)
  if (byDay.success) return reportRows(byDay.data)
  const log = visits.safeParse(document)
  if (log.success) return visitRows(log.data)
  throw invalid('content', matomoAdvice)
}

function* reportRows(
  byDay: Readonly<Record<string, readonly unknown[]>>,
): Generator<Entry<DatedRow>, void> {
  let number = 0
  for (const [date, rows] of Object.entries(byDay)) {
    for (const value of rows) {
      yield rowOrReason(++number, () => {
        const row = checkShape(reportRow, value)
        return rowOf({
          date,
          label: row.label,
          visits: row.nb_visits,
          users: row.nb_uniq_visitors,
          bounces: row.bounce_count,
          duration: row.sum_visit_length,
        })
      })
    }
  }
}

function rowOf(cells: Cells): DatedRow {
  const label = readText('label', cells.label, 300)
  const isDirect = /^direct entry$/i.test(label)
  // The label of a website is its host.
  const isHost = /^[^\s/]+\.[^\s/]+$/.test(label)
  const name = isDirect || isHost ? '' : label
  const origin = { campaign: '', host: isHost ? label : '', name, medium: '' }
  return {
    day: readDay('date', cells.date),
    host: '',
    page: '',
    ...sourceOf(origin),
    part: label,
    shape: 'matomo referrers',
    sessions: readCount('nb_visits', cells.visits),
    users: readCount('nb_uniq_visitors', cells.users),
    bounced_sessions: readCount('bounce_count', cells.bounces),
    duration_seconds: readNumber('sum_visit_length', cells.duration),
    conversions: null,
  }
}

const visitShape = z.object({
  serverDate: z.string(),
  visitorId: z.string(),
  visitDuration: z.unknown(),
  actions: z.unknown(),
  referrerType: z.string().nullish(),
  referrerName: z.string().nullish(),
  referrerUrl: z.string().nullish(),
  actionDetails: z.array(z.looseObject({ type: z.string().nullish(), url: z.string().nullish() })),
})

const mediums: Readonly<Record<string, string>> = {
  direct: '',
  website: 'referral',
  search: 'organic',
}

function* visitRows(log: readonly unknown[]): Generator<Entry<DatedRow>, void> {
  const sums = new SessionSums('matomo visits')
  for (const [index, value] of log.entries()) {
    const read = rowOrReason(index + 1, () => sessionOf(checkShape(visitShape, value)))
    if ('row' in read) sums.add(read.row)
    else yield read
  }
  yield* sums.rows()
}

function sessionOf(visit: z.infer<typeof visitShape>): Session {
  const landing = visit.actionDetails.find(({ type }) => type === 'action' || !type)?.url ?? ''
  const url = URL.parse(landing)
  const type = visit.referrerType ?? ''
  const name = type === 'direct' ? '' : (visit.referrerName ?? '')
  return {
    day: readDay('serverDate', visit.serverDate),
    host: hostOfText(url?.host ?? ''),
    page: url?.pathname ?? '',
    origin: {
      campaign: type === 'campaign' ? name : '',
      host: URL.parse(visit.referrerUrl ?? '')?.host ?? '',
      name: type === 'campaign' ? '' : name,
      medium: mediums[type] ?? type,
    },
    user: visit.visitorId,
    isBounce: readCount('actions', visit.actions) === 1,
    seconds: readNumber('visitDuration', visit.visitDuration),
  }
}
