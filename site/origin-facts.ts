import type { OriginFacts } from './checks/facts.ts'
import type { Site } from './site.ts'

/** Requests `/llms.txt` and a page that cannot exist, unless robots.txt of the origin keeps us out of everything. */
export async function readOrigin(site: Site, origin: string): Promise<OriginFacts> {
  const { reading: robots } = await site.robots(origin)
  if (robots.state !== 'read' && robots.state !== 'absent') {
    return { origin, robots, llms: null, probe: null }
  }
  const llms = await site.llms(origin)
  const { reading, page } = await site.probe(origin)
  const { outcome, address } = reading
  if (!('answer' in outcome)) return { origin, robots, llms, probe: null }
  const { status } = outcome.answer
  return { origin, robots, llms, probe: { address, status, document: page?.document ?? null } }
}
