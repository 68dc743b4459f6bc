import { join } from 'node:path'
import { type BotRegistry, builtinBots } from '../../core/bots/bots.ts'
import { readLastGood } from './last-good.ts'

/** The file of the last valid registry, in the folder of the tracker. */
const lastGoodFile = (trackerFolder: string) => join(trackerFolder, 'bots.json')

/** The crawlers that the tracker of a folder knows from a source, else the built-in crawlers. */
export async function knownCrawlers(
  trackerFolder: string,
  source: string | undefined,
): Promise<BotRegistry> {
  if (source === undefined) return builtinBots
  // The tracker reports a damaged file, and falls back to the built-in crawlers too.
  const kept = await readLastGood(lastGoodFile(trackerFolder)).catch(() => undefined)
  return kept?.source === source ? kept.registry : builtinBots
}
