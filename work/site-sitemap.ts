import { createPageParser } from '../crawler/page/parser.ts'
import { openSite } from '../crawler/site.ts'
import { userAgent } from '../crawler/user-agent.ts'
import about from '../package.json' with { type: 'json' }
import type { ReadSiteSitemap } from './sitemap.ts'

/** Reads the sitemap of a site over HTTP, by the rules of its robots.txt. */
export const readSiteSitemap: ReadSiteSitemap = (
  { domain, ownDomains },
  { settings, signal, stopping },
) => {
  const site = openSite({
    ownDomains,
    brand: null,
    now: new Date(),
    privateHosts: settings.ALLOW_PRIVATE_HOSTS,
    delayMs: settings.AUDIT_DELAY_MS,
    userAgent: userAgent(about.version, settings.PUBLIC_URL ?? `http://${settings.HOST}`),
    // A sitemap has no pages to parse: the parser starts no thread.
    parser: createPageParser({ maxMs: 0, maxMb: 1, threads: 1 }),
    signal: AbortSignal.any([signal, stopping]),
  })
  return site.sitemap(domain)
}
