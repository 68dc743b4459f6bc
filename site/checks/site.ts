import type { EvidenceEntry } from '../../core/checks/check.ts'
import { trainingCrawlers } from './crawlers.ts'
import type { OriginFacts } from './facts.ts'
import { type Conditions, each, when } from './finding.ts'
import { llmsFault, llmsLinks } from './llms.ts'
import type { SiteContext } from './site-context.ts'

/** An origin of an audit, whose robots.txt answers. */
export interface OriginContext {
  readonly origin: ReturnType<SiteContext['origins']['get']> & OriginFacts
  readonly site: SiteContext
}

/** Crawlers that may not read the home page, though the group `*` may. */
function keptOut({ origin: { origin, rules } }: OriginContext, names: readonly string[]) {
  const home = `${origin}/`
  if (!rules.verdict(home, '*').isAllowed) return null
  return each(
    names.flatMap((crawler) => {
      const { isAllowed, line } = rules.verdict(home, crawler)
      return isAllowed ? [] : [{ crawler, ...(line === null ? {} : { line }) }]
    }),
  )
}

const answerNames = ({ site }: OriginContext) => site.crawlers.map(({ name }) => name)

/** Checks of robots.txt, the probe and llms.txt, for each origin. */
export const originConditions: Conditions<OriginContext> = {
  'robots-invalid': ({ origin: { robots, rules } }) => {
    if (robots.state !== 'read') return null
    if (rules.isMarkup) return { evidence: [{ line: 1, text: 'The file is HTML.' }] }
    const long: EvidenceEntry[] = robots.isTooLong
      ? [{ text: 'The file is larger than 512,000 bytes.' }]
      : []
    return each([
      ...long,
      ...rules.faults.map(({ line, text, fault }) => ({ line, text: `${fault}: ${text}` })),
    ])
  },
  'missing-pages-answer-200': ({ origin: { probe } }) =>
    probe === null
      ? undefined
      : when(probe.status === 200, { evidence: [{ address: probe.address, status: 200 }] }),
  'audit-blocked': ({ origin, site }) => {
    const { n, first } = site.index.closedTo(origin.origin)
    return when(n > 0, { n, evidence: first.map((address) => ({ address })) })
  },
  'ai-search-bots-blocked': (context) => keptOut(context, answerNames(context)),
  'ai-training-bots-blocked': (context) => keptOut(context, trainingCrawlers),
  'content-signal-blocks-ai': ({ origin: { rules } }) => {
    const lines = rules.contentSignals.flatMap(({ line, signals }) =>
      ['search', 'ai-input']
        .filter((name) => signals[name] === 'no')
        .map((name) => ({ line, text: `${name}=no` })),
    )
    return when(lines.length > 0, { evidence: lines })
  },
  'crawl-delay-high': (context) => {
    const { rules } = context.origin
    const names = [...new Set([...answerNames(context), ...trainingCrawlers])]
    const tokens = ['*', ...names.filter((name) => rules.isNamed(name))]
    return each(
      tokens.flatMap((crawler) => {
        const seconds = rules.crawlDelay(crawler)
        return seconds !== null && seconds > 10 ? [{ crawler, count: seconds }] : []
      }),
    )
  },
  'llms-txt-missing': ({ origin: { llms } }) => {
    if (llms?.outcome.kind !== 'answered') return undefined
    return when(llms.outcome.status === 404 || llms.outcome.status === 410)
  },
  'llms-txt-invalid': ({ origin: { llms }, site }) => {
    if (llms?.outcome.kind !== 'answered') return undefined
    const { status, text } = llms.outcome
    if (status === 404 || status === 410) return null
    const { address } = llms
    const status200 = status === 200 ? llmsFault(text) : `it answers ${status}`
    if (status200 !== null) return { evidence: [{ address, text: status200, status }] }
    const dead = llmsLinks(text, address, site.facts.ownDomains).flatMap((link) => {
      const { state, status } = site.target(link)
      return state === 'missing' ? [{ address: link, status: status ?? 404 }] : []
    })
    return each(dead)
  },
}

const isPlain = ({ origin: { robots, rules } }: OriginContext) =>
  robots.state === 'absent' ||
  (robots.state === 'read' && !rules.isMarkup && !robots.isTooLong && rules.faults.length === 0)

const isError = (status: number | null) => status !== null && status >= 400

/** Checks of the project as a whole, at the origin of the site. */
export const projectConditions: Conditions<OriginContext> = {
  'https-missing': ({ origin: { origin } }) => when(origin.startsWith('http:')),
  'sitemap-missing': ({ origin: { rules }, site: { facts } }) => {
    const { urls, files } = facts.sitemap
    const isThere = files.some(({ status }) => status === 200)
    return when(rules.sitemaps.length === 0 && urls === 0 && !isThere)
  },
  'sitemap-invalid': ({ site: { facts } }) => {
    const { refreshFault, address, files } = facts.sitemap
    const wrong = files
      .filter(({ isNamed, status }) => isNamed && isError(status))
      .map(({ address, status }) => ({ address, status: status ?? 0 }))
    const failed =
      refreshFault === null
        ? []
        : [{ ...(address === null ? {} : { address }), text: refreshFault }]
    return when(failed.length + wrong.length > 0, { evidence: [...failed, ...wrong] })
  },
  'sitemap-not-in-robots': (context) =>
    when(
      context.site.facts.sitemap.urls > 0 &&
        isPlain(context) &&
        context.origin.rules.sitemaps.length === 0,
    ),
  'sitemap-lastmod-missing': ({ site: { facts } }) => {
    const { urls, withoutLastmod } = facts.sitemap
    return when(2 * withoutLastmod > urls, { n: withoutLastmod })
  },
  'cited-urls-missing': ({ site: { facts } }) =>
    each(
      facts.citedUrls.flatMap(({ address, answers, status }) =>
        status === 404 || status === 410 ? [{ address, status, count: answers }] : [],
      ),
    ),
  'crawlers-hit-missing-pages': ({ site: { facts } }) =>
    facts.hits === null
      ? undefined
      : each(facts.hits.missingPaths.map(({ address, hits }) => ({ address, count: hits }))),
  'crawlers-get-errors': ({ site: { facts } }) => {
    if (facts.hits === null) return undefined
    const { errors, total } = facts.hits
    return when(errors >= 20 && 20 * errors >= total, {
      n: errors,
      evidence: [{ text: `${errors} of ${total} hits` }],
    })
  },
  'platform-crawler-absent': ({ site: { facts, crawlers } }) => {
    if (facts.hits === null) return undefined
    if (facts.hits.total < 100) return null
    const seen = new Set(facts.hits.crawlers)
    return each(
      Object.entries(facts.answers).flatMap(([platform, count]) => {
        const own = crawlers.filter(({ platforms }) => platforms.includes(platform))
        const isAbsent = own.length > 0 && !own.some(({ name }) => seen.has(name))
        return count >= 30 && isAbsent ? [{ platform, count }] : []
      }),
    )
  },
}
