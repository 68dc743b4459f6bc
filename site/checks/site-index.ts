import { LRUCache } from 'lru-cache'
import { normaliseUrl } from '../../core/sites/urls.ts'
import type { FailedOutcome, PageReading, TargetReading } from '../reading.ts'
import type { PageFacts } from './facts.ts'
import { emptyTally, type Tally, tallied } from './tally.ts'

/** How an address answers. What was not requested counts as whole. */
export type TargetState = 'whole' | 'missing' | 'broken' | 'redirects'

export interface TargetAnswer {
  readonly state: TargetState
  readonly status: number | null
}

/**
 * Facts about the pages of an audit that the checks of other pages need. Memory grows with the number of pages, and not
 * with their content.
 */
export interface SiteIndex {
  /** Adds a page. Ask nothing before all pages are added. */
  add(page: PageFacts): void
  /** How the page of a URL answered; undefined for a URL without a page. */
  answerOf(url: string): TargetAnswer | undefined
  /** Whether another page of the audit links to a page, or to an address that redirects to it. */
  isLinked(page: PageFacts): boolean
  /** The number of pages at an origin. */
  pageCount(origin: string): number
  /** Addresses of an origin that robots.txt closes to SightlineBot alone. */
  closedTo(origin: string): Tally
  /** The normalised URL of a link, null for no http or https address. */
  urlOf(address: string): string | null
}

function failed(outcome: FailedOutcome): TargetState {
  switch (outcome.kind) {
    case 'unreachable':
    case 'certificate':
    case 'redirect_loop':
      return 'broken'
    case 'redirect_off_site':
      return 'redirects'
    default:
      return 'whole'
  }
}

function answered(asked: string, status: number, url: string): TargetAnswer {
  const state = (): TargetState => {
    if (status === 404 || status === 410) return 'missing'
    if (status >= 500) return 'broken'
    return url !== asked && status < 400 ? 'redirects' : 'whole'
  }
  return { state: state(), status }
}

export function answerOf(reading: PageReading | TargetReading): TargetAnswer {
  const { outcome, url } = reading
  if ('answer' in outcome) return answered(url, outcome.answer.status, outcome.answer.url)
  if (outcome.kind === 'answered') return answered(url, outcome.status, outcome.url)
  return { state: failed(outcome), status: null }
}

/** Links that many pages share, such as those of a menu. */
const cachedUrls = 20_000

/**
 * @param urls of all pages that will be added
 * @param targets how the addresses of links without a page answered
 */
export function createSiteIndex(
  urls: ReadonlySet<string>,
  targets: ReadonlyMap<string, TargetReading>,
): SiteIndex {
  const answers = new Map<string, TargetAnswer>()
  /** The page that links to a page; null for several. */
  const linkers = new Map<string, string | null>()
  /** Pages that redirect, by the page that they lead to. */
  const sources = new Map<string, string[]>()
  const counts = new Map<string, number>()
  const closed = new Map<string, Tally>()
  const known = new LRUCache<string, { readonly url: string | null }>({ max: cachedUrls })
  const urlOf = (address: string) => {
    const found = known.get(address)
    if (found !== undefined) return found.url
    const url = normaliseUrl(address)
    known.set(address, { url })
    return url
  }
  /** The URL where a link ends: not every address is that of a page. */
  function endOf(link: string): string | null {
    const target = urlOf(link)
    if (target === null || urls.has(target)) return target
    const outcome = targets.get(link)?.outcome
    return outcome?.kind === 'answered' ? outcome.url : target
  }
  function noteLinks(url: string, shown: string, links: readonly string[]): void {
    for (const link of links) {
      const target = endOf(link)
      if (target === null || target === url || target === shown || !urls.has(target)) continue
      const before = linkers.get(target)
      linkers.set(target, before === undefined || before === url ? url : null)
    }
  }
  /** A link of the page itself to an address that redirects to it does not count. */
  const leadsTo = (source: string, url: string) => {
    const linker = linkers.get(source)
    return linker !== undefined && linker !== url
  }
  return {
    urlOf,
    add({ url, reading, document }) {
      const { address, outcome } = reading
      const { origin } = new URL(address)
      answers.set(url, answerOf(reading))
      counts.set(origin, (counts.get(origin) ?? 0) + 1)
      if (outcome.kind === 'skipped' && outcome.reason === 'robots') {
        closed.set(origin, tallied(closed.get(origin) ?? emptyTally, address))
      }
      const shown = 'answer' in outcome ? outcome.answer.url : url
      if (shown !== url && urls.has(shown)) {
        sources.set(shown, [...(sources.get(shown) ?? []), url])
      }
      noteLinks(url, shown, document?.links ?? [])
    },
    answerOf: (url) => answers.get(url),
    isLinked: ({ url }) =>
      linkers.has(url) || (sources.get(url) ?? []).some((source) => leadsTo(source, url)),
    pageCount: (origin) => counts.get(origin) ?? 0,
    closedTo: (origin) => closed.get(origin) ?? emptyTally,
  }
}
