import { openSiteFor } from './open-site.ts'
import type { ReadSiteSitemap } from './sitemap.ts'

/** Reads the sitemap of a site over HTTP, by the rules of its robots.txt. */
export const readSiteSitemap: ReadSiteSitemap = async function* (
  { projectId, domain, ownDomains },
  work,
  onFault,
) {
  const opened = await openSiteFor(work, projectId, {
    ownDomains,
    brand: null,
    now: new Date(),
    signal: AbortSignal.any([work.signal, work.stopping]),
  })
  try {
    yield* opened.site.sitemap(domain, onFault)
  } finally {
    await opened.close()
  }
}
