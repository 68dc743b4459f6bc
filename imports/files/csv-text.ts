import { invalid } from '../../core/errors.ts'

const marks = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
] as const

const longestMark = 3

function unreadable(): Error {
  return invalid(
    'csv',
    'is neither UTF-8 nor UTF-16 with a byte-order mark; save it as "CSV UTF-8"',
  )
}

function decoderOf(head: Buffer): TextDecoder {
  const marked = marks.find(([, mark]) => head.subarray(0, mark.length).equals(mark))
  // UTF-16 without a mark has a NUL in its first bytes; a text in UTF-8 has none.
  if (!marked && head.subarray(0, longestMark).includes(0)) throw unreadable()
  return new TextDecoder(marked?.[0] ?? 'utf-8', { fatal: true })
}

/**
 * Decodes UTF-8, or UTF-16 with a byte-order mark, and removes the mark.
 * @throws {Fault} `invalid_argument` for any other encoding
 */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let head = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? ''
    } catch {
      throw unreadable()
    }
  }
  for await (const chunk of bytes) {
    if (decoder) {
      yield decode(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < longestMark) continue
    decoder = decoderOf(head)
    yield decode(head)
  }
  decoder ??= decoderOf(head)
  yield decode(head.length < longestMark ? head : undefined) + decode()
}
