import { type BotRegistry, builtinBots, parseBots } from '../../core/bots/bots.ts'
import { builtinRanges, type CrawlerRanges, rangesIn } from '../../core/bots/crawler-ranges.ts'
import type { Settings } from '../../core/settings.ts'
import { readSource, shownSource } from '../../ingest/bots/source.ts'
import { type Check, failed, ok, warning } from './problem.ts'

const PROBE_MS = 5000
/** Crawlers and their addresses change some times a year. */
const OLD_DAYS = 180
const dayMs = 24 * 3600 * 1000

interface Dated {
  readonly count: number
  /** The day of the list, `2026-11-23`. */
  readonly asOf: string
}

interface List {
  readonly name: string
  /** The list that comes with Sightline. */
  readonly builtin: Dated
  /** @throws {Error} lists every fault */
  parse(json: unknown): Dated
}

const botsDated = ({ bots, updatedAt }: BotRegistry): Dated => ({
  count: bots.length,
  asOf: updatedAt,
})
const rangesDated = (ranges: CrawlerRanges): Dated => ({
  count: new Set(ranges.map(({ crawler }) => crawler)).size,
  asOf:
    ranges
      .map(({ asOf }) => asOf)
      .toSorted()
      .at(-1) ?? '',
})

const lists: readonly List[] = [
  {
    name: 'crawlers',
    builtin: botsDated(builtinBots),
    parse: (json) => botsDated(parseBots(json)),
  },
  {
    name: 'addresses',
    builtin: rangesDated(builtinRanges),
    parse: (json) => rangesDated(rangesIn(json)),
  },
]

/** Reads the list of crawlers and of their addresses where the settings say, and shows their age. */
export async function inspectCrawlers({ CRAWLERS_SOURCE: source }: Settings): Promise<Check[]> {
  if (source === undefined) {
    const mend = 'Update Sightline, or set CRAWLERS_SOURCE.'
    return lists.map(({ name, builtin }) => aged(name, builtin, 'with Sightline', mend))
  }
  const place = shownSource(source)
  const reading = readSource(source, undefined, AbortSignal.timeout(PROBE_MS))
  const answer = await reading.catch((error: Error) => error)
  return lists.map(({ name, parse }) => {
    try {
      if (answer instanceof Error) throw answer
      const found = parse(answer === 'unchanged' ? undefined : answer.json)
      return aged(name, found, `in ${place}`, `Update ${place}.`)
    } catch (error) {
      const problem = `CRAWLERS_SOURCE cannot be read: ${place}: ${(error as Error).message}`
      const mend = 'Correct the list or the setting. Until then the last valid list counts.'
      return failed(name, problem, mend)
    }
  })
}

function aged(name: string, { count, asOf }: Dated, place: string, mend: string): Check {
  const days = Math.floor((Date.now() - Date.parse(asOf)) / dayMs)
  const found = `${count} crawlers ${place}, of ${asOf}`
  return days > OLD_DAYS ? warning(name, `${found}: ${days} days old`, mend) : ok(name, found)
}
