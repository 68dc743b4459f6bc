import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../../disk/durable-file.ts'
import { type FileLock, tryLockFile } from '../../disk/file-lock.ts'

/**
 * The event log is a folder of segments: files named by a sequence number that only grows. A segment is a sequence of
 * frames: length and CRC-32 of the payload (both u32LE), then the payload. The payload is rows of JSONEachRow, each
 * ending in a line feed. Written bytes never change. Only the process that created a segment appends to it, until it
 * is large enough or a write fails. A segment is cut at its end only.
 */
export const headerBytes = 8

/** Far above the size of a group commit: a greater length means damage. */
const maxPayloadBytes = 256 * 2 ** 20

const lineFeed = 0x0a

export interface SegmentFile {
  readonly sequence: number
  readonly bytes: number
}

/** The offsets of a frame in its segment. */
export interface Frame {
  readonly start: number
  readonly end: number
}

/**
 * Locks a tracker's folder for its only log, or for its only writer.
 * @throws {Error} when another process holds the lock
 */
export function lockTrackerFolder(dir: string, role: 'log' | 'writer'): FileLock {
  const lock = tryLockFile(join(dir, `${role}.lock`))
  if (lock) return lock
  throw new Error(`Cannot open the ${role} of ${dir}: another process has it`)
}

export function logFolder(dir: string): string {
  return join(dir, 'log')
}

export function segmentPath(dir: string, sequence: number): string {
  return join(logFolder(dir), `${String(sequence).padStart(12, '0')}.log`)
}

/** The sequence numbers of the existing segments, ascending. */
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

/** Creates a segment that survives a power cut. @throws when it exists */
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

/** Fills in the header of a frame that already holds its payload. */
export function sealFrame(frame: Buffer): void {
  frame.writeUInt32LE(frame.length - headerBytes, 0)
  frame.writeUInt32LE(crc32(frame.subarray(headerBytes)), 4)
}

/** Reads the frame at `at`: complete, corrupt, or cut off by the end of the bytes. */
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
