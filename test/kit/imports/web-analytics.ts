import { importWebAnalytics } from '../../../imports/analytics/web-analytics.ts'
import type { ImportStores } from '../../../imports/loads/runner.ts'
import { commandLine } from '../../../resolvers/shared/audit-trail.ts'

/** One row of a report, with what most tests do not care about filled in. */
export interface TestSession {
  readonly date?: string
  readonly page?: string
  readonly source?: string
  readonly medium?: string
  readonly host?: string
  readonly sessions?: number
  readonly users?: number
  readonly bounceRate?: number
  readonly duration?: number
  readonly conversions?: number
}

const dimensions = [
  'date',
  'landingPagePlusQueryString',
  'sessionSource',
  'sessionMedium',
  'hostName',
]
const metrics = ['sessions', 'totalUsers', 'bounceRate', 'averageSessionDuration', 'keyEvents']
const values = (list: readonly (string | number)[]) =>
  list.map((value) => ({ value: String(value) }))

/** A row as the API of Google Analytics 4 writes it. */
export function reportRow(row: TestSession) {
  const {
    date = '20250510',
    page = '/a',
    source = 'google',
    medium = 'organic',
    host = 'acme.com',
  } = row
  const { sessions = 1, users = 1, bounceRate = 0, duration = 0, conversions = 0 } = row
  return {
    dimensionValues: values([date, page, source, medium, host]),
    metricValues: values([sessions, users, bounceRate, duration, conversions]),
  }
}

/** An answer of `runReport`. */
export function reportOf(rows: readonly unknown[]) {
  return {
    dimensionHeaders: dimensions.map((name) => ({ name })),
    metricHeaders: metrics.map((name) => ({ name, type: 'TYPE_INTEGER' })),
    rows,
    rowCount: rows.length,
    metadata: { currencyCode: 'EUR', timeZone: 'Europe/Berlin' },
    kind: 'analyticsData#runReport',
  }
}

export async function* bytesOf(text: string | Buffer): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text)
  // In pieces that cut rows and characters.
  for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997)
}

/** Imports a file that is given as its text, and links the project. */
export function importReport(stores: ImportStores, projectId: string, text: string | Buffer) {
  return importWebAnalytics(stores, commandLine, { projectId, bytes: bytesOf(text) })
}
