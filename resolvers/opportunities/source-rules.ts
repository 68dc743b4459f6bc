import { Temporal } from '@js-temporal/polyfill'
import { type Effect, effectOnShare } from '../../core/opportunities/effect.ts'
import { pageKey, undressed, variantsOf } from '../../core/sites/cited-url.ts'
import { normaliseUrl } from '../../core/sites/urls.ts'
import { counted } from '../../core/text/counted.ts'
import { encodedPath } from '../pages/paths.ts'
import {
  type Basis,
  bothWindows,
  type Finding,
  largest,
  percent,
  promptEvidence,
  readFacts,
  shortUrl,
} from './basis.ts'
import { ownUrls, rivalDomains, uncitedCrawls } from './citations.sql.ts'
import { trackedUrls } from './opportunities.sql.ts'

interface RivalDomain {
  readonly domain: string
  readonly responses: number
  /** Answers that name a competitor. */
  readonly rival: number
  /** Answers by prompt. */
  readonly prompts: Readonly<Record<string, number>>
}

const leastOfDomain = 5

export async function competitorOnlyDomains(basis: Basis): Promise<Finding[]> {
  const rows = await readFacts<RivalDomain>(basis, {
    id: 'competitor-only-domain',
    sql: rivalDomains,
    params: { leastAnswers: leastOfDomain },
  })
  const brand = basis.scope.project.name
  return rows.map(({ domain, responses, rival, prompts }) => ({
    rule: 'competitor-only-domain',
    subject: domain,
    category: 'outreach',
    scope: 'domain',
    action: 'get_listed',
    title: `Get ${brand} listed on ${domain}`,
    description: `In the last 30 days, ${counted(responses, 'answer')} cite ${domain}. ${rival} of them name a competitor (${percent(rival, responses)}), and none names ${brand}. Ask the site to list ${brand}.`,
    n: responses,
    gap: rival / responses,
    effect: effectOnShare(
      'visibility',
      rival,
      basis.allAnswers,
      `${counted(rival, 'answer')} a month ${rival === 1 ? 'cites' : 'cite'} ${domain} and ${rival === 1 ? 'mentions' : 'mention'} a competitor, and none mentions ${brand}.`,
    ),
    evidence: [
      { label: `Answers that cite ${domain}`, count: responses, domain },
      { label: 'Answers that name a competitor', count: rival, domain },
      ...promptEvidence(basis, prompts),
    ],
  }))
}

/** Answers that cite an own URL, in the window and in the window before. */
interface OwnUrl {
  readonly url: string
  readonly responses: number
  readonly responsesBefore: number
}

/** The own URLs that answers cite, and the answers of the site. */
export interface OwnCitations {
  readonly urls: readonly OwnUrl[]
  /** Answers of the window that cite an own page. */
  readonly siteResponses: number
  readonly allResponses: number
  readonly allResponsesBefore: number
}

type OwnUrlRow = OwnUrl & Omit<OwnCitations, 'urls'>

const mostUrls = 20_000

export async function ownCitations(basis: Basis): Promise<OwnCitations> {
  const urls = await readFacts<OwnUrlRow>(basis, {
    id: 'own-urls',
    sql: ownUrls,
    range: bothWindows(basis),
    params: { most: mostUrls },
  })
  const { siteResponses = 0, allResponses = 0, allResponsesBefore = 0 } = urls[0] ?? {}
  return { urls, siteResponses, allResponses, allResponsesBefore }
}

const leastLost = 5

/** Own URLs that answers cited in the window before, and cite no more. */
export function lostUrls({ urls, allResponses, allResponsesBefore }: OwnCitations): OwnUrl[] {
  if (2 * allResponses < allResponsesBefore) return []
  return urls.filter((row) => row.responses === 0 && row.responsesBefore >= leastLost)
}

