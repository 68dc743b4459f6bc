import { invalid } from '../../../core/errors.ts'
import { plainName } from '../../files/csv-columns.ts'
import { type Look, lookOf } from '../../files/looks.ts'
import { parsedDocument, wholeFile } from '../../files/whole.ts'
import { type ZippedFile, zippedFiles } from '../../files/zip.ts'
import type { Entry } from '../../loads/runner.ts'
import type { DatedRow } from '../dated-rows.ts'
import { matomoAdvice, matomoRows, matomoTableRows } from './matomo.ts'
import { plausibleRows } from './plausible.ts'
import { umamiRows } from './umami.ts'

type Rows = AsyncIterable<Entry<DatedRow>>
type Bytes = AsyncIterable<Uint8Array>

/** What to export of Plausible and Umami instead of a table of totals. */
const plausibleAdvice =
  'has no days or no sources: take the ZIP of "Settings", "Imports & exports" of Plausible, or its table `imported_sources`'
const umamiAdvice =
  'has no sources by day: take the export of data of Umami, whose `website_event.csv` has one event a line'

/**
 * The rows of a file of Plausible, Umami or Matomo; null for any other file.
 * @throws {Fault} `invalid_argument` for a file of such a tool without days or sources, with the file to take instead
 */
export function toolRows(head: Uint8Array, all: Bytes, signal?: AbortSignal): Rows | null {
  const look = lookOf(head)
  if (look?.form === 'csv') return tableRows(look, all, signal)
  if (look?.form === 'json') return jsonRows(head, all)
  return null
}

function tableRows({ names }: Look, all: Bytes, signal?: AbortSignal): Rows | null {
  const plain = new Set(names.map(plainName))
  const has = (...some: string[]) => some.every((name) => plain.has(name))
  if (has('visitid') && has('urlpath')) return umamiRows(all, signal)
  if (has('visitors') && (has('visits') || has('visitduration') || has('bouncerate'))) {
    if (has('date', 'source', 'visits')) return plausibleRows(all, signal)
    throw invalid('content', plausibleAdvice)
  }
  const isMatomo = has('nbvisits') || has('label', 'visits') || has('date', 'uniquevisitors')
  if (!isMatomo) return null
  if (has('date', 'label')) return matomoTableRows(all, signal)
  throw invalid('content', matomoAdvice)
}

function jsonRows(head: Uint8Array, all: Bytes): Rows | null {
  const text = new TextDecoder()
    .decode(head)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (isUmami(text)) throw invalid('content', umamiAdvice)
  const isMatomo = /^\{\s*"\d{4}-\d\d/.test(text) || /"(?:nb_visits|serverDate)"\s*:/.test(text)
  return isMatomo ? documentRows(all) : null
}

/** Statistics of Umami's API: counts as `y` of a name or time `x`, or totals. */
function isUmami(text: string): boolean {
  return /^\{\s*"(?:pageviews|sessions)"/.test(text) || /^\[\s*\{\s*"x"\s*:/.test(text)
}

async function* documentRows(all: Bytes): AsyncGenerator<Entry<DatedRow>, void> {
  const whole = await wholeFile(all, {
    field: 'content',
    what: 'a JSON document',
    mostMebibytes: 64,
    advice: 'export fewer days at a time',
  })
  yield* matomoRows(parsedDocument('content', whole))
}

/**
 * The rows of an archive of Plausible or Umami.
 * @throws {Fault} `invalid_argument` for any other archive
 */
export async function zippedRows(all: Bytes, signal?: AbortSignal): Promise<Rows> {
  const files = await zippedFiles(all)
  const found = (name: RegExp) => files.find((file) => name.test(file.name))
  const sources = found(/(?:^|\/)imported_sources[^/]*\.csv$/i)
  if (sources) return plausibleRows(sources.open(), signal)
  const events = found(/(?:^|\/)website_event[^/]*\.csv$/i)
  if (events) return umamiRows(events.open(), signal)
  throw invalid(
    'content',
    `is a ZIP archive without a table of Plausible or Umami: ${listed(files)}`,
  )
}

const namesShown = 5

function listed(files: readonly ZippedFile[]): string {
  const shown = files.slice(0, namesShown).map(({ name }) => name)
  return `it has ${shown.join(', ')}${files.length > namesShown ? ' and others' : ''}`
}
