import { platformId } from '../../core/platforms.ts'
import { quoted } from '../../core/rule-text.ts'
import { platformOfSource } from '../../core/sites/ai-hosts.ts'
import { hostOfText } from '../../core/sites/urls.ts'
import { readCount, readDay, readNumber, readText } from '../files/cells.ts'
import { Flaw, fieldFlaw } from '../files/flaw.ts'
import { periodTotals } from '../loads/staged-rows.ts'
import { englishColumn, isMetricColumn } from './analytics-words.ts'
import type { DatedRow } from './dated-rows.ts'

/**
 * The columns of Google Analytics 4 that the import reads. Names are those of its API and its web page, in
 * lower case, without spaces and signs. Of several names the first one in the report counts.
 */
const dimensionNames = {
  date: ['date'],
  page: [
    'landingpage',
    'landingpageplusquerystring',
    'landingpagequerystring',
    'pagepath',
    'pagepathplusquerystring',
    'pagepathquerystring',
    'pagepathandscreenclass',
  ],
  source: ['sessionsource'],
  medium: ['sessionmedium'],
  sourceMedium: ['sessionsourcemedium'],
  host: ['hostname'],
} as const
const metricNames = {
  sessions: ['sessions'],
  users: ['totalusers', 'activeusers', 'users'],
  bounceRate: ['bouncerate'],
  engagementRate: ['engagementrate'],
  engagedSessions: ['engagedsessions'],
  duration: ['averagesessionduration'],
  conversions: ['keyevents', 'conversions'],
} as const

type Column = keyof typeof dimensionNames | keyof typeof metricNames

const folded = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
const knownMetrics = new Set<string>(Object.values(metricNames).flat())
const isMetric = (name: string) => knownMetrics.has(folded(name)) || isMetricColumn(name)

/** Google's own name of the sessions that assistants bring. */
const channelNames = ['sessiondefaultchannelgroup', 'sessionprimarychannelgroup']

/** Makes a row from the cells of a report, in the order of its columns. @throws {Flaw} */
export type CellReader = (cells: readonly unknown[]) => DatedRow

/** The days of a report without a date: its rows are totals of all of them. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** The number of dimensions of a table: its columns before the first metric. */
export function countDimensions(names: readonly string[]): number {
  const first = names.findIndex(isMetric)
  return first < 0 ? names.length : first
}

/**
 * Makes the reader of a report from its columns. Dimensions that no report uses are still part of a row's key. Numbers
 * that the report lacks are null.
 * @param period of a report without a date
 * @throws {Flaw} that names a missing column
 */
export function cellReader(
  dimensions: readonly string[],
  metrics: readonly string[],
  period: Period | null = null,
): CellReader {
  const names = [...dimensions, ...metrics]
  const at = new Map<Column, number>()
  for (const [column, known] of Object.entries({ ...dimensionNames, ...metricNames })) {
    const found = known.map((name) => names.findIndex((each) => folded(each) === name))
    const index = found.find((each) => each >= 0)
    if (index !== undefined) at.set(column as Column, index)
  }
  const missing = (['date', 'page', 'sessions'] as const).find((column) => !at.has(column))
  if (missing === 'date' && period === null) {
    throw fieldFlaw(
      'date',
      `is not a column of the report, and no line before names its days${strange(names)}`,
    )
  }
  const isSourceless = !at.has('source') && !at.has('sourceMedium')
  const lacking = missing === 'date' ? undefined : missing && requiredNames[missing]
  if (lacking || isSourceless) {
    throw fieldFlaw(lacking ?? 'sessionSource', `is not a column of the report${strange(names)}`)
  }
  const total = at.has('date') ? null : period
  const used = new Set(at.values())
  const others = dimensions.flatMap((_, index) => (used.has(index) ? [] : [index]))
  const shape = dimensions.map(folded).sort().join(' ')
  const channelAt = dimensions.findIndex((name) => channelNames.includes(folded(name)))
  return (cells) => {
    const missing = names.length - cells.length
    if (missing > 0) throw new Flaw(`The row lacks ${missing} of ${names.length} cells.`)
    const cell = (column: Column) => cells[at.get(column) ?? -1]
    const parts = others.map((index) => readText(names[index] ?? '', cells[index]))
    const row = rowOf(cell, parts, String(cells[channelAt] ?? ''), total)
    return { ...row, shape: total ? periodTotals : shape }
  }
}

