import { join } from 'node:path'
import { type BotMatcher, builtinBots, createBotMatcher } from '../../core/bots.ts'
import { readLastGood } from '../../ingest/bots/last-good.ts'
import type { DataDir } from '../folder/data-dir.ts'

/**
 * The crawlers that the tracker of this folder knows by `source` (CRAWLERS_SOURCE); without one, those that
 * come with this version.
 */
export async function knownBots(
  { tracker }: DataDir,
  source: string | undefined,
): Promise<BotMatcher> {
  // The tracker tells of a file that is damaged, and does without it too.
  const kept = await readLastGood(join(tracker, 'bots.json')).catch(() => undefined)
  return createBotMatcher(kept && kept.source === source ? kept.registry : builtinBots)
}
