/** An entry as an import reads it. */
export interface PreviewedEntry {
  readonly line: number
  readonly row: unknown
}

type Read = { readonly number: number } & ({ readonly row: unknown } | { readonly reason: string })

/**
 * Reads the first entries of a file in place of an import, which then writes nothing: no row, no link, and nothing in the
 * list of imports. The readers are those of the import.
 */
export class Preview {
  readonly entries: PreviewedEntry[] = []
  readonly rejected: { readonly line: number; readonly reason: string }[] = []
  /** Entries read. */
  read = 0
  /** Entries that would be imported. */
  accepted = 0
  /** Whether the file may have more. */
  isCut = false
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  async take(entries: AsyncIterable<Read>): Promise<void> {
    for await (const entry of entries) {
      if (this.read === this.#most) {
        this.isCut = true
        return
      }
      this.read++
      if ('row' in entry) {
        this.accepted++
        this.entries.push({ line: entry.number, row: entry.row })
      } else this.rejected.push({ line: entry.number, reason: entry.reason })
    }
  }
}
