/** A sitemap that cannot be read completely. */
export class SitemapFault extends Error {
  /** The address or name of the file. */
  readonly file: string
  /** The rest of a sentence that begins with the file: `answers 404`. */
  readonly reason: string
  constructor(file: string, reason: string) {
    super(`${file} ${reason}`)
    this.name = 'SitemapFault'
    this.file = file
    this.reason = reason
  }
}
