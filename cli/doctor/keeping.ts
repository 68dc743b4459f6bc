import type { KeptKind } from '../../core/retention.ts'
import type { Settings } from '../../core/settings.ts'
import { readFault, readNote } from '../backup/note.ts'
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
  /** Whether the service makes one each night, and why the newest of these failed. */
  readonly nightly: { readonly to: string; readonly problem: string | null } | null
  /** Days that are kept, by kind; a kind that is absent is kept forever. */
  readonly retentionDays: Readonly<Partial<Record<KeptKind, number>>>
}

const dayMs = 24 * 3600 * 1000

export async function inspectKeeping(dataDir: DataDir, settings: Settings): Promise<KeepingReport> {
  const note = await readNote(dataDir)
  const { BACKUP_TO: plan, RETENTION_DAYS: retentionDays } = settings
  const fault = plan && (await readFault(dataDir))
  const nightly = plan ? { to: plan.place, problem: fault?.problem ?? null } : null
  if (note === null) return { backup: null, nightly, retentionDays }
  const ageDays = Math.round((Date.now() - Date.parse(note.takenAt)) / (dayMs / 10)) / 10
  return { backup: { ...note, ageDays }, nightly, retentionDays }
}

const oldDays = { byHand: 7, nightly: 2 }

/** Whether there is a backup of this folder, and how old it is. */
export function inspectBackup({ backup, nightly }: KeepingReport): Check {
  const mend = nightly
    ? 'Run `npx sightline backup` to see whether it works. The service makes one at 7:15 UTC.'
    : 'Run `npx sightline backup <folder>`, or set BACKUP_TO for one each night.'
  if (nightly?.problem != null) {
    return warning('backup', `The newest backup to ${nightly.to} failed: ${nightly.problem}`, mend)
  }
  if (backup === null) return warning('backup', 'There is no backup yet.', mend)
  const found = `${backup.ageDays} days old, in ${backup.dir}`
  return backup.ageDays > oldDays[nightly ? 'nightly' : 'byHand']
    ? warning('backup', `The newest backup is ${found}.`, mend)
    : ok('backup', found)
}
