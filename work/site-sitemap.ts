import { openSiteFor } from './open-site.ts'
import type { ReadSiteSitemap } from './sitemap.ts'

/** Reads the sitemap of a site over HTTP, by the rules of its robots.txt. */
export const readSiteSitemap: ReadSiteSitemap = (
  { domain, ownDomains },
  { settings, signal, stopping },
) => {
  const site = openSiteFor(settings, {
    ownDomains,
    brand: null,
    now: new Date(),
    signal: AbortSignal.any([signal, stopping]),
  })
  return site.sitemap(domain)
}
