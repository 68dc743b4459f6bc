import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../disk/durable-file.ts'
import type { DataDir } from '../folder/data-dir.ts'

/** The file of the data folder that knows the newest backup. */
const noteName = 'backup.json'
/** Why the newest scheduled backup failed, until one succeeds. */
const faultName = 'backup-failed.json'

/** Notes a backup for `sightline doctor`. */
export async function noteBackup(
  { path }: DataDir,
  note: { readonly dir: string; readonly takenAt: string },
): Promise<void> {
  await replaceFile(join(path, noteName), `${JSON.stringify(note)}\n`)
  await rm(join(path, faultName), { force: true })
}

/** Notes why a backup that nobody watches failed. */
export async function noteFailedBackup({ path }: DataDir, error: unknown): Promise<void> {
  const problem = error instanceof Error ? error.message : String(error)
  const note = { problem, failedAt: new Date().toISOString() }
  await replaceFile(join(path, faultName), `${JSON.stringify(note)}\n`)
}

const faultSchema = z.object({ problem: z.string(), failedAt: z.iso.datetime() })

/** Why the newest scheduled backup failed; null where it did not. */
export async function readFault({ path }: DataDir): Promise<z.output<typeof faultSchema> | null> {
  return readFile(join(path, faultName), 'utf8')
    .then((text) => faultSchema.parse(JSON.parse(text)))
    .catch(() => null)
}

const noteSchema = z.object({ dir: z.string(), takenAt: z.iso.datetime() })

/** The newest backup of a data folder; null without one. */
export async function readNote({ path }: DataDir): Promise<z.output<typeof noteSchema> | null> {
  return readFile(join(path, noteName), 'utf8')
    .then((text) => noteSchema.parse(JSON.parse(text)))
    .catch(() => null)
}
