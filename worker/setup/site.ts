import { pagesToRead } from '../../core/setup/pages.ts'
import type { SitePage } from '../../core/setup/site.ts'
import type { PageResult } from '../../site/page/read.ts'
import type { PageOutcome, UnreachableCause } from '../../site/reading.ts'
import type { Work } from '../job.ts'
import { openSiteFor } from '../open-site.ts'

/** People wait for the proposals. */
const longestMs = 60_000

/** A site that says nothing, and why: a sentence for whoever sets up the project. */
export class SiteFault extends Error {}

const causes: Readonly<Record<UnreachableCause, string>> = {
  dns: 'No server has this name.',
  connection: 'Its server refuses the connection.',
  timeout: 'Its server did not answer in time.',
  protocol: 'Its server does not speak HTTP.',
  encoding: 'Its answer cannot be unpacked.',
}

const skips: Readonly<Record<Extract<PageOutcome, { kind: 'skipped' }>['reason'], string>> = {
  not_html: 'Its front page is no HTML.',
  private_address:
    'Its name leads to a private address, which this service reads only where ALLOW_PRIVATE_HOSTS names it.',
  no_own_host: 'Its front page is on another domain.',
  robots: 'Its robots.txt forbids SightlineBot to read it.',
  budget: 'It is too slow to be read in a minute.',
}

/** Why a front page said nothing, in plain words. */
function reasonOf(outcome: Exclude<PageOutcome, { kind: 'read' }>): string {
  switch (outcome.kind) {
    case 'unreachable':
      return causes[outcome.cause]
    case 'certificate':
      return 'Its certificate is not valid.'
    case 'redirect_loop':
      return 'It redirects without an end.'
    case 'redirect_off_site':
      return `It redirects to ${new URL(outcome.address).hostname}, which is another domain.`
    case 'robots_blocked':
      return 'Its robots.txt forbids programs to read it.'
    case 'robots_unreachable':
      return 'Its robots.txt cannot be read, so nothing else of it may be.'
    case 'skipped':
      return skips[outcome.reason]
    case 'answered':
      return `It answers with status ${outcome.answer.status}.`
    case 'too_large':
    case 'too_deep':
      return 'Its front page is too large to be read.'
  }
}

function pageOf({ reading, page }: PageResult): SitePage[] {
  if (!page || reading.outcome.kind !== 'read') return []
  const { language, title, description, h1, kind } = page.document
  return [
    {
      ...page.about,
      address: reading.outcome.answer.address,
      language,
      title: title ?? '',
      description: description ?? '',
      heading: h1[0] ?? '',
      kind,
    },
  ]
}

interface SiteToRead {
  readonly projectId: string
  readonly domain: string
  readonly ownDomains: readonly string[]
}

/**
 * Reads the pages that say most of a brand's site, by the rules of its robots.txt, the front page first.
 * @param onPage called with the number of pages so far
 * @throws {SiteFault} where the front page cannot be read
 */
export async function readSite(
  work: Work,
  { projectId, domain, ownDomains }: SiteToRead,
  onPage: (count: number) => Promise<void>,
): Promise<SitePage[]> {
  const opened = await openSiteFor(work, projectId, {
    ownDomains,
    brand: null,
    now: new Date(),
    deadline: new Date(Date.now() + longestMs),
    signal: AbortSignal.any([work.signal, work.stopping]),
  })
  try {
    const { site } = opened
    const address = `${await site.origin(domain)}/`
    const first = await site.read(address, false)
    const [front] = pageOf(first)
    const { outcome } = first.reading
    if (!front) {
      const why = outcome.kind === 'read' ? 'Its front page is empty.' : reasonOf(outcome)
      throw new SiteFault(`${domain} could not be read. ${why}`)
    }
    const pages = [front]
    await onPage(pages.length)
    const links = first.page?.document.links ?? []
    for (const link of pagesToRead(front.address, front.navigation, links)) {
      pages.push(...pageOf(await site.read(link)))
      await onPage(pages.length)
    }
    return pages
  } finally {
    await opened.close()
  }
}
