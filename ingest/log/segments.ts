import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/**
 * The event log is a folder of segments, files named by a sequence number that only grows. A segment is a
 * row of frames: length and CRC-32 of the payload (both u32LE), then the payload, which is rows of JSONEachRow,
 * each ending in a line feed. What once stood at a place of a segment never changes: a segment is appended to by
 * the one process that made it, until its first failure or until it is large enough, and only ever cut at its end.
 */
export const headerBytes = 8

/** Far above what one write gathers: a greater length is no length. */
const maxPayloadBytes = 256 * 2 ** 20

const lineFeed = 0x0a

export interface SegmentFile {
  readonly sequence: number
  readonly bytes: number
}

/** Where a frame stands in its segment. */
export interface Frame {
  readonly start: number
  readonly end: number
}

export function logFolder(dir: string): string {
  return join(dir, 'log')
}

export function segmentPath(dir: string, sequence: number): string {
  return join(logFolder(dir), `${String(sequence).padStart(12, '0')}.log`)
}

/** The sequence numbers of the segments that are there, in ascending order. */
export async function listSegments(dir: string): Promise<number[]> {
  const names = await readdir(logFolder(dir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => /^(\d{12})\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

/** Makes a segment, which is there after a power cut too. @throws when it exists */
export async function createSegment(dir: string, sequence: number): Promise<FileHandle> {
  const handle = await open(segmentPath(dir, sequence), 'wx', 0o600)
  try {
    await syncFolder(logFolder(dir))
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** Fills in the header of a frame whose payload stands behind it already. */
export function sealFrame(frame: Buffer): void {
  frame.writeUInt32LE(frame.length - headerBytes, 0)
  frame.writeUInt32LE(crc32(frame.subarray(headerBytes)), 4)
}

/** What stands at `at` of these bytes: a whole frame, one that does not check, or the beginning of one. */
export function readFrame(bytes: Buffer, at: number): Frame | 'corrupt' | 'incomplete' {
  if (bytes.length - at < headerBytes) return 'incomplete'
  const length = bytes.readUInt32LE(at)
  const end = at + headerBytes + length
  if (length === 0 || length > maxPayloadBytes) return 'corrupt'
  if (end > bytes.length) return 'incomplete'
  const payload = bytes.subarray(at + headerBytes, end)
  const isWhole = payload.at(-1) === lineFeed && crc32(payload) === bytes.readUInt32LE(at + 4)
  return isWhole ? { start: at, end } : 'corrupt'
}
