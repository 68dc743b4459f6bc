import type { FileHandle } from 'node:fs/promises'

/**
 * Zeros that the tracker has written behind the frames of a segment, for the frames to come. A file that keeps its size
 * is synced faster than one that grows.
 */
const aheadBytes = 256 * 1024

const zeros = Buffer.alloc(aheadBytes)

/** The zeros from a place of a segment up to the next multiple of `aheadBytes`. */
export const zerosAfter = (place: number): Buffer => zeros.subarray(place % aheadBytes)

/** The length without the zeros at the end. A frame ends in a line feed. */
export function lengthWithoutZeros(bytes: Buffer): number {
  for (let end = bytes.length; end > 0; end -= aheadBytes) {
    const start = Math.max(0, end - aheadBytes)
    if (bytes.subarray(start, end).equals(zeros.subarray(0, end - start))) continue
    while (bytes[end - 1] === 0) end--
    return end
  }
  return 0
}

/** The length of what was written to a segment, without the zeros for the frames to come. */
export async function writtenLength(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - aheadBytes)
    const { buffer, bytesRead } = await file.read(
      Buffer.allocUnsafe(end - start),
      0,
      end - start,
      start,
    )
    const length = lengthWithoutZeros(buffer.subarray(0, bytesRead))
    if (length > 0) return start + length
    end = start
  }
  return 0
}
