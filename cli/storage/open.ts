import type { Settings } from '../../core/settings.ts'
import type { Storage } from './storage.ts'

/**
 * Opens a place: `s3://bucket/prefix`, else a folder.
 * @throws {CliError} `usage` for a bucket without the settings of its storage
 */
export async function openStorage(settings: Settings, place: string): Promise<Storage> {
  if (place.startsWith('s3://')) return (await import('./s3.ts')).openBucket(settings, place)
  return (await import('./folder.ts')).openFolder(place)
}
