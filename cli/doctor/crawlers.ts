import { builtinBots, parseBots } from '../../core/bots/bots.ts'
import { builtinRanges, parseRanges } from '../../core/bots/crawler-ranges.ts'
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
  readonly setting: 'CRAWLERS_SOURCE' | 'CRAWLER_RANGES_SOURCE'
  /** The list that comes with Sightline. */
  readonly builtin: Dated
  /** @throws {Error} lists every fault */
  parse(json: unknown): Dated
}

const dated = {
  bots: ({ bots, updatedAt }: ReturnType<typeof parseBots>): Dated => ({
    count: bots.length,
    asOf: updatedAt,
  }),
  ranges: (ranges: ReturnType<typeof parseRanges>): Dated => ({
    count: new Set(ranges.map(({ crawler }) => crawler)).size,
    asOf:
      ranges
        .map(({ asOf }) => asOf)
        .toSorted()
        .at(-1) ?? '',
  }),
}

const lists: readonly List[] = [
  {
    name: 'crawlers',
    setting: 'CRAWLERS_SOURCE',
    builtin: dated.bots(builtinBots),
    parse: (json) => dated.bots(parseBots(json)),
  },
  {
    name: 'addresses',
    setting: 'CRAWLER_RANGES_SOURCE',
    builtin: dated.ranges(builtinRanges),
    parse: (json) => dated.ranges(parseRanges(json)),
  },
]

/** Reads the list of crawlers and the list of their addresses where the settings say, and shows their age. */
export const inspectCrawlers = (settings: Settings): Promise<Check[]> =>
  Promise.all(lists.map((list) => inspectList(list, settings[list.setting])))

async function inspectList(list: List, source: string | undefined): Promise<Check> {
  const { name, setting, builtin, parse } = list
  if (source === undefined) {
    return aged(name, builtin, 'with Sightline', `Update Sightline, or set ${setting}.`)
  }
  const place = shownSource(source)
  try {
    const answer = await readSource(source, undefined, AbortSignal.timeout(PROBE_MS))
    const found = parse(answer === 'unchanged' ? undefined : answer.json)
    return aged(name, found, `in ${place}`, `Update ${place}.`)
  } catch (error) {
    const problem = `${setting} cannot be read: ${place}: ${(error as Error).message}`
    const mend = 'Correct the list or the setting. Until then the last valid list counts.'
    return failed(name, problem, mend)
  }
}

function aged(name: string, { count, asOf }: Dated, place: string, mend: string): Check {
  const days = Math.floor((Date.now() - Date.parse(asOf)) / dayMs)
  const found = `${count} crawlers ${place}, of ${asOf}`
  return days > OLD_DAYS ? warning(name, `${found}: ${days} days old`, mend) : ok(name, found)
}
