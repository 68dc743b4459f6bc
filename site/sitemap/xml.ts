import { SaxesParser } from 'saxes'
import { SitemapFault } from './fault.ts'

export interface RawEntry {
  readonly address: string
  readonly lastModified: string
}

/** Parses one file piece by piece. Each call returns the entries that it completed. */
export interface FileParser {
  /** `unknown` until the root element began. */
  kind(): 'urls' | 'index' | 'unknown'
  write(text: string): readonly RawEntry[]
  /** @throws {SitemapFault} when the file is cut off */
  close(): readonly RawEntry[]
}

/** A sitemap nests four elements, extensions some more. */
const deepest = 32
const mostAttributes = 100
/** Characters of one text, comment or tag. */
const longestPart = 1024 * 1024

const roots: Readonly<Record<string, 'urls' | 'index'>> = { urlset: 'urls', sitemapindex: 'index' }
const entryNames = { urls: 'url', index: 'sitemap' } as const

const localName = (name: string) => name.slice(name.lastIndexOf(':') + 1)

/** Parses XML strictly, without document types. Prefixes of names are ignored. */
export function xmlParser(name: string): FileParser {
  const parser = new SaxesParser({ position: true })
  /** Names of the open elements. */
  const path: string[] = []
  let kind: 'urls' | 'index' | undefined
  let entries: RawEntry[] = []
  let entry: { loc?: string; lastmod?: string } | undefined
  let text: string | undefined
  let attributes = 0
  let sinceEvent = 0

  const fault = (reason: string) => new SitemapFault(name, reason)
  const keep = (piece: string) => {
    sinceEvent = 0
    if (text === undefined) return
    text += piece
    if (text.length > longestPart) throw fault('has a text that is too long')
  }
  parser.on('error', ({ message }) => {
    throw fault(`is not whole XML: ${message.slice(0, 200)}`)
  })
  parser.on('doctype', () => {
    throw fault('has a document type')
  })
  parser.on('comment', () => {
    sinceEvent = 0
  })
  parser.on('text', keep)
  parser.on('cdata', keep)
  parser.on('opentagstart', () => {
    attributes = 0
  })
  parser.on('attribute', () => {
    sinceEvent = 0
    attributes++
    if (attributes > mostAttributes) throw fault('has a tag with too many attributes')
  })
  parser.on('opentag', (tag) => {
    sinceEvent = 0
    path.push(localName(tag.name))
    const [root = '', child, field] = path
    if (path.length > deepest) throw fault('is nested too deep')
    if (kind === undefined) {
      kind = Object.hasOwn(roots, root) ? roots[root] : undefined
      if (kind === undefined) throw fault('is neither a sitemap nor a sitemap index')
    }
    const isEntry = child === entryNames[kind]
    if (path.length === 2 && isEntry) entry = {}
    if (path.length === 3 && isEntry && (field === 'loc' || field === 'lastmod')) text = ''
  })
  parser.on('closetag', () => {
    sinceEvent = 0
    const closed = path.pop()
    if (path.length === 2 && entry !== undefined && text !== undefined) {
      if (closed === 'loc') entry.loc ??= text.trim()
      else if (closed === 'lastmod') entry.lastmod ??= text.trim()
      text = undefined
    }
    if (path.length === 1 && entry !== undefined) {
      entries.push({ address: entry.loc ?? '', lastModified: entry.lastmod ?? '' })
      entry = undefined
    }
  })
  const taken = () => {
    const done = entries
    entries = []
    return done
  }
  return {
    kind: () => kind ?? 'unknown',
    write(piece) {
      sinceEvent += piece.length
      parser.write(piece)
      if (sinceEvent > longestPart) throw fault('has a part that is too long')
      return taken()
    },
    close() {
      parser.close()
      return taken()
    },
  }
}
