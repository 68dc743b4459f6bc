/** Limits of requests. Times are in milliseconds, sizes in bytes; bodies count after decompression. */
export interface Limits {
  readonly dnsMs: number
  readonly connectMs: number
  readonly headersMs: number
  /** The longest pause within a body. */
  readonly silenceMs: number
  /** One address with all its redirects, from the first request to the end of the last body. Pauses do not count. */
  readonly totalMs: number
  readonly headerBytes: number
  readonly pageBytes: number
  readonly robotsBytes: number
  readonly llmsBytes: number
  readonly sitemapBytes: number
  readonly hops: number
  readonly robotsHops: number
  /** Pauses before the second and the third try after a failed connection, 429 or 5xx. */
  readonly retryMs: readonly number[]
  /** The longest `Retry-After` and `Crawl-delay` that are kept. */
  readonly retryAfterMs: number
  readonly crawlDelayMs: number
  /** A first byte that takes longer is measured a second time. */
  readonly slowMs: number
  /** Nested elements of a page. */
  readonly depth: number
  readonly parseMs: number
  /** Memory of the thread that parses pages, in MiB. */
  readonly parseMb: number
}

export const limits: Limits = {
  dnsMs: 5_000,
  connectMs: 5_000,
  headersMs: 15_000,
  silenceMs: 10_000,
  totalMs: 30_000,
  headerBytes: 32 * 1024,
  pageBytes: 2_000_000,
  robotsBytes: 512_000,
  llmsBytes: 1_000_000,
  sitemapBytes: 50 * 1024 * 1024,
  hops: 10,
  robotsHops: 5,
  retryMs: [1_000, 4_000],
  retryAfterMs: 30_000,
  crawlDelayMs: 10_000,
  slowMs: 1_500,
  depth: 256,
  parseMs: 5_000,
  parseMb: 512,
}
