import { join } from 'node:path'
import { replaceFile } from '../../disk/durable-file.ts'
import type { DataDir } from '../folder/data-dir.ts'

/** The file of the data folder that knows the newest backup. */
export const noteName = 'backup.json'

/** Notes a backup for `sightline doctor`. */
export async function noteBackup(
  { path }: DataDir,
  note: { readonly dir: string; readonly takenAt: string },
): Promise<void> {
  await replaceFile(join(path, noteName), `${JSON.stringify(note)}\n`)
}
