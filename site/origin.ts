import type { RobotsReading } from './reading.ts'
import type { RobotsRules } from './robots/rules.ts'

/** How well an origin answers for its robots.txt; the lowest is the best. */
function rankOf({ status, state }: RobotsReading): number {
  if (status !== null) return status < 500 ? 0 : 1
  if (state === 'certificate') return 2
  return state === 'unreachable' ? 3 : 4
}

/**
 * The origin of a site: https before http, the domain before `www.`; the first whose robots.txt answers below 500. A
 * site that answers nowhere has the best of the rest, so its fault has an address. The front page is not asked: where
 * robots.txt fails, crawlers must keep out.
 */
export async function siteOrigin(rules: RobotsRules, domain: string): Promise<string> {
  const readings: RobotsReading[] = []
  for (const scheme of ['https', 'http']) {
    for (const host of [domain, `www.${domain}`]) {
      const { reading } = await rules.of(new URL(`${scheme}://${host}`).origin)
      if (rankOf(reading) === 0) return reading.origin
      readings.push(reading)
    }
  }
  const [best] = readings.toSorted((a, b) => rankOf(a) - rankOf(b))
  return best?.origin ?? `https://${domain}`
}
