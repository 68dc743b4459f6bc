import { newcombe, type Ratio, share } from '../metrics.ts'
import type { Check, CheckId } from './checks.ts'

/** How many pages were judged, and how many of them AI crawlers read and answers cite. */
export interface PageCounts {
  readonly pages: number
  readonly crawled: number
  readonly cited: number
}

/** Pages of a site that pass a check, and pages that fail it. */
export interface JudgedPages {
  readonly passing: PageCounts
  readonly failing: PageCounts
}

/** What is known of the facts of a site in a window. */
export interface KnownFacts {
  readonly hasTrafficSource: boolean
  /** Audited pages that AI crawlers read, and that answers cite. */
  readonly crawled: number
  readonly cited: number
}

/** Why pages that pass and fail a check cannot be compared. */
export type WorthGap =
  | 'site_check'
  | 'same_facts'
  | 'no_traffic_source'
  | 'no_crawls'
  | 'no_citations'
  | 'too_few_pages'

/** Pages that pass a check against pages that fail it, in one respect. */
export interface Comparison {
  readonly passing: Ratio
  readonly failing: Ratio
  /** The 95 % interval of the difference in percentage points; null where the pages are not compared. */
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly reason: WorthGap | null
}

/** What it is worth to pass a check, as far as the facts of the site show it. */
export interface CheckWorth {
  readonly crawled: Comparison
  readonly cited: Comparison
}

/** A comparison needs so many pages on each side. */
export const fewestPages = 5

/** Checks of other facts than hits and answers. */
const independent = new Set<CheckId>(['brand-not-named', 'content-partly-needs-javascript'])

/** Does the check itself ask whether a page is crawled or cited? Then its pages differ in this by definition. */
const readsSameFacts = ({ id, facts }: Check) => facts === true && !independent.has(id)

function gapOf(check: Check, { passing, failing }: JudgedPages, noFacts: WorthGap | null) {
  if (check.of === 'site') return 'site_check'
  if (readsSameFacts(check)) return 'same_facts'
  if (noFacts !== null) return noFacts
  return Math.min(passing.pages, failing.pages) < fewestPages ? 'too_few_pages' : null
}

const noCrawls = ({ hasTrafficSource, crawled }: KnownFacts): WorthGap | null => {
  if (!hasTrafficSource) return 'no_traffic_source'
  return crawled === 0 ? 'no_crawls' : null
}

/** Compares pages that pass a check with pages that fail it: how many of each are crawled, and cited? */
export function worthOf(check: Check, judged: JudgedPages, known: KnownFacts): CheckWorth {
  const compare = (by: 'crawled' | 'cited', noFacts: WorthGap | null): Comparison => {
    const reason = gapOf(check, judged, noFacts)
    const passing = share(judged.passing[by], judged.passing.pages)
    const failing = share(judged.failing[by], judged.failing.pages)
    return { passing, failing, interval: reason ? null : newcombe(passing, failing), reason }
  }
  return {
    crawled: compare('crawled', noCrawls(known)),
    cited: compare('cited', known.cited === 0 ? 'no_citations' : null),
  }
}
