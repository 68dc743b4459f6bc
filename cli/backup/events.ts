import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listSegments, segmentPath } from '../../ingest/log/segments.ts'
import { type Checkpoint, checkpointPath, readCheckpoint } from '../../ingest/writer/checkpoint.ts'
import { type BackupWriter, bytesUpTo } from './files.ts'

/**
 * The event log as it is at one moment. The segments are open, so that they stay readable when the writer removes them.
 */
export interface LogSnapshot {
  readonly checkpoint: Buffer | undefined
  readonly segments: readonly { readonly sequence: number; readonly file: FileHandle }[]
}

/** The rows of `crawler_hits` move all the time: a moment between two of its steps comes soon. */
const tries = 20

/**
 * Takes the stored events, and the log and the checkpoint that belong to them. The checkpoint must be the same before
 * and after. Then a restored writer counts the rows of the batch under way, and stores each row once.
 * @param take takes the stored events; called again after each change of the checkpoint
 * @returns undefined when the checkpoint changed each time
 */
export async function withEvents(
  dir: string,
  take: () => Promise<void>,
): Promise<LogSnapshot | undefined> {
  for (let left = tries; left > 0; left--) {
    const segments = await openSegments(dir)
    const before = await bytesOfCheckpoint(dir)
    const now = await readCheckpoint(dir)
    await take()
    const after = await bytesOfCheckpoint(dir)
    const isSame = before === undefined ? after === undefined : after?.equals(before) === true
    if (isSame && holdsBatch(segments, now)) return { checkpoint: before, segments }
    await closeSegments({ segments })
  }
  return undefined
}

async function openSegments(dir: string): Promise<LogSnapshot['segments']> {
  const segments: { sequence: number; file: FileHandle }[] = []
  for (const sequence of await listSegments(dir)) {
    const file = await open(segmentPath(dir, sequence)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (file) segments.push({ sequence, file })
  }
  return segments
}

/** Whether the batch under way is in the open segments: the writer may have gone on to a newer one. */
function holdsBatch(segments: LogSnapshot['segments'], now: Checkpoint | undefined): boolean {
  return !now?.batch || segments.some(({ sequence }) => sequence === now.batch?.segment)
}

function bytesOfCheckpoint(dir: string): Promise<Buffer | undefined> {
  return readFile(checkpointPath(dir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Files of the folder beside log and checkpoint, which the tracker replaces as a whole or appends to. */
async function otherFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => /^(?!log\/)[\w-]+(\/[\w-]+)?\.jsonl?$/.test(path))
}

/** Writes log and checkpoint, and the other files of the folder. */
export async function copyEventsOut(
  dir: string,
  { checkpoint, segments }: LogSnapshot,
  writer: BackupWriter,
): Promise<void> {
  if (checkpoint) await writer.write('tracker/checkpoint', once(checkpoint))
  for (const { sequence, file } of segments) {
    const { size } = await file.stat()
    const path = `tracker/${segmentPath('', sequence)}`
    if (size > 0) await writer.write(path, bytesUpTo(file, size))
  }
  for (const path of await otherFiles(dir)) {
    const file = await open(join(dir, path)).catch(() => undefined)
    if (!file) continue
    const { size } = await file.stat()
    await writer.write(`tracker/${path}`, bytesUpTo(file, size)).finally(() => file.close())
  }
}

export async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

export async function closeSegments({ segments }: Pick<LogSnapshot, 'segments'>): Promise<void> {
  for (const { file } of segments) await file.close()
}
