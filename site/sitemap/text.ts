import { SitemapFault } from './fault.ts'
import type { FileParser, RawEntry } from './xml.ts'

const longestLine = 64 * 1024

/** Parses a list of one URL a line. The first line must be a URL: any other text is no sitemap. */
export function textParser(name: string): FileParser {
  let rest = ''
  let isList = false
  const entriesOf = (lines: readonly string[]): RawEntry[] => {
    const addresses = lines.map((line) => line.trim()).filter((line) => line !== '')
    const [first] = addresses
    if (first !== undefined && !isList) {
      if (!/^https?:\/\//i.test(first)) {
        throw new SitemapFault(name, 'is neither a sitemap nor a sitemap index')
      }
      isList = true
    }
    return addresses.map((address) => ({ address, lastModified: '' }))
  }
  return {
    kind: () => 'urls',
    write(text) {
      const lines = (rest + text).split(/\r\n|\r|\n/)
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) throw new SitemapFault(name, 'has a line that is too long')
      return entriesOf(lines)
    },
    close: () => entriesOf([rest]),
  }
}
