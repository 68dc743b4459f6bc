import { normaliseUrl } from '../../core/sites/urls.ts'
import type { Client } from '../net/client.ts'
import type { FollowOptions } from '../net/follow.ts'
import { siteOrigin } from '../origin.ts'
import type { IsOwn } from '../own.ts'
import type { SitemapReading } from '../reading.ts'
import type { RobotsRules } from '../robots/rules.ts'
import { readTarget } from '../target.ts'
import { SitemapFault } from './fault.ts'
import { openSitemap } from './open.ts'
import { readSitemaps, type SitemapEntry } from './sitemap.ts'

export interface SitemapSite {
  /** Whether the sitemaps of an origin answer: those that robots.txt names, else the usual ones up to the first. */
  sitemapFiles(origin: string): Promise<SitemapReading[]>
  /**
   * Streams the sitemaps that a domain publishes: own URLs alone, as often as they list them.
   * @param onFault called for each sitemap that cannot be read completely
   * @throws {SitemapFault} when none can be read
   */
  sitemap(
    domain: string,
    onFault: (fault: SitemapFault) => void,
  ): AsyncGenerator<SitemapEntry, void>
}

interface SitemapParts {
  readonly client: Client
  readonly rules: RobotsRules
  readonly isOwn: IsOwn
  readonly checkOf: (alsoAsked: (url: URL) => boolean) => FollowOptions<unknown>['check']
}

const usualPaths = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz']
/** Named sitemaps whose status an audit asks. */
const mostAsked = 50

export function siteSitemap({ client, rules, isOwn, checkOf }: SitemapParts): SitemapSite {
  async function addressesOf(origin: string) {
    const robots = await rules.of(origin)
    const named = [...new Set(robots.sitemaps.map(({ address }) => address))]
    const hosts = new Set(named.map((address) => new URL(address).host))
    const usual = usualPaths.map((path) => `${origin}${path}`)
    return {
      robots,
      named,
      addresses: named.length > 0 ? named : usual,
      check: checkOf((url) => hosts.has(url.host)),
    }
  }

  async function filesOf(origin: string): Promise<SitemapReading[]> {
    const { named, addresses, check } = await addressesOf(origin)
    const isNamed = named.length > 0
    const files: SitemapReading[] = []
    for (const address of addresses.slice(0, mostAsked)) {
      const { outcome } = await readTarget(client, new URL(address), check)
      const status = outcome.kind === 'answered' ? outcome.status : null
      files.push({ address, status, isNamed })
      if (!isNamed && status === 200) break
    }
    return files
  }

  const usualOf = async (origin: string) =>
    (await filesOf(origin)).filter(({ status }) => status === 200).map(({ address }) => address)

  return {
    sitemapFiles: filesOf,
    async *sitemap(domain, onFault) {
      const origin = await siteOrigin(rules, domain)
      const { robots, named, check } = await addressesOf(origin)
      const { state, address, detail } = robots.reading
      if (state !== 'read' && state !== 'absent') {
        throw new SitemapFault(address, `cannot be read: ${detail}`)
      }
      const found = named.length > 0 ? named : await usualOf(origin)
      if (found.length === 0) {
        throw new SitemapFault(origin, 'has no sitemap in robots.txt or at the usual addresses')
      }
      const open = (each: string) => openSitemap(client, each, check)
      for await (const entry of readSitemaps(found, open, onFault)) {
        const url = normaliseUrl(entry.address)
        if (url !== null && isOwn(new URL(url))) yield entry
      }
    },
  }
}
