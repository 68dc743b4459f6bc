import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import type { PageDocument } from '../document/document.ts'
import type { Answer } from '../reading.ts'
import { parseRobots, type Robots } from '../robots/robots.ts'
import { type AnswerCrawler, answerCrawlers } from './crawlers.ts'
import type { OriginFacts, PageFacts, SiteFacts } from './facts.ts'
import { answerOf, type SiteIndex, type TargetAnswer } from './site-index.ts'

/** Facts of an audit, with the indexes that conditions use. */
export interface SiteContext {
  readonly facts: SiteFacts
  readonly index: SiteIndex
  readonly origins: ReadonlyMap<string, OriginFacts & { readonly rules: Robots }>
  readonly crawlers: readonly AnswerCrawler[]
  /** Whether a URL is of a registrable domain of the brand. */
  isOwn(address: string): boolean
  /** How an own link target answers. */
  target(address: string): TargetAnswer
}

const whole: TargetAnswer = { state: 'whole', status: null }

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

export function siteContext(facts: SiteFacts, index: SiteIndex): SiteContext {
  const own = new Set(facts.ownDomains)
  return {
    facts,
    index,
    origins: new Map(
      facts.origins.map((origin) => [
        origin.origin,
        { ...origin, rules: parseRobots(origin.robots) },
      ]),
    ),
    crawlers: answerCrawlers(facts.bots, facts.answers),
    isOwn: (address) => own.has(domainOf(hostOf(address))),
    target(address) {
      const ofPage = index.answerOf(index.urlOf(address) ?? '')
      if (ofPage !== undefined) return ofPage
      const asked = facts.targets.get(address)
      return asked === undefined ? whole : answerOf(asked)
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
