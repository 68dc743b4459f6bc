import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../disk/durable-file.ts'
import type { DataDir } from '../folder/data-dir.ts'

/** The file of the data folder that knows the newest backup. */
const noteName = 'backup.json'

/** Notes a backup for `sightline doctor`. */
export async function noteBackup(
  { path }: DataDir,
  note: { readonly dir: string; readonly takenAt: string },
): Promise<void> {
  await replaceFile(join(path, noteName), `${JSON.stringify(note)}\n`)
}

const noteSchema = z.object({ dir: z.string(), takenAt: z.iso.datetime() })

/** The newest backup of a data folder; null without one. */
export async function readNote({ path }: DataDir): Promise<z.output<typeof noteSchema> | null> {
  return readFile(join(path, noteName), 'utf8')
    .then((text) => noteSchema.parse(JSON.parse(text)))
    .catch(() => null)
}
