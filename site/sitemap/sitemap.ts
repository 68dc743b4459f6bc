import { TooLarge, unpacked } from '../net/unpack.ts'
import { SitemapFault } from './fault.ts'
import { textParser } from './text.ts'
import { type FileParser, xmlParser } from './xml.ts'

/** The bytes of one file of a sitemap, packed by gzip or not. `name` is its address or file name, for errors. */
export interface SitemapFile {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface SitemapEntry {
  /** As the sitemap spells it, without white space at its ends. Empty where `loc` is missing. */
  readonly address: string
  /** ISO 8601 in UTC; null where `lastmod` is missing or no date. */
  readonly lastModified: string | null
}

export interface SitemapLimits {
  /** Bytes of a file after decompression. */
  readonly bytes: number
  /** URLs of a file. */
  readonly urls: number
  /** Sitemaps of an index. */
  readonly files: number
  /** URLs of all files together. */
  readonly allUrls: number
}

/** The limits of the protocol for a file. @see https://www.sitemaps.org/protocol.html */
const sitemapLimits: SitemapLimits = {
  bytes: 50 * 1024 * 1024,
  urls: 50_000,
  files: 500,
  allUrls: 250_000,
}

const parserChunk = 64 * 1024
const lastMs = Date.UTC(9999, 11, 31)

/** A W3C date or time of the protocol, which may consist of the year alone; null for another text. */
function lastModifiedOf(text: string): string | null {
  const ms = /^\d{4}(-\d{2}(-\d{2}(T.*)?)?)?$/.test(text) ? Date.parse(text) : Number.NaN
  return ms >= 0 && ms < lastMs ? new Date(ms).toISOString() : null
}

/** Unpacks a file that begins with the mark of gzip, whatever its name and headers say. */
async function* plainBytes({ name, bytes }: SitemapFile, maxBytes: number) {
  const source = bytes[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  let size = 0
  while (size < 2) {
    const { value, done } = await source.next()
    if (done) break
    begun.push(value)
    size += value.length
  }
  const whole = async function* () {
    yield* begun
    yield* { [Symbol.asyncIterator]: () => source }
  }
  const [first, second] = Buffer.concat(begun)
  const coding = first === 0x1f && second === 0x8b ? 'gzip' : null
  try {
    yield* unpacked(whole(), coding, maxBytes)
  } catch (error) {
    if (error instanceof TooLarge) {
      throw new SitemapFault(name, `is longer than ${maxBytes / 1024 / 1024} MiB`)
    }
    const { code = '', message } = error as NodeJS.ErrnoException
    if (/^Z_/.test(code)) throw new SitemapFault(name, `cannot be unpacked: ${message}`)
    throw error
  }
}

/** The text in pieces of bounded length, without white space before the first character. */
async function* textOf(file: SitemapFile, maxBytes: number): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new SitemapFault(file.name, 'is not valid UTF-8')
    }
  }
  let hasBegun = false
  for await (const bytes of plainBytes(file, maxBytes)) {
    for (let at = 0; at < bytes.length; at += parserChunk) {
      const text = decode(bytes.subarray(at, at + parserChunk))
      const rest: string = hasBegun ? text : text.trimStart()
      hasBegun ||= rest !== ''
      if (rest !== '') yield rest
    }
  }
  const end = decode()
  if (end !== '') yield end
}

/** What one file lists, in batches of a chunk. */
async function* partsOf(file: SitemapFile, maxBytes: number) {
  let parser: FileParser | undefined
  for await (const text of textOf(file, maxBytes)) {
    parser ??= text.startsWith('<') ? xmlParser(file.name) : textParser(file.name)
    const entries = parser.write(text)
    yield { kind: parser.kind(), entries }
  }
  if (parser === undefined) throw new SitemapFault(file.name, 'is empty')
  const entries = parser.close()
  yield { kind: parser.kind(), entries }
}

export type OpenSitemap = (address: string) => Promise<SitemapFile>

interface Reader {
  /** The URLs of a file, and into `children` the sitemaps of an index. */
  read(file: SitemapFile, children: string[] | null): AsyncGenerator<SitemapEntry, void>
}

function createReader(limits: SitemapLimits): Reader {
  let all = 0
  let files = 0
  return {
    async *read(file, children) {
      let urls = 0
      for await (const { kind, entries } of partsOf(file, limits.bytes)) {
        if (kind === 'index') {
          if (children === null) throw new SitemapFault(file.name, 'is an index within an index')
          children.push(...entries.map(({ address }) => address))
          files += entries.length
          if (files > limits.files) {
            throw new SitemapFault(file.name, `names more than ${limits.files} sitemaps`)
          }
          continue
        }
        urls += entries.length
        all += entries.length
        if (urls > limits.urls) {
          throw new SitemapFault(file.name, `has more than ${limits.urls} URLs`)
        }
        if (all > limits.allUrls) {
          throw new SitemapFault(file.name, `makes more than ${limits.allUrls} URLs of all files`)
        }
        for (const { address, lastModified } of entries) {
          yield { address, lastModified: lastModifiedOf(lastModified) }
        }
      }
    },
  }
}

async function* readAll(
  reader: Reader,
  file: SitemapFile,
  open: OpenSitemap,
): AsyncGenerator<SitemapEntry, void> {
  const children: string[] = []
  yield* reader.read(file, children)
  for (const address of children) {
    if (address === '') throw new SitemapFault(file.name, 'names a sitemap without an address')
    yield* reader.read(await open(address), null)
  }
}

/**
 * Streams the entries of a sitemap, or of all sitemaps of an index, in constant memory. Files are XML or a text of one
 * URL a line, packed by gzip or not.
 * @param open opens a sitemap that the index names, by its address
 * @throws {SitemapFault} as soon as a file cannot be read completely: the entries before it are half a sitemap
 */
export function readSitemap(
  file: SitemapFile,
  open: OpenSitemap,
  limits: SitemapLimits = sitemapLimits,
): AsyncGenerator<SitemapEntry, void> {
  return readAll(createReader(limits), file, open)
}

/**
 * Streams the entries of several sitemaps as those of one, with the limits of one. A sitemap that cannot be read does not
 * hide the others.
 * @param onFault called for each sitemap that cannot be read completely
 * @throws {SitemapFault} the first, when no sitemap can be read
 */
export async function* readSitemaps(
  addresses: readonly string[],
  open: OpenSitemap,
  onFault: (fault: SitemapFault) => void,
): AsyncGenerator<SitemapEntry, void> {
  const reader = createReader(sitemapLimits)
  const faults: SitemapFault[] = []
  for (const address of addresses) {
    try {
      yield* readAll(reader, await open(address), open)
    } catch (error) {
      if (!(error instanceof SitemapFault)) throw error
      faults.push(error)
      onFault(error)
    }
  }
  const [first] = faults
  if (first && faults.length === addresses.length) throw first
}
