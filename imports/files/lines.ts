/** A line of an import as text, or the reason why it cannot be read. */
export type Line = string | UnreadableLine

export interface UnreadableLine {
  readonly unreadable: string
}

/** The longest line that an import takes, in bytes. */
export const maxLineBytes = 4 * 1024 * 1024

const newline = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a line in parts. `sizeBytes` also counts bytes that were not kept. */
export function decodeLine(parts: readonly Uint8Array[], sizeBytes: number): Line {
  if (sizeBytes > maxLineBytes) {
    return { unreadable: `is longer than ${maxLineBytes / 1024 / 1024} MiB` }
  }
  const [only = new Uint8Array()] = parts
  const bytes = parts.length > 1 ? Buffer.concat(parts) : only
  try {
    return utf8.decode(bytes)
  } catch {
    return { unreadable: 'is not valid UTF-8' }
  }
}

/**
 * The lines of a byte stream, such as standard input, without their line feed. Memory holds one chunk and
 * one line; a line over `maxLineBytes` is not kept.
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void> {
  let parts: Uint8Array[] = []
  let sizeBytes = 0
  const add = (piece: Uint8Array) => {
    sizeBytes += piece.length
    if (sizeBytes > maxLineBytes) parts = []
    else if (piece.length > 0) parts.push(piece)
  }
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end))
      yield decodeLine(parts, sizeBytes)
      parts = []
      sizeBytes = 0
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (sizeBytes > 0) yield decodeLine(parts, sizeBytes)
}
