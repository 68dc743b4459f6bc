import { type ParsedLocation, parseLocation } from '../../core/countries.ts'
import { fieldSentence, withGot } from '../../core/rule-text.ts'
import { citedUrl } from '../../core/sites/cited-url.ts'
import { checkShape, Flaw, parseObject } from '../files/flaw.ts'
import { type Line, maxLineBytes } from '../files/lines.ts'
import { type Ad, readAds } from './ads.ts'
import { type Citation, countCitations, onlyRetrieved, type Retrieved } from './citations.ts'
import { type AnswerFields, answerShape } from './shape.ts'
import { type StoredParts, unmappedFields } from './unmapped.ts'

const knownKeys: ReadonlySet<string> = new Set(Object.keys(answerShape.shape))
const byteOrderMark = '\ufeff'

/** The answer of a valid line. */
export interface AnswerLine {
  readonly prompt: string
  readonly topic: string | null
  readonly platform: string
  /** The name of a platform that is not known, as the line writes it; else empty. */
  readonly platformName: string
  /** Empty when the line names no model, as `country` is for no country. */
  readonly model: string
  readonly run: number
  readonly collectedAt: Date
  readonly country: string
  readonly location: ParsedLocation | null
  readonly text: string
  readonly citations: readonly Citation[]
  readonly retrieved: readonly Retrieved[]
  readonly searchQueries: readonly string[]
  /** Null when the platform's products were not measured. */
  readonly products: readonly Product[] | null
  /** Null when the platform's ads were not measured. */
  readonly ads: readonly Ad[] | null
  /** -1 to 1. */
  readonly sentiment: number | null
  /** The fields that no table stores, as JSON; empty without such fields. */
  readonly unmappedJson: string
  /** What cannot be read and is no reason to reject the line: its citations that are no web address. */
  readonly leftOut: readonly string[]
}

export interface Product {
  readonly rank: number
  readonly brand: string
  readonly name: string
  readonly price: string
}

/** The key of a product: its brand and name, without regard to case. */
export function productKey({ brand, name }: Pick<Product, 'brand' | 'name'>): string {
  return JSON.stringify([brand.toLowerCase(), name.toLowerCase()])
}

function locate({ location, country }: AnswerFields): ParsedLocation | null {
  if (!location) return null
  const parsed = parseLocation(location, country)
  if (parsed) return parsed
  throw new Flaw('`location` must name a known country; add it to `location` or as `country`.')
}

/** Each product once, with its best rank. */
function distinctProducts(fields: AnswerFields): Product[] | null {
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
  const raw = parseObject(line)
  const fields = checkShape(answerShape, raw)
  const named = (fields.citations ?? []).map(({ position, url, title, cited }, index) => {
    return { position: position ?? index + 1, url, title: title ?? '', isCited: cited !== false }
  })
  const citations = countCitations(named.filter(({ isCited }) => isCited))
  const read = named.filter(({ isCited }) => !isCited)
  const retrieved = onlyRetrieved(read, citations)
  const ads = fields.ads ? readAds(fields.ads) : null
  const location = locate(fields)
  return {
    prompt: fields.prompt,
    topic: fields.topic || null,
    platform: fields.platform.id,
    platformName: fields.platform.name,
    model: fields.model ?? '',
    run: fields.run ?? 1,
    collectedAt: new Date(fields.collectedAt),
    country: fields.country || location?.countryCode || '',
    location,
    text: fields.text,
    citations,
    retrieved,
    searchQueries: (fields.searchQueries ?? []).map((it) => it.trim()).filter((it) => it !== ''),
    products: distinctProducts(fields),
    ads,
    sentiment: fields.sentiment ?? null,
    unmappedJson: unmappedJsonOf(line, raw, { citations, retrieved, ads: ads ?? [] }),
    leftOut: named.flatMap(({ url }, index) =>
      citedUrl(url) === null
        ? [fieldSentence(`citations.${index}.url`, withGot('is no web address: left out', url))]
        : [],
    ),
  }
}

function unmappedJsonOf(line: string, raw: Record<string, unknown>, stored: StoredParts) {
  try {
    return unmappedFields(line, raw, knownKeys, stored)
  } catch (error) {
    // `JSON.stringify` recurses: it fails on values that `JSON.parse` could read.
    if (error instanceof RangeError) throw new Flaw('The line is nested too deeply.')
    throw error
  }
}

/**
 * Reads one line of an import, the first without its byte order mark.
 * @param number of the line, from 1
 * @returns null for an empty line; the reason for an invalid line
 */
export function parseAnswerLine(
  line: Line,
  number: number,
): AnswerLine | { reason: string } | null {
  if (typeof line !== 'string') return { reason: `The line ${line.unreadable}.` }
  const text = number === 1 && line.startsWith(byteOrderMark) ? line.slice(1) : line
  if (text.trim() === '') return null
  if (text.length > maxLineBytes) return { reason: 'The line is longer than 4 MiB.' }
  try {
    return readAnswer(text)
  } catch (error) {
    if (error instanceof Flaw) return { reason: error.message }
    throw error
  }
}
