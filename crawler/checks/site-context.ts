import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import type { PageDocument } from '../document/document.ts'
import type { Answer, FailedOutcome, PageReading, TargetReading } from '../reading.ts'
import { parseRobots, type Robots } from '../robots/robots.ts'
import { type AnswerCrawler, answerCrawlers } from './crawlers.ts'
import type { OriginFacts, PageFacts, SiteFacts } from './facts.ts'

/** How a link target answers. What was not requested counts as whole. */
export type TargetState = 'whole' | 'missing' | 'broken' | 'redirects'

/** Facts of an audit, with the indexes that conditions use. */
export interface SiteContext {
  readonly facts: SiteFacts
  readonly pages: readonly PageFacts[]
  readonly origins: ReadonlyMap<string, OriginFacts & { readonly rules: Robots }>
  readonly crawlers: readonly AnswerCrawler[]
  /** Whether a URL is of a registrable domain of the brand. */
  isOwn(address: string): boolean
  /** The normalised URL of a link, null for no http or https address. */
  urlOf(address: string): string | null
  /** Whether another page of the audit links to a page. */
  isLinked(page: PageFacts): boolean
  /** The state of an own link target. */
  target(address: string): { readonly state: TargetState; readonly status: number | null }
}

/** A page that was read at its own URL. */
export interface ReadContext {
  readonly page: PageFacts
  readonly answer: Answer
  readonly document: PageDocument
  readonly site: SiteContext
  /** Answers in F that cite the page. */
  readonly citing: number
}

/** All answers in F that cite a page. */
export function citingOf({ citingAnswers }: PageFacts): number {
  return Object.values(citingAnswers).reduce((sum, answers) => sum + answers, 0)
}

/** All AI hits of a page in F, 0 without a traffic source. */
export function hitsOf({ hits }: PageFacts): number {
  return hits?.byCrawler.reduce((sum, row) => sum + row.hits, 0) ?? 0
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

function answered(asked: string, status: number, url: string) {
  const state = (): TargetState => {
    if (status === 404 || status === 410) return 'missing'
    if (status >= 500) return 'broken'
    return url !== asked && status < 400 ? 'redirects' : 'whole'
  }
  return { state: state(), status }
}

function stateOf(reading: PageReading | TargetReading) {
  const { outcome, url } = reading
  if ('answer' in outcome) return answered(url, outcome.answer.status, outcome.answer.url)
  if (outcome.kind === 'answered') return answered(url, outcome.status, outcome.url)
  return { state: failed(outcome), status: null }
}

/** URLs to which pages link, other than their own. */
function linkedUrls(
  pages: readonly PageFacts[],
  urlOf: (address: string) => string | null,
): ReadonlySet<string> {
  const linked = new Set<string>()
  for (const { url, reading, document } of pages) {
    const shown = 'answer' in reading.outcome ? reading.outcome.answer.url : url
    for (const link of document?.links ?? []) {
      const target = urlOf(link)
      if (target !== null && target !== url && target !== shown) linked.add(target)
    }
  }
  return linked
}

export function siteContext(facts: SiteFacts, pages: readonly PageFacts[]): SiteContext {
  const own = new Set(facts.ownDomains)
  const byUrl = new Map(pages.map((page) => [page.url, page.reading]))
  const whole = { state: 'whole', status: null } as const
  const urls = new Map<string, string | null>()
  const urlOf = (address: string) => {
    const known = urls.get(address)
    if (known !== undefined) return known
    const url = normaliseUrl(address)
    urls.set(address, url)
    return url
  }
  const linked = linkedUrls(pages, urlOf)
  return {
    facts,
    pages,
    origins: new Map(
      facts.origins.map((origin) => [
        origin.origin,
        { ...origin, rules: parseRobots(origin.robots) },
      ]),
    ),
    crawlers: answerCrawlers(facts.bots, facts.answers),
    isOwn: (address) => own.has(domainOf(hostOf(address))),
    urlOf,
    isLinked: ({ url }) => linked.has(url),
    target(address) {
      const reading = byUrl.get(urlOf(address) ?? '') ?? facts.targets.get(address)
      return reading === undefined ? whole : stateOf(reading)
    },
  }
}

/** The one canonical of a page where it is another URL. */
export function otherCanonical({ document, page, site }: ReadContext) {
  const [canonical, ...others] = document.canonicals
  if (canonical === undefined || others.length > 0) return null
  if (normaliseUrl(canonical) === page.url) return null
  if (!site.isOwn(canonical)) return { address: canonical, leads: 'off-site' as const }
  const { state, status } = site.target(canonical)
  const isWhole = state === 'whole' && (status === null || status === 200)
  return { address: canonical, leads: isWhole ? ('elsewhere' as const) : ('nowhere' as const) }
}

export const isNoindex = ({ document }: ReadContext) =>
  document.directives.includes('noindex') || document.directives.includes('none')

/** Whether answers may use the page under its own URL. */
export function isIndexable(context: ReadContext): boolean {
  return !isNoindex(context) && otherCanonical(context)?.leads !== 'elsewhere'
}

/** Kinds of pages that are written to be read from top to bottom. */
const articleKinds = new Set(['article', 'listicle', 'how_to', 'comparison', 'review'])

export const isArticleLike = ({ document }: ReadContext) => articleKinds.has(document.kind)
