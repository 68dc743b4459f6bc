import { nextOrStop } from './next-or-stop.ts'

/**
 * The first bytes of a stream, and the whole stream without its byte order mark.
 * @param signal ends the wait for bytes: a pipe may stay silent for ever
 */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  signal?: AbortSignal,
): Promise<{ readonly head: Buffer; readonly all: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  let length = 0
  while (length < sizeBytes) {
    const { done, value } = await nextOrStop(iterator, signal)
    if (done) break
    parts.push(value)
    length += value.length
  }
  const head = Buffer.concat(parts)
  async function* all(): AsyncGenerator<Uint8Array, void> {
    yield head.subarray(head.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0)
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      yield value
    }
  }
  return { head, all: all() }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** The first character of a file after white space; empty for an empty file. */
export function firstCharacter(head: Buffer): string {
  return head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .charAt(0)
}
