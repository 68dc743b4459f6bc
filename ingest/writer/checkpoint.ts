import { randomUUID } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { createFile } from '../../disk/durable-file.ts'

export interface Position {
  readonly segment: number
  readonly offset: number
}

/** Offsets of a segment, without the end. */
export type Range = readonly [from: number, to: number]

/** Frames of one segment that the writer sends together. */
export interface Batch {
  readonly segment: number
  readonly frames: Range
  /** The parts to send, each with its own deduplication token. The first one may have been sent. */
  readonly pieces: readonly Range[]
  /** Part of the first token: 1, and more after the warehouse kept a token but lost its rows. */
  readonly attempt: number
}

/** The progress of the writer, which survives its end. */
export interface Checkpoint {
  /** Random, so that a new log never repeats a token of an old one. */
  readonly id: string
  /** Everything before this position is in the warehouse, or a dead letter. */
  readonly shipped: Position
  readonly batch: Batch | null
  /** The name on disk of the dead letters. */
  readonly aside: DeadLetterCounts
}

/** Dead letters since the folder was created. */
export interface DeadLetterCounts {
  /** Rows that the warehouse refused. */
  readonly rows: number
  /** Damaged parts of the log. */
  readonly damaged: number
}

export interface CheckpointFile {
  readonly current: Checkpoint
  /** Resolves when it is on disk. */
  save(next: Checkpoint): Promise<void>
  close(): Promise<void>
}

interface Slot {
  /** Counts the saves. */
  readonly turn: number
  readonly checkpoint: Checkpoint
}

/**
 * The file has two slots, written in turn, so that a torn write leaves the other slot intact. The file is written in
 * place: a full disk has no room for a replacement, and the writer must be able to empty the disk.
 */
const slotBytes = 4096

export function checkpointPath(dir: string): string {
  return join(dir, 'checkpoint')
}

function toSlot(slot: Slot): Buffer {
  const text = JSON.stringify(slot)
  const line = `${crc32(text).toString(16).padStart(8, '0')} ${text}`
  if (line.length >= slotBytes) throw new Error(`The checkpoint is too long: ${text}`)
  return Buffer.from(`${line.padEnd(slotBytes - 1)}\n`)
}

function fromSlot(bytes: Buffer): Slot | undefined {
  const [, sum, text = ''] = /^([0-9a-f]{8}) (.*?) *\n$/.exec(bytes.toString()) ?? []
  return sum !== undefined && Number.parseInt(sum, 16) === crc32(text)
    ? (JSON.parse(text) as Slot)
    : undefined
}

async function readSlot(dir: string): Promise<Slot | undefined> {
  const bytes = await readFile(checkpointPath(dir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (bytes === undefined) return undefined
  const slots = [bytes.subarray(0, slotBytes), bytes.subarray(slotBytes)].map(fromSlot)
  const [one, two] = slots
  const newest = (one?.turn ?? -1) > (two?.turn ?? -1) ? one : two
  if (newest !== undefined) return newest
  throw new Error(
    `${checkpointPath(dir)} is damaged. Without it, events of the log that are stored already would be stored again.`,
  )
}

/** The last saved checkpoint; undefined when there is no file. @throws when the file is damaged */
export async function readCheckpoint(dir: string): Promise<Checkpoint | undefined> {
  return (await readSlot(dir))?.checkpoint
}

/** Opens or creates the file. @throws when the file is damaged */
export async function openCheckpoint(dir: string): Promise<CheckpointFile> {
  await makeCheckpoint(dir)
  const slot = await readSlot(dir)
  if (slot === undefined) throw new Error(`${checkpointPath(dir)} is gone.`)
  const handle = await open(checkpointPath(dir), 'r+')
  let { turn, checkpoint } = slot
  return {
    get current() {
      return checkpoint
    },
    async save(next) {
      const bytes = toSlot({ turn: turn + 1, checkpoint: next })
      await handle.write(bytes, 0, bytes.length, ((turn + 1) % 2) * slotBytes)
      await handle.datasync()
      turn += 1
      checkpoint = next
    },
    close: () => handle.close(),
  }
}

/**
 * Creates the file, with room for both slots, unless it exists. The tracker does so before it accepts events: later
 * the disk may lack the room.
 */
export async function makeCheckpoint(dir: string): Promise<void> {
  const path = checkpointPath(dir)
  if (await stat(path).catch(() => undefined)) return
  const slot: Slot = {
    turn: 0,
    checkpoint: {
      id: randomUUID(),
      shipped: { segment: 0, offset: 0 },
      batch: null,
      aside: { rows: 0, damaged: 0 },
    },
  }
  await createFile(path, Buffer.concat([toSlot(slot), toSlot(slot)]))
}
