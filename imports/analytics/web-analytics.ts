import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { linkAnalytics } from '../../resolvers/connections/analytics.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { Flaw, parseJson, rowOrReason } from '../files/flaw.ts'
import { jsonParts } from '../files/json-rows.ts'
import type { Line } from '../files/lines.ts'
import { type Expected, requireLook } from '../files/looks.ts'
import { firstCharacter, peek } from '../files/peek.ts'
import { isZip } from '../files/zip.ts'
import type { Entry, ImportStores } from '../loads/runner.ts'
import { type DatedRow, loadDatedRows, type RowsOptions, type RowsResult } from './dated-rows.ts'
import { toolRows, zippedRows } from './tools/tools.ts'
import { exportRows } from './web-analytics-export.ts'
import { type CellReader, cellReader } from './web-analytics-row.ts'

export interface WebAnalyticsOptions extends Omit<RowsOptions, 'begin'> {
  /**
   * A report of the API of Google Analytics 4 as JSON, or an export of its web page as CSV. Or an export of Plausible,
   * Umami or Matomo.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The property to link; the linked one, or any, unless given. */
  readonly property?: string | null | undefined
}

/**
 * Loads sessions by day, page and source, and links the project to web analytics. A row replaces the row with the same
 * key; invalid rows are rejected.
 * @throws {Fault} `invalid_argument` when the report lacks a column, or another property is linked; the faults of
 *   `loadDatedRows`
 */
export async function importWebAnalytics(
  stores: ImportStores,
  actor: Actor,
  { bytes, property, ...options }: WebAnalyticsOptions,
): Promise<RowsResult> {
  const { head, all } = await peek(bytes, lookedAtBytes, options.signal)
  const rows = isZip(head) ? await zippedRows(all, options.signal) : fileRows(head, all, options)
  const begin = () => linkAnalytics(stores.db, actor, options.projectId, 'webAnalytics', property)
  return loadDatedRows(stores, { ...options, actor, table: 'web_analytics', rows, begin })
}

const lookedAtBytes = 64 * 1024

function fileRows(head: Buffer, all: AsyncIterable<Uint8Array>, { signal }: RowsOptions) {
  requireLook(head, expected)
  const ofTool = toolRows(head, all, signal)
  if (ofTool) return ofTool
  return firstCharacter(head) === '{' ? reportRows(all) : exportRows(all)
}

const expected: Expected = {
  command: 'import web-analytics',
  field: 'content',
  takes: 'reports of Google Analytics 4, as JSON or CSV, or exports of Plausible, Umami and Matomo',
  also: ({ form, command }) => command === null && (form === 'json' || form === 'csv'),
}

function readerOf(dimensions: readonly string[], metrics: readonly string[]): CellReader {
  try {
    return cellReader(dimensions, metrics)
  } catch (error) {
    if (error instanceof Flaw) throw invalid('content', `has a wrong header: ${error.message}`)
    throw error
  }
}

const header = z.array(z.object({ name: z.string() }))
const member = z.object({ dimensionHeaders: header.optional(), metricHeaders: header.optional() })
const cells = z.array(z.object({ value: z.string() }))
const reportRow = z.object({ dimensionValues: cells, metricValues: cells })

/**
 * Rows of one or several `runReport` answers, numbered through.
 * @see https://developers.google.com/analytics/devguides/reporting/data/v1/rest/v1beta/RunReportResponse
 */
async function* reportRows(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Entry<DatedRow>, void> {
  let dimensions: readonly string[] = []
  let metrics: readonly string[] = []
  let read: CellReader | undefined
  let number = 0
  for await (const part of jsonParts(bytes)) {
    if (part.kind === 'broken') {
      yield { number: number + 1, reason: part.reason }
    } else if (part.kind === 'member') {
      const headers =
        typeof part.text === 'string' ? member.safeParse(objectOf(part.text)).data : {}
      if (headers?.dimensionHeaders) dimensions = headers.dimensionHeaders.map(({ name }) => name)
      if (headers?.metricHeaders) metrics = headers.metricHeaders.map(({ name }) => name)
      if (headers?.dimensionHeaders || headers?.metricHeaders) read = undefined
    } else {
      read ??= readerOf(dimensions, metrics)
      yield readReportRow(++number, part.text, read)
    }
  }
  if (number === 0) readerOf(dimensions, metrics)
}

function objectOf(memberText: string): unknown {
  try {
    return JSON.parse(`{${memberText}}`)
  } catch {
    return undefined
  }
}

function readReportRow(number: number, text: Line, read: CellReader): Entry<DatedRow> {
  return rowOrReason(number, () => {
    const { data } = reportRow.safeParse(parseJson('row', text))
    if (!data) throw new Flaw('The row must have `dimensionValues` and `metricValues`.')
    return read([...data.dimensionValues, ...data.metricValues].map(({ value }) => value))
  })
}
