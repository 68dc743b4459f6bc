import type { CheckCategory } from '../core/checks/check.ts'
import { type Check, checks } from '../core/checks/checks.ts'
import { fewestPages } from '../core/checks/worth.ts'

/** `docs/audits.md`, from the catalogue of checks. */

const titles: Record<CheckCategory, string> = {
  technical: 'Technical',
  content: 'Content',
  aiReadiness: 'AI readiness',
}

const judged: Record<Check['of'], string> = {
  page: 'each requested page',
  read: 'each page that was read',
  indexable: 'each indexable page',
  site: 'the site',
}

const marks = { blocks: '●', hides: '◐', elsewhere: '○' } as const

function row(check: Check): string {
  const signs = [check.mark === undefined ? '' : marks[check.mark], check.facts ? '★' : '']
  const cells = [
    [`<a id="${check.id}"></a>\`${check.id}\``, ...signs].filter(Boolean).join(' '),
    check.severity,
    judged[check.of],
    [
      check.condition,
      check.insteadOf.length > 0
        ? `Replaces ${check.insteadOf.map((id) => `\`${id}\``).join(', ')}.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
    check.counts ?? '',
    check.howToFix,
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const table = (category: CheckCategory) => `## ${titles[category]}

| check | severity | judged | finds | \`affectedCount\` | how to fix |
|---|---|---|---|---|---|
${checks
  .filter((check) => check.category === category)
  .map(row)
  .join('\n')}
`

/** The text of the page. */
export function auditsPage(): string {
  return `# Audits

An audit reads tracked pages of the site as the crawler \`SightlineBot\`, and runs ${checks.length} checks.
Each fault is an issue, whose \`type\` is the id of the check.

![The site audit: scores with their history, and issues by check](images/site-audit.png)

## Run an audit

| by | how |
|---|---|
| REST | \`POST /api/mcp/projects/{projectId}/audits\` with \`{}\`, \`{"maxPages": 25}\` or \`{"pageIds": ["…"]}\` |
| GraphQL | the mutation \`createAudit\` |
| command line | \`npx sightline site audit --project 8c1e…\` |

A project needs tracked pages first: \`npx sightline site sitemap --project 8c1e…\` reads the sitemap of the site.
REST and GraphQL answer at once with the status \`queued\`, and a worker runs the audit. The command waits for the end.

- \`{}\` audits all tracked pages. \`maxPages\` takes those with the most citations and crawls.
- The plan limits the pages of an audit, simultaneous audits, and the audits of a UTC month.
- An audit requests one page at a time from a host. [docs/bot.md](bot.md) describes the crawler.
- \`GET …/audits/{auditId}\` shows \`progress\`. The mutation \`cancelAudit\` ends an audit, and no issue changes.
- Issues, scores and the status \`completed\` appear together, at the end.

## Check links to other sites

An audit only requests your own site, unless you want more. Press *Check now* next to *Links to other sites* on the page *Site audit*, or:

| by | how |
|---|---|
| GraphQL | \`createAudit(projectId: "8c1e…", externalLinks: true)\`, then \`audit { externalLinks { nodes { address state pageUrls } } }\` |
| command line | \`npx sightline site audit --project 8c1e… --external-links\` |

| state | meaning |
|---|---|
| broken | The address answers 404, 410 or a server error, or does not answer: no such host, no connection, a certificate that is not valid, redirects without end. |
| refused | The address answers another error, such as 401, 403, 429 or 999. Many sites refuse programs, so open the link before you remove it. |
| not checked | The address was not requested: robots.txt of its site, a private network, or a limit. |
| working | The address answers below 400, perhaps after redirects. |

- Each link names the pages that have it. The page *Site audit* saves the list as CSV.
- Canonical addresses of other sites are in the list, and so are alternates at another origin: other languages, AMP, other devices.
- The robots.txt of each origin applies only to its own addresses. Yours says nothing about other sites.
- The audit asks one address at a time with HEAD, and with GET where HEAD fails. It waits up to 15 seconds, and tries twice.
- It asks up to 1,000 addresses, 100 of a host, those on most pages first. It takes 15 minutes longer at most.
- These links are no issues, and change no score.

## Read the result

| question | REST | GraphQL |
|---|---|---|
| What is wrong? | \`GET …/issues\`, also as CSV | \`issues\` |
| What is wrong with one page? | \`GET …/issues?pageId=…\` | \`page { issues { title } }\` |
| Do answers cite the page? | | \`issues { issues { page { citations { answers } } } }\` |
| How good is each page? | \`GET …/audits/{auditId}/pages\` | \`audit { pages { pages { scores { overall } } } }\` |
| What costs the most points? | | \`audit { scoreBreakdown { type points } }\` |
| How did a page change? | | \`page { audits { nodes { scores { overall } findings { type } } } }\` |
| What is a fix worth? | | \`checks { id worth { cited { difference } } }\` |

An issue is \`open\` or \`resolved\`, and \`resolution\` says why it is resolved:

| \`resolution\` | meaning |
|---|---|
| \`fixed\` | A later audit ran the check on the page and found no fault. |
| \`superseded\` | Another issue of the page covers it. |
| \`page_removed\` | The page is no longer known. |
| \`check_retired\` | Audits no longer make the check. |
| \`ignored\` | The mutation \`ignoreIssue\` resolved it, with a reason. \`reopenIssue\` opens it again. |

An issue keeps its id. It opens again when a later audit finds the fault again, unless someone ignores it.
Issues of checks that did not run stay unchanged.

## Words

- An audit never follows links. It reads the listed pages, and asks their targets on the own site for a status.
- A page is *read* when it answers 200 with whole HTML at its own URL.
- A page is *indexable* when it is read, allows indexing, and names no other page as its canonical.
- \`affectedCount\` is 1 where the table names no unit.
- ● The page cannot be read. All its scores are 0, and its other issues resolve as \`superseded\`.
- ◐ The scores of content and AI readiness are 0.
- ○ The address leads to another page, and has no scores.
- ★ The check uses answers, hits of crawlers or imported texts. Checks of hits need a connected traffic source.

## Scores

A page starts at 100 in each category, and loses points for each issue.
The points are 50 for critical, 20 for high, 8 for medium and 3 for low.
No score is below 0. \`overall\` is 0.3 · technical + 0.2 · content + 0.5 · AI readiness.

The score of an audit is the mean of its judged pages, less the points of issues of the site.
Ignored issues cost nothing.

## What a check is worth

A severity is a judgement, and \`worth\` is a measurement.
It compares pages of this site that pass a check with pages that fail it. Are they crawled and cited more often?
GraphQL has it in \`checks\` and in \`Issue.check\`. On the command line, \`npx sightline site issues\` prints it.

| word | meaning |
|---|---|
| page | a page of the project, by the newest completed audit that judged it |
| passes | that audit ran the check on the page, and found no fault |
| fails | that audit found the fault. Ignored issues and replaced issues count: a cited page without structured data fails \`structured-data-missing\` too |
| crawled | an AI crawler requested the page in the window. Search engines do not count |
| cited | at least one answer of the window cites the page |
| \`difference\` | percent of the passing pages minus percent of the failing pages, in percentage points |
| \`interval\` | 95 % interval of the difference by Newcombe's score method, which also holds for few pages |

The window is the last 30 UTC days, or the argument \`window\` of \`worth\`.
An example: 6 of 7 passing pages are crawled, and 0 of 5 failing pages. The difference is 85.71 points, from 28.63 to 97.43.

Where pages are not compared, all numbers are null and \`reason\` says why:

| \`reason\` | meaning |
|---|---|
| \`site_check\` | The check judges the site, not pages. |
| \`same_facts\` | The check itself reads hits or answers, so its pages differ by definition. |
| \`no_traffic_source\` | No tracker, CDN or access log is connected. |
| \`no_crawls\` | AI crawlers read no audited page in the window. |
| \`no_citations\` | Answers cite no audited page in the window. |
| \`too_few_pages\` | Fewer than ${fewestPages} pages pass, or fewer than ${fewestPages} fail. |

Read a difference with care:

- It does not prove a cause. An old page may fail many checks, and be cited rarely because of its subject.
- Of 100 checks without any effect, about 5 have an interval that excludes 0.

${(['technical', 'content', 'aiReadiness'] as const).map(table).join('\n')}`
}
