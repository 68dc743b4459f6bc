import { open } from 'node:fs/promises'
import { oldSegments } from '../../ingest/log/appender.ts'
import { processFolders } from '../../ingest/log/process-folders.ts'
import { createBacklogMeter } from '../../ingest/writer/backlog.ts'
import { readCheckpoint } from '../../ingest/writer/checkpoint.ts'
import { deadLetterPath } from '../../ingest/writer/dead-letter.ts'
import type { DataDir } from '../folder/data-dir.ts'
import type { DataDirOwner } from '../folder/data-dir-lock.ts'
import type { Problem } from './problem.ts'

/** The state of the tracker's folder, and of each process within. */
export interface TrackerReport {
  /** Acknowledged events that are not in the warehouse yet. */
  readonly backlog: { readonly bytes: number; readonly segments: number }
  /** The number of dead letters in the folder. */
  readonly aside: number
}

const PROBE_MS = 3000

/** Checks the folder, and the tracker when one runs. */
export async function inspectTracker(
  { tracker }: DataDir,
  running: DataDirOwner | null,
  problems: Problem[],
): Promise<TrackerReport> {
  const backlog = { bytes: 0, segments: 0 }
  let aside = 0
  for (const folder of await processFolders(tracker)) {
    const found = await inspectFolder(folder, problems)
    backlog.bytes += found.backlog.bytes
    backlog.segments += found.backlog.segments
    aside += found.aside
  }
  if (running?.trackerUrl) problems.push(...(await probe(running.trackerUrl)))
  return { backlog, aside }
}

async function inspectFolder(dir: string, problems: Problem[]): Promise<TrackerReport> {
  const meter = createBacklogMeter(dir, await oldSegments(dir))
  await meter.refresh()
  const { bytes, segments } = meter.current
  await readCheckpoint(dir).catch(({ message }: Error) => {
    const mend =
      'Restore the whole folder from a backup. Or remove the file, and accept duplicate events.'
    problems.push({ problem: message, mend })
  })
  const path = deadLetterPath(dir)
  const aside = await countLines(path)
  if (aside > 0) {
    problems.push({
      problem: `${aside} events, or damaged parts of the event log, are not in the warehouse. ${path} lists them with the reasons.`,
      mend: 'Read the reasons, and move the file away afterwards.',
    })
  }
  return { backlog: { bytes, segments }, aside }
}

async function countLines(path: string): Promise<number> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  let lines = 0
  if (file) for await (const _line of file.readLines()) lines++
  return lines
}

async function probe(url: string): Promise<Problem[]> {
  const why = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok, status }) => (ok ? undefined : `accepts no events: it answers with status ${status}`),
    (error: Error) => `does not answer: ${error.message}`,
  )
  if (why === undefined) return []
  const mend =
    'Read the log (logs/sightline.log in DATA_DIR). The tracker refuses events while the disk is nearly full or the backlog is too long.'
  return [{ problem: `The tracker at ${url} ${why}.`, mend }]
}
