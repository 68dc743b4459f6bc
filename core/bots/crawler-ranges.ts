import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import builtin from '../data/crawler-ranges.json' with { type: 'json' }

/**
 * What the address of a hit says of the crawler that the user agent names. `verified`: the address is in the ranges that
 * the vendor publishes. `impostor`: it is outside. `claimed`: no ranges are published, or no public address is known.
 */
export const verifications = ['verified', 'claimed', 'impostor'] as const

export type Verification = (typeof verifications)[number]

/** What a hit proves: by its address, or by a signature of the agent over its request. */
export const proofsOfHits = [...verifications, 'signed'] as const

export type HitProof = (typeof proofsOfHits)[number]

const text = z.string().min(1).max(500)

const isPrefix = (prefix: string) => ipaddr.isValidCIDR(prefix)

/** Ranges of a crawler, as its vendor publishes them at an address. */
const publishedRanges = z.object({
  /** Its name in the registry of crawlers. */
  crawler: text,
  vendor: text.optional(),
  /** The address of the vendor's list. */
  published: text.optional(),
  /** The day of the list. */
  asOf: z.iso.date(),
  /** Who collected the list, with the licence. */
  via: text.optional(),
  prefixes: z
    .array(z.string().refine(isPrefix, 'must be a range of addresses, such as 192.0.2.0/24'))
    .min(1)
    .max(20_000),
})

export type CrawlerRanges = readonly Readonly<z.infer<typeof publishedRanges>>[]

const listShape = z.array(publishedRanges).min(1).max(1000)

/**
 * Ranges out of what JSON gave: an array of objects with `crawler`, `asOf` and `prefixes`, and perhaps `vendor`,
 * `published` and `via`.
 * @throws {Error} lists every fault, one a line
 */
export function parseRanges(json: unknown): CrawlerRanges {
  const { data, error } = listShape.safeParse(json)
  if (data) return data
  const faults = error.issues.map(({ path, message }) => `  ${z.core.toDotPath(path)}: ${message}`)
  throw new Error(`The ranges of crawlers are not valid:\n${faults.join('\n')}`)
}

const withRanges = z.object({ ranges: z.unknown().optional() })

/**
 * The ranges of an operator's list of crawlers: its `ranges`, or those of this version where it has none.
 * @throws {Error} lists every fault, one a line
 */
export function rangesIn(list: unknown): CrawlerRanges {
  const { ranges } = withRanges.parse(list)
  return ranges === undefined ? builtinRanges : parseRanges(ranges)
}

/** An address as eight 16-bit parts: such texts compare as the addresses do. */
type Key = string

interface Range {
  readonly first: Key
  readonly last: Key
}

const partsOf = (address: ipaddr.IPv4 | ipaddr.IPv6): number[] =>
  (address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address).parts

const keyOf = (parts: readonly number[]): Key => String.fromCharCode(...parts)

function rangeOf(text: string): Range {
  const [address, given] = ipaddr.parseCIDR(text)
  const bits = address instanceof ipaddr.IPv4 ? given + 96 : given
  const parts = partsOf(address)
  const free = parts.map((_, i) => 0xffff >> Math.min(16, Math.max(0, bits - 16 * i)))
  return {
    first: keyOf(parts.map((part, i) => part & ~(free[i] ?? 0))),
    last: keyOf(parts.map((part, i) => part | (free[i] ?? 0))),
  }
}

/** Ranges in order, joined where they overlap: the last that begins before an address decides. */
function joined(ranges: readonly Range[]): Range[] {
  const sorted = ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))
  const found: Range[] = []
  for (const range of sorted) {
    const before = found.at(-1)
    if (before === undefined || before.last < range.first) found.push(range)
    else if (before.last < range.last) found.splice(-1, 1, { ...before, last: range.last })
  }
  return found
}

/** The range that a given range lies in, or overlaps; undefined for neither. */
function nearest(ranges: readonly Range[], { last }: Range): Range | undefined {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.first ?? '') <= last) low = middle + 1
    else high = middle
  }
  return ranges[low - 1]
}

interface Address {
  /** Undefined for texts that are no public address. */
  readonly range: Range | undefined
  /** What it proved last, against these ranges: an address is mostly that of one crawler. */
  last: { readonly published: readonly Range[]; readonly proof: Verification } | undefined
}

const longestAddress = 64
/** Crawlers come from few addresses, and reading one takes as long as the rest of a hit. Some megabytes at most. */
const addresses = new LRUCache<string, Address>({ max: 10_000 })

/**
 * The addresses that a text may mean: a sender may have cut the last octet of IPv4, or the last 80 bits of IPv6.
 * Undefined for any other text, and for addresses within a network.
 */
function addressOf(text: unknown): Address | undefined {
  if (typeof text !== 'string' || text.length > longestAddress) return undefined
  // Without a note of the use, which takes longer than the look-up.
  const known = addresses.peek(text)
  if (known !== undefined) return known
  const address: Address = { range: readRange(text), last: undefined }
  // A copy, for the address may be a part of a large text, which would stay in memory with it.
  addresses.set(Buffer.from(text).toString(), address)
  return address
}

function readRange(text: string): Range | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return undefined
  const parts = partsOf(address)
  const first = keyOf(parts)
  if (address instanceof ipaddr.IPv4) {
    const end = parts[7] ?? 0
    return { first, last: (end & 0xff) === 0 ? keyOf([...parts.slice(0, 7), end | 0xff]) : first }
  }
  const isCut = parts.slice(3).every((part) => part === 0)
  return { first, last: isCut ? keyOf([...parts.slice(0, 3), ...Array(5).fill(0xffff)]) : first }
}

/** Says what an address proves of the crawler with this name. */
export type VerifyCrawler = (crawler: string, address: unknown) => Verification

/** Verifies the addresses of crawlers by the ranges of their vendors. It reads the ranges of a crawler at its first hit. */
export function createVerifier(ranges: CrawlerRanges): VerifyCrawler {
  const prefixes = new Map(ranges.map((of) => [of.crawler.toLowerCase(), of.prefixes]))
  // By the names of the registry, which are few.
  const read = new Map<string, readonly Range[] | undefined>()
  const rangesOf = (crawler: string): readonly Range[] | undefined => {
    if (read.has(crawler)) return read.get(crawler)
    const known = prefixes.get(crawler.toLowerCase())
    const ranges = known && joined(known.map(rangeOf))
    read.set(crawler, ranges)
    return ranges
  }
  return (crawler, address) => {
    const published = rangesOf(crawler)
    const asked = published && addressOf(address)
    if (asked?.range === undefined || published === undefined) return 'claimed'
    if (asked.last?.published !== published) {
      asked.last = { published, proof: proofOf(asked.range, published) }
    }
    return asked.last.proof
  }
}

function proofOf(asked: Range, published: readonly Range[]): Verification {
  const range = nearest(published, asked)
  if (range === undefined || range.last < asked.first) return 'impostor'
  return range.first <= asked.first && asked.last <= range.last ? 'verified' : 'claimed'
}

/** The ranges that come with this version. A test reads all of them. */
export const builtinRanges: CrawlerRanges = builtin

/** Verifies by the ranges that come with Sightline. */
export const verifyCrawler = createVerifier(builtinRanges)