/** @param unreadable keys of the pages that an audit could not read */
export function lostCitations(cited: OwnCitations, unreadable: ReadonlySet<string>): Finding[] {
  const { allResponses, allResponsesBefore } = cited
  return lostUrls(cited).map(({ url, responsesBefore }) => {
    const isBroken = unreadable.has(pageKey(url))
    const advice = isBroken ? 'An audit could not read the page.' : 'Bring the page up to date.'
    return {
      rule: 'lost-citation',
      subject: url,
      category: 'content',
      scope: 'page',
      action: isBroken ? 'fix_page' : 'improve_page',
      title: isBroken
        ? `Make ${shortUrl(url)} readable again`
        : `Bring ${shortUrl(url)} up to date`,
      description: `In the last 30 days, none of ${counted(allResponses, 'answer')} cites ${url}. In the 30 days before, ${responsesBefore} of ${counted(allResponsesBefore, 'answer')} did. ${advice}`,
      n: responsesBefore,
      gap: 1,
      effect: effectOnShare(
        'citations',
        responsesBefore,
        allResponsesBefore,
        `${counted(responsesBefore, 'answer')} cited the page in the 30 days before, and none does now.`,
      ),
      evidence: [
        { label: 'Answers that cited the page in the 30 days before', count: responsesBefore, url },
        { label: 'Answers that cite the page now', count: 0, url },
      ],
    }
  })
}

interface UncitedCrawls {
  /** Without a label such as `www.`: crawlers read the page on several hosts. */
  readonly host: string
  /** Decoded path, without a trailing slash. */
  readonly page: string
  readonly hits: number
  readonly bots: Readonly<Record<string, number>>
}

const leastHits = 20
const citationDays = 90

/** The URL of a crawled page on the bare host, as the catalog spells URLs. */
function urlOf({ host, page }: UncitedCrawls): string {
  return normaliseUrl(`https://${host}${encodedPath(page)}`) ?? ''
}

const dayBefore = (day: string, days: number) =>
  Temporal.PlainDate.from(day).subtract({ days }).toString()

/** What a page can win that is read and never cited: as much as half of the cited own pages have. */
function effectOfCrawled(basis: Basis, { urls }: OwnCitations, hits: number): Effect {
  const cited = urls.map(({ responses }) => responses).filter((responses) => responses > 0)
  const median = cited.sort((a, b) => a - b)[Math.floor((cited.length - 1) / 2)] ?? 0
  return effectOnShare(
    'citations',
    median,
    basis.allAnswers,
    `Crawlers got the page ${counted(hits, 'time')} a month, and half of your cited pages are cited in ${counted(median, 'answer')} or more.`,
  )
}

/** Pages that crawlers of answers read often, and that no answer of 90 days cites. */
export async function crawledNeverCited(basis: Basis, own: OwnCitations): Promise<Finding[]> {
  const { scope, current } = basis
  const rows = await readFacts<UncitedCrawls>(basis, {
    id: 'crawled-never-cited',
    sql: uncitedCrawls,
    range: { from: dayBefore(current.to, citationDays - 1), to: current.to },
    params: { crawledFrom: current.from, leastHits, most: mostUrls },
  })
  const pages = await scope.db.$queryRawUnsafe<{ url: string }[]>(
    trackedUrls,
    scope.project.id,
    rows.flatMap((row) => variantsOf(urlOf(row))),
  )
  const tracked = new Map(pages.map(({ url }) => [undressed(url), url]))
  return rows.flatMap((row): Finding[] => {
    const { hits, bots } = row
    const url = tracked.get(urlOf(row))
    if (url === undefined) return []
    return [
      {
        rule: 'crawled-never-cited',
        subject: url,
        category: 'content',
        scope: 'page',
        action: 'improve_page',
        title: `Make ${shortUrl(url)} worth citing`,
        description: `In the last 30 days, crawlers of AI search and assistants got the page ${counted(hits, 'time')}. In the last ${citationDays} days, no answer cites it.`,
        n: hits / 10,
        gap: 1,
        effect: effectOfCrawled(basis, own, hits),
        evidence: [
          { label: 'Hits with status 200', count: hits, url },
          ...largest(bots).map(([bot, count]) => ({ label: `Hits of ${bot}`, count, url })),
        ],
      },
    ]
  })
}
