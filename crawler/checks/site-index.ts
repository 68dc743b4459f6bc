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
  /** Whether another page of the audit links to a page. */
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

/** @param urls of all pages that will be added */
export function createSiteIndex(urls: ReadonlySet<string>): SiteIndex {
  const answers = new Map<string, TargetAnswer>()
  const linked = new Set<string>()
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
      for (const link of document?.links ?? []) {
        const target = urlOf(link)
        if (target !== null && target !== url && target !== shown && urls.has(target)) {
          linked.add(target)
        }
      }
    },
    answerOf: (url) => answers.get(url),
    isLinked: ({ url }) => linked.has(url),
    pageCount: (origin) => counts.get(origin) ?? 0,
    closedTo: (origin) => closed.get(origin) ?? emptyTally,
  }
}
