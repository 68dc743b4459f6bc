import type { Settings } from '../../core/settings.ts'
import type { Storage } from './storage.ts'

/** Whether a place is a bucket; else it is a folder. */
export const isBucket = (place: string) => place.startsWith('s3://')

/**
 * Opens a place: `s3://bucket/prefix`, else a folder.
 * @throws {CliError} `usage` for a bucket without the settings of its storage
 */
export async function openStorage(settings: Settings, place: string): Promise<Storage> {
  if (isBucket(place)) return (await import('./s3.ts')).openBucket(settings, place)
  return (await import('./folder.ts')).openFolder(place)
}
