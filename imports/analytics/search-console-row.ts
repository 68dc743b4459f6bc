import { z } from 'zod'
import { readCount, readDay, readNumber, readText } from '../files/cells.ts'
import { Flaw, fieldFlaw } from '../files/flaw.ts'
import type { DatedRow } from './dated-rows.ts'

/** The dimensions of Search Console that this import reads. */
export const searchDimensions = ['date', 'query', 'page', 'country', 'device'] as const
export type SearchDimension = (typeof searchDimensions)[number]

const devices = new Set(['desktop', 'mobile', 'tablet'])

const apiRow = z.object({
  keys: z.array(z.string()),
  clicks: z.unknown(),
  impressions: z.unknown(),
  position: z.unknown(),
})

/**
 * A row of the Search Analytics API. Its keys are in the order of the requested dimensions.
 * @throws {Flaw}
 * @see https://developers.google.com/webmaster-tools/v1/searchanalytics/query
 */
export function readApiRow(row: unknown, dimensions: readonly SearchDimension[]): DatedRow {
  const { data } = apiRow.safeParse(row)
  if (!data) throw new Flaw('The row must have `keys`, `clicks`, `impressions` and `position`.')
  const { keys } = data
  if (keys.length !== dimensions.length) {
    const rule = `must have one entry for each of ${dimensions.join(', ')}`
    throw fieldFlaw('keys', rule, keys.join(', '))
  }
  const key = (name: SearchDimension) => keys[dimensions.indexOf(name)]
  return {
    day: readDay('date', key('date')),
    query: readText('query', key('query')),
    page: readText('page', key('page'), 8000),
    country: readCountry(key('country')),
    device: readDevice(key('device')),
    part: '',
    shape: dimensions.toSorted().join(' '),
    clicks: readCount('clicks', data.clicks),
    impressions: readCount('impressions', data.impressions),
    position: readNumber('position', data.position),
  }
}

const bulkRow = z.record(z.string(), z.unknown())

/**
 * A line of the bulk export, whose positions count from 0 and are summed.
 * @returns the row and its site
 * @throws {Flaw}
 * @see https://support.google.com/webmasters/answer/12917991
 */
export function readBulkRow(line: unknown): { readonly site: string; readonly row: DatedRow } {
  const { data } = bulkRow.safeParse(line)
  if (!data) throw new Flaw('The line is not a JSON object.')
  const searchType = readText('search_type', data.search_type).toLowerCase()
  if (searchType !== '' && searchType !== 'web') {
    throw fieldFlaw('search_type', 'must be web', searchType)
  }
  const impressions = readCount('impressions', data.impressions)
  const isByPage = data.url !== undefined && data.url !== null
  const [name, sum] = isByPage
    ? (['sum_position', data.sum_position] as const)
    : (['sum_top_position', data.sum_top_position] as const)
  const positionSum = readNumber(name, sum)
  const flags = Object.entries(data).flatMap(([flag, value]) => (isTrue(value) ? [flag] : []))
  const row = {
    day: readDay('data_date', data.data_date),
    query: readText('query', data.query),
    page: readText('url', data.url, 8000),
    country: readCountry(data.country),
    device: readDevice(data.device),
    part: flags.sort().join(' '),
    shape: isByPage ? 'bulk by page' : 'bulk by site',
    clicks: readCount('clicks', data.clicks),
    impressions,
    position: impressions === 0 ? 0 : positionSum / impressions + 1,
  }
  return { site: readText('site_url', data.site_url), row }
}

const isTrue = (value: unknown) => value === true || value === 'true'

function readCountry(value: unknown): string {
  const country = readText('country', value).toLowerCase()
  if (country === '' || /^[a-z]{3}$/.test(country)) return country
  throw fieldFlaw('country', 'must be an ISO 3166-1 alpha-3 code, such as deu', country)
}

function readDevice(value: unknown): string {
  const device = readText('device', value).toLowerCase()
  if (device === '' || devices.has(device)) return device
  throw fieldFlaw('device', 'must be desktop, mobile or tablet', device)
}
