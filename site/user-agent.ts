/** The header by which servers know us. `/bot` explains the crawler to whoever finds the header in a log. */
export function userAgent(version: string, publicUrl: string): string {
  return `Mozilla/5.0 (compatible; SightlineBot/${version}; +${publicUrl.replace(/\/+$/, '')}/bot)`
}
