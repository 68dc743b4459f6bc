import { PassThrough, pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'

/** Compressions that a request offers. */
export type Coding = 'gzip' | 'br'

/** The unpacked bytes exceed their limit. The rest was not read. */
export class TooLarge extends Error {
  readonly bytes: number
  constructor(bytes: number) {
    super(`longer than ${bytes} bytes`)
    this.bytes = bytes
  }
}

const decoders = { gzip: createGunzip, br: createBrotliDecompress }

/**
 * Unpacks and counts bytes as they arrive, so a bomb costs one chunk over the limit.
 * @throws {TooLarge} after yielding the bytes up to the limit
 * @throws {Error} of zlib where the data is truncated or damaged
 */
export async function* unpacked(
  bytes: AsyncIterable<Uint8Array>,
  coding: Coding | null,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const decoder = coding === null ? new PassThrough() : decoders[coding]()
  // Errors of the source and of the decoder both reach whoever reads the decoder.
  const stream: Readable = pipeline(Readable.from(bytes), decoder, () => {})
  let size = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    const left = maxBytes - size
    size += chunk.length
    if (size > maxBytes) {
      if (left > 0) yield chunk.subarray(0, left)
      throw new TooLarge(maxBytes)
    }
    yield chunk
  }
}
