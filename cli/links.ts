import { baseUrlOf } from '../core/settings.ts'
import type { Context } from './context.ts'
import type { Secrets } from './folder/data-dir.ts'
import { askOwner } from './folder/data-dir-lock.ts'

/** Where people reach the service: PUBLIC_URL, else the URL of the service that runs on the folder; undefined while none does. */
export async function runningUrl(
  { settings, dataDir }: Context,
  secrets: Secrets,
): Promise<string | undefined> {
  if (settings.PUBLIC_URL) return baseUrlOf(settings)
  const running = await askOwner(dataDir, secrets)
  running?.leave()
  return running?.owner.url
}
