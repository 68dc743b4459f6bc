import { platformId } from '../../core/platforms.ts'
import { platformOfSource } from '../../core/sites/ai-hosts.ts'
import { hostOfText } from '../../core/sites/urls.ts'
import { readCount, readDay, readNumber, readText } from '../files/cells.ts'
import { Flaw, fieldFlaw } from '../files/flaw.ts'
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
  duration: ['averagesessionduration'],
  conversions: ['keyevents', 'conversions'],
} as const

type Column = keyof typeof dimensionNames | keyof typeof metricNames

const folded = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
const knownMetrics = new Set<string>(Object.values(metricNames).flat())
const isMetric = (name: string) => knownMetrics.has(folded(name))

/** Google's own name of the sessions that assistants bring. */
const channelNames = ['sessiondefaultchannelgroup', 'sessionprimarychannelgroup']

/** Makes a row from the cells of a report, in the order of its columns. @throws {Flaw} */
export type CellReader = (cells: readonly unknown[]) => DatedRow

/** The number of dimensions of a table: its columns before the first metric. */
export function countDimensions(names: readonly string[]): number {
  const first = names.findIndex(isMetric)
  return first < 0 ? names.length : first
}

/**
 * Makes the reader of a report from its columns. Dimensions that no report uses are still part of a row's key.
 * @throws {Flaw} that names a missing column
 */
export function cellReader(dimensions: readonly string[], metrics: readonly string[]): CellReader {
  const names = [...dimensions, ...metrics]
  const at = new Map<Column, number>()
  for (const [column, known] of Object.entries({ ...dimensionNames, ...metricNames })) {
    const found = known.map((name) => names.findIndex((each) => folded(each) === name))
    const index = found.find((each) => each >= 0)
    if (index !== undefined) at.set(column as Column, index)
  }
  for (const column of ['date', 'page', 'sessions', 'users', 'bounceRate', 'duration'] as const) {
    if (!at.has(column)) throw fieldFlaw(requiredNames[column], 'is not a column of the report')
  }
  if (!at.has('source') && !at.has('sourceMedium')) {
    throw fieldFlaw('sessionSource', 'is not a column of the report')
  }
  const used = new Set(at.values())
  const others = dimensions.flatMap((_, index) => (used.has(index) ? [] : [index]))
  const shape = dimensions.map(folded).sort().join(' ')
  const channelAt = dimensions.findIndex((name) => channelNames.includes(folded(name)))
  return (cells) => {
    const missing = names.length - cells.length
    if (missing > 0) throw new Flaw(`The row lacks ${missing} of ${names.length} cells.`)
    const cell = (column: Column) => cells[at.get(column) ?? -1]
    const parts = others.map((index) => readText(names[index] ?? '', cells[index]))
    return { ...rowOf(cell, parts, String(cells[channelAt] ?? '')), shape }
  }
}

const requiredNames = {
  date: 'date',
  page: 'landingPage',
  sessions: 'sessions',
  users: 'totalUsers',
  bounceRate: 'bounceRate',
  duration: 'averageSessionDuration',
} as const

/** @param channel empty where the report has none */
function rowOf(
  cell: (column: Column) => unknown,
  parts: readonly string[],
  channel: string,
): DatedRow {
  const landing = readPage(readText('landingPage', cell('page'), 8000))
  const [source, medium] = readSource(cell)
  const host = hostOfText(readText('hostName', cell('host'), 300))
  const sessions = readCount('sessions', cell('sessions'))
  const part = [landing.query, ...parts].filter((text) => text !== '')
  const conversions = cell('conversions')
  return {
    day: readDay('date', cell('date')),
    host: host === notSet ? '' : host || landing.host,
    page: landing.path,
    source,
    medium,
    part: part.length === 0 ? '' : JSON.stringify(part),
    platform: assistantOf(source, medium, channel) ?? '',
    sessions,
    users: readCount('totalUsers', cell('users')),
    bounced_sessions: sessions * readRate(cell('bounceRate')),
    duration_seconds: sessions * readNumber('averageSessionDuration', cell('duration')),
    conversions: conversions === undefined ? null : readNumber('keyEvents', conversions),
  }
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
function readRate(value: unknown): number {
  const text = String(value ?? '').trim()
  const rate = readNumber('bounceRate', text.replace(/\s?%$/, '')) / (text.endsWith('%') ? 100 : 1)
  if (rate <= 1) return rate
  throw fieldFlaw('bounceRate', 'must be from 0 to 1, or end with %', text)
}
