import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { invalid } from '../../core/errors.ts'
import { contentType } from '../../core/sites/content-types.ts'
import { hostOf } from '../../core/sites/urls.ts'
import { fieldFlaw } from '../files/flaw.ts'
import type { Entry } from '../loads/runner.ts'
import { pageUrl, slugOf, urlRule } from './page-url.ts'

/** A sitemap, unpacked. */
export interface SitemapFile {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Opens the file of this name in the folder of the index; undefined when the folder lacks it. */
export type OpenBeside = (name: string) => Promise<SitemapFile | undefined>

export interface SitemapRow {
  readonly url: string
  readonly host: string
  readonly path: string
  readonly lastModified: string | null
  readonly slug: string
  readonly type: string
}

/** The limit of the protocol. @see https://www.sitemaps.org/protocol.html */
const maxBytes = 50 * 1024 * 1024

const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'url' || name === 'sitemap',
})

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

async function readText({ name, bytes }: SitemapFile): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) throw invalid('sitemap', `is not accepted: ${name} is longer than 50 MiB`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch {
    throw invalid('sitemap', `is not accepted: ${name} is not valid UTF-8`)
  }
}

const kinds = [
  ['urlset', 'url'],
  ['sitemapindex', 'sitemap'],
] as const

interface Listed {
  readonly kind: (typeof kinds)[number][0]
  readonly entries: readonly unknown[]
}

/** The parser has limits of its own, such as the depth of nested tags. */
function rootOf(text: string, name: string): unknown {
  try {
    return parser.parse(text) as unknown
  } catch (error) {
    throw invalid(
      'sitemap',
      `is not accepted: ${name} cannot be read: ${(error as Error).message.slice(0, 200)}`,
    )
  }
}

/** @throws {Fault} `invalid_argument`: half a sitemap would remove half of the site's pages */
async function parse(file: SitemapFile): Promise<Listed> {
  const text = (await readText(file)).trim()
  if (/<!DOCTYPE/i.test(text))
    throw invalid('sitemap', `is not accepted: ${file.name} has a document type`)
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) {
    const { line, msg } = verdict.err
    throw invalid('sitemap', `is not accepted: ${file.name} is not whole XML: line ${line}: ${msg}`)
  }
  const root = rootOf(text, file.name)
  for (const [kind, child] of kinds) {
    const found = memberOf(root, kind)
    if (found === undefined) continue
    const entries = memberOf(found, child)
    return { kind, entries: Array.isArray(entries) ? entries : [] }
  }
  throw invalid('sitemap', `is not accepted: ${file.name} is neither a sitemap nor a sitemap index`)
}

const textOf = (entry: unknown, name: string): string => {
  const value = memberOf(entry, name)
  return typeof value === 'string' ? value.trim() : ''
}

const lastMs = Date.UTC(9999, 11, 31)

/** A W3C date or time of the protocol, which may consist of the year alone; null for another text. */
function lastModifiedOf(text: string): string | null {
  const ms = /^\d{4}(-\d{2}(-\d{2}(T.*)?)?)?$/.test(text) ? Date.parse(text) : Number.NaN
  return ms >= 0 && ms < lastMs ? new Date(ms).toISOString() : null
}

function readUrl(entry: unknown): SitemapRow | { reason: string } {
  const loc = textOf(entry, 'loc')
  if (loc === '') return { reason: fieldFlaw('loc', 'is required').message }
  const url = pageUrl(loc)
  if (url === null) return { reason: fieldFlaw('loc', urlRule, loc).message }
  return {
    url,
    host: hostOf(url),
    path: new URL(url).pathname,
    lastModified: lastModifiedOf(textOf(entry, 'lastmod')),
    slug: slugOf(url),
    type: contentType(url),
  }
}

async function childOf(entry: unknown, index: string, openBeside: OpenBeside): Promise<Listed> {
  const url = URL.parse(textOf(entry, 'loc'))
  const name = url?.pathname.split('/').at(-1) ?? ''
  if (name === '')
    throw invalid('sitemap', `is not accepted: ${index} names a sitemap without an address`)
  const file = await openBeside(name)
  if (!file)
    throw invalid('sitemap', `is not accepted: ${index} names ${name}, which is not beside it`)
  const child = await parse(file)
  if (child.kind === 'urlset') return child
  throw invalid('sitemap', `is not accepted: ${name} is an index within an index`)
}

/**
 * The URLs of a sitemap, or of all sitemaps of an index, numbered through.
 * @throws {Fault} `invalid_argument` when any of the files cannot be read completely
 */
export async function* sitemapEntries(
  file: SitemapFile,
  openBeside: OpenBeside,
): AsyncGenerator<Entry<SitemapRow>, void> {
  const first = await parse(file)
  let number = 0
  const entriesOf = ({ entries }: Listed) =>
    entries.map((entry) => {
      number++
      const found = readUrl(entry)
      return 'reason' in found ? { number, reason: found.reason } : { number, row: found }
    })
  if (first.kind === 'urlset') yield* entriesOf(first)
  else {
    for (const entry of first.entries) {
      yield* entriesOf(await childOf(entry, file.name, openBeside))
    }
  }
}
