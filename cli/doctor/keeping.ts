import type { Settings } from '../../core/settings.ts'
import { readNote } from '../backup/note.ts'
import type { DataDir } from '../folder/data-dir.ts'
import { type Check, ok, warning } from './problem.ts'

/** What is safe, and what is removed. */
export interface KeepingReport {
  /** The newest backup that `sightline backup` made of this folder. */
  readonly backup: {
    readonly dir: string
    readonly takenAt: string
    readonly ageDays: number
  } | null
  /** Days that are kept, by setting; a kind that is absent is kept for ever. */
  readonly retentionDays: Readonly<Record<string, number>>
}

const dayMs = 24 * 3600 * 1000

export async function inspectKeeping(dataDir: DataDir, settings: Settings): Promise<KeepingReport> {
  const note = await readNote(dataDir)
  const retentionDays = Object.fromEntries(
    Object.entries(settings).filter(([name]) => name.startsWith('RETENTION_')),
  ) as Record<string, number>
  if (note === null) return { backup: null, retentionDays }
  const ageDays = Math.round((Date.now() - Date.parse(note.takenAt)) / (dayMs / 10)) / 10
  return { backup: { ...note, ageDays }, retentionDays }
}

const OLD_BACKUP_DAYS = 7

/** Whether there is a backup of this folder, and how old it is. */
export function inspectBackup({ backup }: KeepingReport): Check {
  const mend = 'Run `npx sightline backup <folder>`, daily by a timer.'
  if (backup === null) return warning('backup', 'There is no backup yet.', mend)
  const found = `${backup.ageDays} days old, in ${backup.dir}`
  return backup.ageDays > OLD_BACKUP_DAYS
    ? warning('backup', `The newest backup is ${found}.`, mend)
    : ok('backup', found)
}
