import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { oldSegments } from '../../ingest/log/appender.ts'
import { createBacklogMeter } from '../../ingest/writer/backlog.ts'
import { readCheckpoint } from '../../ingest/writer/checkpoint.ts'
import type { DataDir } from '../folder/data-dir.ts'
import type { HolderInfo } from '../folder/holder.ts'
import type { Problem } from './problem.ts'

/** What waits in the tracker's folder. */
export interface TrackerReport {
  /** What is acknowledged, and not in the warehouse yet. */
  readonly backlog: { readonly bytes: number; readonly segments: number }
  /** What the warehouse has refused for good, and still lies there. */
  readonly aside: number
}

const PROBE_MS = 3000

/** Looks at the folder, and asks the tracker when one runs. */
export async function inspectTracker(
  { tracker: dir }: DataDir,
  running: HolderInfo | null,
  problems: Problem[],
): Promise<TrackerReport> {
  const meter = createBacklogMeter(dir, await oldSegments(dir))
  await meter.refresh()
  const { bytes, segments } = meter.current
  await readCheckpoint(dir).catch(({ message }: Error) => {
    const mend = 'Restore the folder from a backup, whole; or accept that, and remove the file.'
    problems.push({ problem: message, mend })
  })
  const path = join(dir, 'aside', 'refused.jsonl')
  const aside = await countLines(path)
  if (aside > 0) {
    problems.push({
      problem: `${aside} events, or damaged parts of the event log, are not in the warehouse: ${path} has each, with the reason.`,
      mend: 'Read the reasons. Move the file away when nothing is left to do about it.',
    })
  }
  if (running?.trackerUrl) problems.push(...(await probe(running.trackerUrl)))
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
    ({ ok, status }) => (ok ? undefined : `takes no events: it answers with status ${status}`),
    (error: Error) => `does not answer: ${error.message}`,
  )
  if (why === undefined) return []
  const mend =
    'Read the log (logs/sightline.log in DATA_DIR). Events are refused while the disk is nearly full, or too much waits for the warehouse.'
  return [{ problem: `The tracker at ${url} ${why}.`, mend }]
}
