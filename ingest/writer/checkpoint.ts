import { randomUUID } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../log/segments.ts'

export interface Position {
  readonly segment: number
  readonly offset: number
}

/** From one offset of a segment to another, the end not included. */
export type Range = readonly [from: number, to: number]

/** Frames of one segment that are about to be sent, or were. */
export interface Batch {
  readonly segment: number
  readonly frames: Range
  /** What of it is still to be sent, each under a token of its own; the first is on its way. */
  readonly pieces: readonly Range[]
  /** Part of the first one's token: 1, and more when the warehouse took a token and lost the rows. */
  readonly attempt: number
}

/** What the writer knows for certain, across whatever ends it. */
export interface Checkpoint {
  /** Random, made with the file, so that a log that begins anew repeats no token of the old one. */
  readonly id: string
  /** All before it is in the warehouse, or aside. */
  readonly shipped: Position
  readonly batch: Batch | null
  readonly aside: Aside
}

/** What was put aside since the folder was made. */
export interface Aside {
  /** Rows that the warehouse refuses. */
  readonly rows: number
  /** Places where the log is damaged. */
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
 * The file has two slots that are written in turn, so that a torn write leaves the other one. It is written in place
 * rather than replaced: a full disk has no room for a replacement, and would never be emptied by us.
 */
const slotBytes = 4096

function checkpointPath(dir: string): string {
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

/** What was saved last; undefined before the first writer. @throws when the file is damaged */
export async function readCheckpoint(dir: string): Promise<Checkpoint | undefined> {
  return (await readSlot(dir))?.checkpoint
}

/** Opens the file, or makes it. @throws when it is damaged */
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
 * Makes the file, unless there is one. The tracker does so before it takes anything, since the writer might find no
 * room for it. Both slots have their room from the start.
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
  const draft = `${path}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(Buffer.concat([toSlot(slot), toSlot(slot)]))
    await handle.sync()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  await syncFolder(dir)
}
