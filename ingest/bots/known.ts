import { join } from 'node:path'
import { type BotRegistry, builtinBots, parseBots } from '../../core/bots/bots.ts'
import { builtinRanges, type CrawlerRanges, parseRanges } from '../../core/bots/crawler-ranges.ts'
import { readLastGood } from './last-good.ts'

/** The file of the last valid registry, in the folder of the tracker. */
export const registryFile = (trackerFolder: string) => join(trackerFolder, 'bots.json')

/** The file of the last valid ranges, in the folder of the tracker. */
export const rangesFile = (trackerFolder: string) => join(trackerFolder, 'crawler-ranges.json')

async function known<List>(
  file: string,
  source: string | undefined,
  parse: (json: unknown) => List,
): Promise<List | undefined> {
  if (source === undefined) return undefined
  // The tracker reports a damaged file, and falls back to the built-in list too.
  const kept = await readLastGood(file, parse).catch(() => undefined)
  return kept?.source === source ? kept.list : undefined
}

/** The crawlers that the tracker of a folder knows from a source, else the built-in crawlers. */
export async function knownCrawlers(
  trackerFolder: string,
  source: string | undefined,
): Promise<BotRegistry> {
  return (await known(registryFile(trackerFolder), source, parseBots)) ?? builtinBots
}

/** The address ranges that the tracker of a folder knows from a source, else the built-in ranges. */
export async function knownRanges(
  trackerFolder: string,
  source: string | undefined,
): Promise<CrawlerRanges> {
  return (await known(rangesFile(trackerFolder), source, parseRanges)) ?? builtinRanges
}
