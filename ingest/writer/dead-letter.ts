import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../disk/durable-file.ts'

/** Where dead letters are kept, as JSON lines. The name on disk is older than the word. */
export function deadLetterPath(dir: string): string {
  return join(dir, 'aside', 'refused.jsonl')
}

/** Part of the log that cannot be stored, with the reason. */
export interface DeadLetter {
  readonly reason: string
  /** The place in the log. */
  readonly segment: number
  readonly offset: number
  /** The row that the warehouse refused. */
  readonly row?: string
  /** The damaged bytes of the log. */
  readonly base64?: string
}

/**
 * Appends a dead letter; resolves when it is on disk.
 * @param isRetry the letter may exist already, since a killed writer may have appended it
 */
export async function writeDeadLetter(
  dir: string,
  letter: DeadLetter,
  isRetry: boolean,
): Promise<void> {
  const path = deadLetterPath(dir)
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { segment, offset, reason, ...content } = letter
  const place = `{"segment":${segment},"offset":${offset},`
  const rest = JSON.stringify({ time: new Date().toISOString(), reason, ...content })
  const handle = await open(path, 'a', 0o600)
  try {
    if (isRetry) {
      const text = await readFile(path, 'utf8')
      const whole = text.slice(0, text.lastIndexOf('\n') + 1)
      if (whole.startsWith(place) || whole.includes(`\n${place}`)) return
      // A killed writer may have left part of a line.
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
