import { type CheckId, findCheck } from '../../core/checks/checks.ts'
import { headlineOf } from '../../core/checks/headlines.ts'
import { overallPointsOf } from '../../core/checks/scores.ts'
import { effectOnScore } from '../../core/opportunities/effect.ts'
import type { ActionType } from '../../core/opportunities/score.ts'
import { pageKey, variantsOf } from '../../core/sites/cited-url.ts'
import { counted } from '../../core/text/counted.ts'
import { type Basis, type Finding, shortUrl } from './basis.ts'
import { openChecks, openIssuesAt, openSiteIssues, trackedPages } from './opportunities.sql.ts'
import { lostUrls, type OwnCitations } from './source-rules.ts'

interface OpenIssue {
  readonly id: string
  readonly check: string
  readonly severity: 'critical' | 'high' | 'medium' | 'low'
  readonly url: string
}

interface PageIssue extends OpenIssue {
  readonly pageId: string
}

/** The open issues of the pages that answers cite, or cited before. */
export async function issuesOfCited(
  { scope: { db, project } }: Basis,
  cited: OwnCitations,
): Promise<PageIssue[]> {
  const pages = [...cited.urls.filter(({ responses }) => responses > 0), ...lostUrls(cited)]
  const urls = pages.flatMap(({ url }) => variantsOf(url))
  return db.$queryRawUnsafe<PageIssue[]>(openIssuesAt, project.id, urls)
}

/** The keys of pages that an audit could not read. */
export function unreadablePages(issues: readonly PageIssue[]): Set<string> {
  const blocking = issues.filter(({ check }) => findCheck(check)?.mark === 'blocks')
  return new Set(blocking.map(({ url }) => pageKey(url)))
}

const isGrave = ({ severity }: OpenIssue) => severity === 'critical' || severity === 'high'
const gapOf = ({ severity }: OpenIssue) => (severity === 'critical' ? 1 : 0.6)
const titleOf = (check: string) => findCheck(check)?.title ?? check
export async function countTracked({ scope: { db, project } }: Basis): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ tracked: number }[]>(trackedPages, project.id)
  return row?.tracked ?? 0
}

/** Points of the site score that a check costs the pages that fail it. */
const pointsOf = (check: string) => (findCheck(check) ? overallPointsOf(check as CheckId) : 0)
const adviceOf = (check: string) => findCheck(check)?.howToFix ?? ''

/** @param tracked number of tracked pages, whose mean is the site score */
export function citedPagesWithIssues(
  cited: OwnCitations,
  issues: readonly PageIssue[],
  tracked: number,
): Finding[] {
  const byPage = Map.groupBy(issues.filter(isGrave), ({ url }) => pageKey(url))
  return cited.urls.flatMap(({ url, responses }): Finding[] => {
    const ofPage = byPage.get(pageKey(url)) ?? []
    const [worst] = ofPage
    if (!worst || responses === 0) return []
    return [
      {
        rule: 'cited-page-with-issues',
        subject: worst.pageId,
        scope: 'page',
        category: findCheck(worst.check)?.category ?? 'technical',
        action: 'fix_page',
        title: `Fix ${shortUrl(url)}, which answers cite`,
        description: `In the last 30 days, ${counted(responses, 'answer')} cite the page. It has ${counted(ofPage.length, 'open critical or high issue')}, first: ${titleOf(worst.check)}. ${adviceOf(worst.check)}`,
        n: responses,
        gap: gapOf(worst),
        effect: effectOnScore(
          Math.min(
            100,
            ofPage.reduce((sum, { check }) => sum + pointsOf(check), 0),
          ) / Math.max(1, tracked),
          responses,
          `${counted(responses, 'answer')} a month ${responses === 1 ? 'cites' : 'cite'} the page, which has ${counted(ofPage.length, 'open critical or high issue')}.`,
        ),
        evidence: [
          { label: 'Answers that cite the page', count: responses, url },
          ...ofPage.slice(0, 5).map(({ id, check }) => {
            return { label: titleOf(check), count: 1, url, issueId: id }
          }),
        ],
      },
    ]
  })
}

