import type { Client } from '../net/client.ts'
import type { IsOwn } from '../own.ts'
import type { FailedOutcome, RobotsReading } from '../reading.ts'
import { loadRobots } from './load.ts'
import { parseRobots, type Robots } from './robots.ts'

/** The token by which robots.txt names our crawler. */
const ourToken = 'SightlineBot'

/** robots.txt of every origin that an audit meets, each read once. */
export interface RobotsRules {
  of(origin: string): Promise<Robots>
  /** Says why robots.txt keeps us from an address; null where we may request it. */
  refusal(url: URL): Promise<FailedOutcome | null>
  /** Readings so far, in the order of their origins. */
  readings(): Promise<RobotsReading[]>
}

function refusalOf(robots: Robots, url: URL): FailedOutcome | null {
  const { state, address, detail } = robots.reading
  if (state === 'unreachable') return { kind: 'robots_unreachable', robots: address }
  if (state === 'certificate') return { kind: 'certificate', detail }
  if (state === 'refused') return { kind: 'skipped', reason: 'private_address', detail }
  const ours = robots.verdict(url.href, ourToken)
  if (ours.isAllowed) return null
  const all = robots.verdict(url.href, '*')
  if (all.isAllowed) {
    return { kind: 'skipped', reason: 'robots', detail: `${address} line ${ours.line}` }
  }
  return { kind: 'robots_blocked', address: url.href, robots: address, line: all.line ?? 0 }
}

/** @param known readings of an earlier part of the same audit */
export function robotsRules(
  client: Client,
  isOwn: IsOwn,
  known: readonly RobotsReading[],
): RobotsRules {
  const all = new Map<string, Promise<Robots>>()
  function keep(robots: Robots): Robots {
    const seconds = robots.crawlDelay(ourToken) ?? 0
    const { hostname } = new URL(robots.reading.origin)
    client.pace.slowDown(hostname, Math.min(seconds * 1000, client.limits.crawlDelayMs))
    return robots
  }
  for (const reading of known) {
    all.set(reading.origin, Promise.resolve(keep(parseRobots(reading))))
  }
  const of = (origin: string): Promise<Robots> => {
    const found = all.get(origin)
    if (found !== undefined) return found
    const made = loadRobots(client, origin, isOwn).then((reading) => keep(parseRobots(reading)))
    all.set(origin, made)
    made.catch(() => all.delete(origin))
    return made
  }
  return {
    of,
    refusal: async (url) => refusalOf(await of(url.origin), url),
    async readings() {
      const robots = await Promise.all(all.values())
      const readings = robots.map(({ reading }) => reading)
      return readings.toSorted((a, b) => (a.origin < b.origin ? -1 : 1))
    },
  }
}
