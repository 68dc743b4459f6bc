import type { ActionType } from './score.ts'

/** The rules that find opportunities, and the states of these. */

export const opportunityStatuses = ['active', 'completed', 'dismissed', 'auto_resolved'] as const
export type OpportunityStatus = (typeof opportunityStatuses)[number]

/** What a rule is about: one of its kind is the subject of an opportunity. */
export type OpportunityScope = 'prompt' | 'domain' | 'topic' | 'page' | 'site' | 'platform'

interface Rule {
  readonly source: string
  /** Absent: the category of the issue. */
  readonly category?: string
  readonly scopes: readonly [OpportunityScope, ...OpportunityScope[]]
  readonly actions: readonly [ActionType, ...ActionType[]]
  /** The condition, for the documentation. */
  readonly holds: string
  /** The count `n` of the score, for the documentation. */
  readonly counts: string
  /** The `gap` of the score, for the documentation. */
  readonly gap: string
}

/** The rules, in the order of the documentation. */
export const rules = {
  'prompt-gap': {
    source: 'competitors',
    category: 'content',
    scopes: ['prompt'],
    actions: ['create_page', 'improve_page'],
    holds:
      'A tracked prompt has 10 answers or more, and they name a competitor more often than the brand. The 95 % Wilson intervals of both shares do not overlap. `improve_page` where the answers cite an own page.',
    counts: 'answers without the brand',
    gap: 'share of the competitor minus share of the brand',
  },
  'competitor-only-domain': {
    source: 'sources',
    category: 'outreach',
    scopes: ['domain'],
    actions: ['get_listed'],
    holds:
      'At least 5 answers cite a domain of neither the brand nor a competitor. At least half of them name a competitor, and none names the brand.',
    counts: 'answers that cite the domain',
    gap: 'share of these answers that name a competitor',
  },
  'query-without-page': {
    source: 'fanout',
    category: 'content',
    scopes: ['topic'],
    actions: ['create_page'],
    holds:
      'At least 5 answers searched for a sub-query that is no wording of a prompt, or for nearly the same. None of them cites an own page. No tracked page has the words that it is about in its title or main heading. Sub-queries that name a competitor and not the brand are left out.',
    counts: 'answers that searched for it',
    gap: 'share of these answers that do not mention the brand; 1 for a sub-query that names the brand',
  },
  'untracked-question': {
    source: 'fanout',
    category: 'prompts',
    scopes: ['prompt'],
    actions: ['track_prompt'],
    holds:
      'At least 10 answers searched for a sub-query, or for nearly the same, that no prompt asks. One of them or more does not mention the brand, and `query-without-page` does not hold. Sub-queries that name the brand or a competitor are left out.',
    counts: 'answers that searched for it',
    gap: 'half the share of these answers that do not mention the brand',
  },
  'crawled-never-cited': {
    source: 'traffic',
    category: 'content',
    scopes: ['page'],
    actions: ['improve_page'],
    holds:
      'Crawlers of the categories `ai_search` and `ai_assistant` got a tracked page 20 times or more with status 200. No answer of 90 days cites the page, while answers cite other own pages.',
    counts: 'hits divided by 10',
    gap: '1',
  },
  'cited-page-with-issues': {
    source: 'audits',
    scopes: ['page'],
    actions: ['fix_page'],
    holds: 'At least one answer cites a page that has an open critical or high issue.',
    counts: 'answers that cite the page',
    gap: '1 for a critical issue, 0.6 for a high one',
  },
  'site-issue': {
    source: 'audits',
    scopes: ['site'],
    actions: ['fix_site', 'allow_crawler'],
    holds:
      'The site has an open critical or high issue that belongs to no page. `allow_crawler` where the issue is about robots.txt.',
    counts: 'answers that cite an own page',
    gap: '1 for a critical issue, 0.6 for a high one',
  },
  'widespread-issue': {
    source: 'audits',
    scopes: ['site'],
    actions: ['fix_pages'],
    holds:
      'One check of severity medium or higher is open on 10 pages. Or it is open on 5 pages that are 20 % of the tracked ones.',
    counts: 'reach of these issues divided by 10',
    gap: '0.4',
  },
  'visibility-decline': {
    source: 'visibility',
    category: 'content',
    scopes: ['topic', 'site'],
    actions: ['investigate'],
    holds:
      'The visibility of a topic or of the site fell by 5 points or more against the 30 days before. The 95 % interval of the change, paired by prompt, lies below 0.',
    counts: 'answers',
    gap: 'lost points divided by 50, at most 1',
  },
  'platform-gap': {
    source: 'visibility',
    category: 'aiReadiness',
    scopes: ['platform'],
    actions: ['investigate'],
    holds:
      'A platform with 50 answers or more names the brand at least 15 points less often than all others together. The 95 % Wilson intervals do not overlap.',
    counts: 'answers of the platform without the brand',
    gap: 'difference in points divided by 100',
  },
  'lost-citation': {
    source: 'sources',
    category: 'content',
    scopes: ['page'],
    actions: ['improve_page', 'fix_page'],
    holds:
      'At least 5 answers of the 30 days before cite an own URL, and none of the window does. The window has at least half as many answers. `fix_page` where an audit cannot read the page.',
    counts: 'answers that cited the URL',
    gap: '1',
  },
  'negative-topic': {
    source: 'sentiment',
    category: 'content',
    scopes: ['topic'],
    actions: ['improve_page'],
    holds:
      'A topic has 20 answers or more with a rated mention of the brand. The 95 % Wilson interval of the negative share lies above 20 %.',
    counts: 'negative answers',
    gap: 'share of negative answers',
  },
  'search-demand': {
    source: 'search',
    category: 'prompts',
    scopes: ['prompt'],
    actions: ['track_prompt'],
    holds:
      'The search console has a query with 100 impressions or more at a mean position of 10 or better. No prompt asks nearly the same, and no sub-query of the two rules above does. Queries that name the brand or a competitor are left out.',
    counts: 'impressions divided by 10',
    gap: '0.5',
  },
} as const satisfies Record<string, Rule>

export type RuleId = keyof typeof rules
export const ruleIds = Object.keys(rules) as RuleId[]

/** The sources of opportunities, each once. */
export const opportunitySources = [...new Set(ruleIds.map((id) => rules[id].source))]