/** Issues of robots.txt, which end with a rule that lets crawlers in. */
const robotsChecks = new Set(['robots-unreachable', 'ai-search-bots-blocked'])

const mostSiteIssues = 1_000

export async function siteIssues(
  { scope: { db, project } }: Basis,
  { siteResponses }: OwnCitations,
): Promise<Finding[]> {
  const rows = await db.$queryRawUnsafe<OpenIssue[]>(openSiteIssues, project.id, mostSiteIssues)
  return rows.map((issue) => {
    const { id, check, severity, url } = issue
    const action: ActionType = robotsChecks.has(check) ? 'allow_crawler' : 'fix_site'
    return {
      rule: 'site-issue',
      subject: id,
      scope: 'site',
      action,
      category: findCheck(check)?.category ?? 'technical',
      title: `Fix the site: ${headlineOf(check, titleOf(check))}`,
      description: `The site has an open ${severity} issue at ${url}. In the last 30 days, ${counted(siteResponses, 'answer')} cite a page of the site. ${adviceOf(check)}`,
      n: siteResponses,
      gap: gapOf(issue),
      effect: effectOnScore(
        pointsOf(check),
        siteResponses,
        `The issue concerns the whole site, which ${counted(siteResponses, 'answer')} a month ${siteResponses === 1 ? 'cites' : 'cite'}.`,
      ),
      evidence: [
        { label: titleOf(check), count: 1, url, issueId: id },
        { label: 'Answers that cite a page of the site', count: siteResponses },
      ],
    }
  })
}

interface OpenCheck {
  readonly check: string
  /** Pages with an open issue of the check, and the sum of their reach. */
  readonly pages: number
  readonly reach: number
  readonly tracked: number
  /** The issues of most reach. */
  readonly issueIds: readonly string[]
  /** All pages, those of most reach first. */
  readonly urls: readonly string[]
}

/** Whether a check is open on many pages: on 10, or on 5 that are a fifth of the tracked ones. */
function isWidespread({ pages, tracked }: OpenCheck): boolean {
  return pages >= 10 || (pages >= 5 && 5 * pages >= tracked)
}

export async function widespreadIssues(
  { scope: { db, project } }: Basis,
  cited: OwnCitations,
): Promise<Finding[]> {
  const answersOf = new Map(cited.urls.map(({ url, responses }) => [pageKey(url), responses]))
  const rows = await db.$queryRawUnsafe<OpenCheck[]>(openChecks, project.id)
  return rows.filter(isWidespread).map(({ check, pages, reach, tracked, issueIds, urls }) => {
    const answers = urls.reduce((sum, url) => sum + (answersOf.get(pageKey(url)) ?? 0), 0)
    return {
      rule: 'widespread-issue',
      subject: check,
      scope: 'site',
      action: 'fix_pages',
      category: findCheck(check)?.category ?? 'technical',
      title: `Fix ${counted(pages, 'page')}: ${headlineOf(check, titleOf(check))}`,
      description: `The issue is open on ${counted(pages, 'page')}; ${tracked} are tracked. ${adviceOf(check)}`,
      n: reach / 10,
      gap: 0.4,
      effect: effectOnScore(
        (pointsOf(check) * pages) / Math.max(pages, tracked),
        // An answer may cite several of the pages.
        Math.min(answers, cited.siteResponses),
        `${counted(pages, 'page')} of ${tracked} ${pages === 1 ? 'has' : 'have'} the issue, and answers cite these pages ${counted(answers, 'time')} a month.`,
      ),
      evidence: [
        { label: 'Pages with the issue', count: pages },
        { label: 'Reach of these pages', count: reach },
        ...issueIds.map((issueId, i) => {
          return { label: titleOf(check), count: 1, url: urls[i] ?? '', issueId }
        }),
      ],
    }
  })
}
