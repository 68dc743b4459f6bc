import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { writtenLength } from '../../ingest/log/blank.ts'
import { processFolders } from '../../ingest/log/process-folders.ts'
import { listSegments, segmentPath } from '../../ingest/log/segments.ts'
import { type Checkpoint, checkpointPath, readCheckpoint } from '../../ingest/writer/checkpoint.ts'
import { type BackupWriter, bytesUpTo } from './files.ts'

/**
 * The event log of a folder as it is at one moment. The segments are open, so that they stay readable when the writer
 * removes them.
 */
export interface LogSnapshot {
  readonly dir: string
  readonly checkpoint: Buffer | undefined
  readonly segments: readonly { readonly sequence: number; readonly file: FileHandle }[]
}

/** The rows of `crawler_hits` move all the time: a moment between two of its steps comes soon. */
const tries = 20

/**
 * Takes the stored events, and the logs and the checkpoints that belong to them. Each checkpoint must be the same before
 * and after. Then a restored writer counts the rows of the batch under way, and stores each row once.
 * @param trackerFolder each of its processes has a log
 * @param take takes the stored events; called again after each change of a checkpoint
 * @returns undefined when a checkpoint changed each time
 */
export async function withEvents(
  trackerFolder: string,
  take: () => Promise<void>,
): Promise<LogSnapshot[] | undefined> {
  for (let left = tries; left > 0; left--) {
    const begun = await Promise.all((await processFolders(trackerFolder)).map(beginLog))
    await take()
    const isSame = await Promise.all(begun.map(isUnchanged))
    if (isSame.every(Boolean)) return begun
    await closeSegments(begun)
  }
  return undefined
}

interface BegunLog extends LogSnapshot {
  readonly now: Checkpoint | undefined
}

async function beginLog(dir: string): Promise<BegunLog> {
  const segments = await openSegments(dir)
  const checkpoint = await bytesOfCheckpoint(dir)
  return { dir, segments, checkpoint, now: await readCheckpoint(dir) }
}

async function isUnchanged({ dir, segments, checkpoint, now }: BegunLog): Promise<boolean> {
  const after = await bytesOfCheckpoint(dir)
  const isSame = checkpoint === undefined ? after === undefined : after?.equals(checkpoint) === true
  return isSame && holdsBatch(segments, now)
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
    .filter((path) => /^(?!log\/|process-)[\w-]+(\/[\w-]+)?\.jsonl?$/.test(path))
}

/** Writes logs and checkpoints, and the other files of the tracker's folder. */
export async function copyEventsOut(
  trackerFolder: string,
  logs: readonly LogSnapshot[],
  writer: BackupWriter,
): Promise<void> {
  const pathOf = (file: string) => `tracker/${relative(trackerFolder, file)}`
  for (const { dir, checkpoint, segments } of logs) {
    if (checkpoint) await writer.write(pathOf(checkpointPath(dir)), once(checkpoint))
    for (const { sequence, file } of segments) {
      // Behind it the tracker may write at any time.
      const length = await writtenLength(file)
      if (length > 0)
        await writer.write(pathOf(segmentPath(dir, sequence)), bytesUpTo(file, length))
    }
    for (const path of await otherFiles(dir)) {
      const file = await open(join(dir, path)).catch(() => undefined)
      if (!file) continue
      const { size } = await file.stat()
      await writer.write(pathOf(join(dir, path)), bytesUpTo(file, size)).finally(() => file.close())
    }
  }
}

export async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

export async function closeSegments(logs: readonly LogSnapshot[]): Promise<void> {
  for (const { file } of logs.flatMap(({ segments }) => segments)) await file.close()
}
