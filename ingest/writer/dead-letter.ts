import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../log/segments.ts'

/** What was not stored, and why: one line of JSON in `aside/refused.jsonl`. */
export interface AsideEntry {
  readonly reason: string
  /** Where it stood in the log. */
  readonly segment: number
  readonly offset: number
  /** A row that the warehouse refuses, as it came. */
  readonly row?: string
  /** Bytes of the log that are damaged. */
  readonly base64?: string
}

/**
 * Puts an entry aside; resolves when it is on disk.
 * @param isAgain it may be there already, since whoever put it was killed before it could say so
 */
export async function putAside(dir: string, entry: AsideEntry, isAgain: boolean): Promise<void> {
  const folder = join(dir, 'aside')
  const path = join(folder, 'refused.jsonl')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { segment, offset, reason, ...what } = entry
  const place = `{"segment":${segment},"offset":${offset},`
  const rest = JSON.stringify({ time: new Date().toISOString(), reason, ...what })
  const handle = await open(path, 'a', 0o600)
  try {
    if (isAgain) {
      const text = await readFile(path, 'utf8')
      const whole = text.slice(0, text.lastIndexOf('\n') + 1)
      if (whole.startsWith(place) || whole.includes(`\n${place}`)) return
      // A line that was cut off while it was written.
      await handle.truncate(Buffer.byteLength(whole))
    }
    await handle.appendFile(`${place}${rest.slice(1)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(folder)
  await syncFolder(dir)
}