const requiredNames = { page: 'landingPage', sessions: 'sessions' } as const

/** Columns that no language has, which may be the missing one. */
function strange(names: readonly string[]): string {
  const unknown = names.filter((name) => name !== '' && !isKnown(name))
  return unknown.length === 0 ? '' : `. Not known: ${unknown.map(quoted).join(', ')}`
}

const knownNames = new Set<string>(
  [...Object.values(dimensionNames), ...Object.values(metricNames), channelNames].flat(),
)
const isKnown = (name: string) => knownNames.has(folded(name)) || englishColumn(name) !== undefined

/** @param channel empty where the report has none */
function rowOf(
  cell: (column: Column) => unknown,
  parts: readonly string[],
  channel: string,
  period: Period | null,
): DatedRow {
  const landing = readPage(readText('landingPage', cell('page'), 8000))
  const [source, medium] = readSource(cell)
  const host = hostOfText(readText('hostName', cell('host'), 300))
  const sessions = readCount('sessions', cell('sessions'))
  const others = [landing.query, ...parts].filter((text) => text !== '')
  const part = others.length === 0 ? '' : JSON.stringify(others)
  const [users, duration] = [cell('users'), cell('duration')]
  const conversions = cell('conversions')
  return {
    day: period ? period.to : readDay('date', cell('date')),
    host: host === notSet ? '' : host || landing.host,
    page: landing.path,
    source,
    medium,
    part: period ? `from ${period.from}${part}` : part,
    platform: assistantOf(source, medium, channel) ?? '',
    sessions,
    users: users === undefined ? null : readCount('totalUsers', users),
    bounced_sessions: bouncedOf(cell, sessions),
    duration_seconds:
      duration === undefined ? null : sessions * readNumber('averageSessionDuration', duration),
    conversions: conversions === undefined ? null : readNumber('keyEvents', conversions),
  }
}

/** Sessions that were not engaged: by their rate, else by what is left of the engaged ones. */
function bouncedOf(cell: (column: Column) => unknown, sessions: number): number | null {
  const [rate, engagement, engaged] = [
    cell('bounceRate'),
    cell('engagementRate'),
    cell('engagedSessions'),
  ]
  if (rate !== undefined) return sessions * readRate('bounceRate', rate)
  if (engaged !== undefined) return Math.max(0, sessions - readCount('engagedSessions', engaged))
  return engagement === undefined ? null : sessions * (1 - readRate('engagementRate', engagement))
}

const notSet = '(not set)'

/**
 * The assistant that brought a session: by its host, else by Google's own verdict on a source that is new.
 * @see https://support.google.com/analytics/answer/9756891
 */
function assistantOf(source: string, medium: string, channel: string): string | null {
  const isAssistant = medium === 'ai-assistant' || channel.toLowerCase() === 'ai assistant'
  const named = platformOfSource(source)
  return named !== null || !isAssistant || source.startsWith('(') ? named : platformId(source)
}

/** Host, path and query of a path or URL; all empty for a session without a landing page. */
function readPage(text: string): { host: string; path: string; query: string } {
  if (text === '' || text === notSet) return { host: '', path: '', query: '' }
  const isPath = text.startsWith('/')
  const url = isPath ? null : URL.parse(text)
  if (!isPath && !url?.host)
    throw fieldFlaw('landingPage', 'must be a path, such as /products', text)
  const [path = '', ...query] =
    (url ? url.pathname + url.search : text).split('#', 1)[0]?.split('?') ?? []
  return { host: hostOfText(url?.host ?? ''), path, query: query.join('?') }
}

function readSource(cell: (column: Column) => unknown): readonly [string, string] {
  const both = readText('sessionSourceMedium', cell('sourceMedium'), 600).toLowerCase()
  const [source = '', medium = ''] = both.split(' / ')
  return [
    readText('sessionSource', cell('source'), 300).toLowerCase() || source,
    readText('sessionMedium', cell('medium'), 300).toLowerCase() || medium,
  ]
}

/** A rate from 0 to 1, or a percentage. @throws {Flaw} */
function readRate(field: string, value: unknown): number {
  const text = String(value ?? '').trim()
  const rate = readNumber(field, text.replace(/\s?%$/, '')) / (text.endsWith('%') ? 100 : 1)
  if (rate <= 1) return rate
  throw fieldFlaw(field, 'must be from 0 to 1, or end with %', text)
}
