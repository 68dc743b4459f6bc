import { backupName, backupTime, keptBackups } from '../../core/backups.ts'
import type { BackupPlan, Settings } from '../../core/settings.ts'
import { CliError } from '../errors.ts'
import type { Context } from '../run.ts'
import { openStorage } from '../storage/open.ts'
import { type BackupReport, backUp } from './backup.ts'
import { manifestName } from './manifest.ts'
import { noteFailedBackup } from './note.ts'

/** A backup below a place, by the name of its time. */
export interface StoredBackup {
  readonly place: string
  readonly takenAt: string
  /** Without its manifest it is no backup: it runs, or its command died. */
  readonly isComplete: boolean
}

const within = (place: string, name: string) => `${place.replace(/\/+$/, '')}/${name}`

/** The backups below a place, the newest first. Files of other names are not looked at. */
export async function listBackups(settings: Settings, place: string): Promise<StoredBackup[]> {
  const storage = await openStorage(settings, place)
  const files = await storage.list()
  const byName = Map.groupBy(files, (file) => file.slice(0, file.indexOf('/')))
  return [...byName]
    .flatMap(([name, ofBackup]) => {
      const at = backupTime(name)
      const isComplete = ofBackup.includes(`${name}/${manifestName}`)
      return at ? [{ place: within(place, name), takenAt: at.toISOString(), isComplete }] : []
    })
    .sort((a, b) => (a.takenAt < b.takenAt ? 1 : -1))
}

const dayMs = 86_400_000

/** Removes the backups that the rule does not keep, and what is left of those that died. @returns their places */
async function removeOld(
  settings: Settings,
  { place, keep }: BackupPlan,
  now: Date,
): Promise<string[]> {
  const found = await listBackups(settings, place)
  const times = new Map(found.map((backup) => [backup, new Date(backup.takenAt)]))
  const complete = found.filter(({ isComplete }) => isComplete)
  const kept = keptBackups(
    complete.flatMap((backup) => times.get(backup) ?? []),
    keep,
  )
  const isOver = (backup: StoredBackup) => {
    const at = times.get(backup) ?? now
    return backup.isComplete ? !kept.has(at) : now.getTime() - at.getTime() > dayMs
  }
  const over = found.filter(isOver)
  for (const backup of over) await (await openStorage(settings, backup.place)).clear()
  return over.map((backup) => backup.place)
}

export interface ScheduledReport extends BackupReport {
  /** Places of older backups that were removed. */
  readonly removed: readonly string[]
}

/**
 * Backs up to a new place below BACKUP_TO, then removes what its rule does not keep.
 * @throws {CliError} `usage` without BACKUP_TO; those of `backUp`
 */
export async function backUpByRule(
  context: Context,
  options: Parameters<typeof backUp>[2],
  now = new Date(),
): Promise<ScheduledReport> {
  const { BACKUP_TO } = context.settings
  if (BACKUP_TO === undefined) {
    throw new CliError('usage', 'Give a folder or a bucket, or set BACKUP_TO.', { exitCode: 2 })
  }
  const report = await backUp(context, within(BACKUP_TO.place, backupName(now)), options)
  return { ...report, removed: await removeOld(context.settings, BACKUP_TO, now) }
}

/** The backup of each night; null without BACKUP_TO. A failure is noted for `sightline doctor`. */
export async function nightlyBackup(context: Context): Promise<ScheduledReport | null> {
  if (context.settings.BACKUP_TO === undefined) return null
  try {
    return await backUpByRule(context, { withSecrets: true })
  } catch (error) {
    await noteFailedBackup(context.dataDir, error)
    throw error
  }
}
