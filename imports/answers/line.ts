import { type ParsedLocation, parseLocation } from '../../core/countries.ts'
import { type Line, maxLineBytes } from '../files/lines.ts'
import { type Ad, readAds } from './ads.ts'
import { type Citation, countCitations } from './citations.ts'
import { extraOf, type Held } from './extra.ts'
import { type AnswerFields, answerShape } from './shape.ts'

const knownKeys: ReadonlySet<string> = new Set(Object.keys(answerShape.shape))
const byteOrderMark = '\ufeff'
const flawsTold = 3

/** One answer, as a valid line tells it. */
export interface AnswerLine {
  readonly prompt: string
  readonly topic: string | null
  readonly platform: string
  /** The empty string where none is named, as for `country`. */
  readonly model: string
  readonly run: number
  readonly collectedAt: Date
  readonly country: string
  readonly location: ParsedLocation | null
  readonly text: string
  readonly citations: readonly Citation[]
  readonly searchQueries: readonly string[]
  /** Null where the line does not say that products were looked for. */
  readonly products: readonly Product[] | null
  /** Null where the line does not say that ads were looked for. */
  readonly ads: readonly Ad[] | null
  /** -1 to 1. */
  readonly sentiment: number | null
  /** What the columns do not hold, as JSON, else the empty string. */
  readonly extra: string
}

export interface Product {
  readonly rank: number
  readonly brand: string
  readonly name: string
  readonly price: string
}

/** What makes two mentions of a product one: its names, but for their case. */
export function productKey({ brand, name }: Pick<Product, 'brand' | 'name'>): string {
  return JSON.stringify([brand.toLowerCase(), name.toLowerCase()])
}

/** A line that cannot be loaded, and why; the reason begins with the field. */
class Flaw extends Error {}

function readJson(line: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new Flaw(`is not valid JSON: ${(error as Error).message.toWellFormed()}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Flaw('is not a JSON object')
  }
  return value as Record<string, unknown>
}

function check(fields: Record<string, unknown>): AnswerFields {
  const result = answerShape.safeParse(fields, {
    error: ({ code, input }) =>
      code === 'invalid_type' && input === undefined ? 'is missing' : undefined,
  })
  if (result.success) return result.data
  const flaws = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const more = flaws.length > flawsTold ? `; and ${flaws.length - flawsTold} more` : ''
  throw new Flaw(flaws.slice(0, flawsTold).join('; ') + more)
}

function locate({ location, country }: AnswerFields): ParsedLocation | null {
  if (!location) return null
  const parsed = parseLocation(location, country)
  if (parsed) return parsed
  throw new Flaw('location: names no known country; add it here or as `country`')
}

/** One entry a product, the best-ranked. */
function countProducts(fields: AnswerFields): Product[] | null {
  if (!fields.products) return null
  const byName = new Map<string, Product>()
  const products = fields.products.map(({ rank, brand, name, price }, index) => {
    return { rank: rank ?? index + 1, brand: brand ?? '', name, price: price ?? '' }
  })
  for (const product of products.toSorted((a, b) => a.rank - b.rank)) {
    const key = productKey(product)
    if (!byName.has(key)) byName.set(key, product)
  }
  return [...byName.values()]
}

function readAnswer(line: string): AnswerLine {
  const raw = readJson(line)
  const fields = check(raw)
  const citations = countCitations(
    (fields.citations ?? []).map(({ position, url, title }, index) => {
      return { position: position ?? index + 1, url, title: title ?? '' }
    }),
  )
  const ads = fields.ads ? readAds(fields.ads) : null
  const location = locate(fields)
  return {
    prompt: fields.prompt,
    topic: fields.topic || null,
    platform: fields.platform,
    model: fields.model ?? '',
    run: fields.run ?? 1,
    collectedAt: new Date(fields.collectedAt),
    country: fields.country || location?.countryCode || '',
    location,
    text: fields.text,
    citations,
    searchQueries: (fields.searchQueries ?? []).map((it) => it.trim()).filter((it) => it !== ''),
    products: countProducts(fields),
    ads,
    sentiment: fields.sentiment ?? null,
    extra: keepAside(line, raw, { citations, ads: ads ?? [] }),
  }
}

function keepAside(line: string, raw: Record<string, unknown>, held: Held) {
  try {
    return extraOf(line, raw, knownKeys, held)
  } catch (error) {
    // The writer of JSON recurses: what is nested a thousand levels deep can be read, but not kept.
    if (error instanceof RangeError) throw new Flaw('is nested too deeply')
    throw error
  }
}

/**
 * Reads one line of an import. A byte order mark is taken off the first.
 * @param number of the line, from 1
 * @returns null for an empty line; for one that cannot be loaded the reason, which names the field
 */
export function parseAnswerLine(
  line: Line,
  number: number,
): AnswerLine | { reason: string } | null {
  if (typeof line !== 'string') return { reason: line.unreadable }
  const text = number === 1 && line.startsWith(byteOrderMark) ? line.slice(1) : line
  if (text.trim() === '') return null
  if (text.length > maxLineBytes) return { reason: 'is too long' }
  try {
    return readAnswer(text)
  } catch (error) {
    if (error instanceof Flaw) return { reason: error.message }
    throw error
  }
}
