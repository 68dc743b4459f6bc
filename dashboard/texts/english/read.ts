import { count, counted } from '../../../web/share/numbers.ts'

/** Texts of the page of crawlers. */
export const read = {
  nav: 'Crawlers',
  title: 'Who reads us?',
  none: 'No server of this project sends its requests.',
  noneHint:
    'Install a sender, or import an access log. The page of settings has the site token of the project.',
  states: {
    waiting: 'A source is connected, and no event has come yet.',
    connected: 'Events come in.',
    stale: 'A source has sent nothing for days: see the time of the last event.',
    not_connected: 'No source is connected.',
  },
  lastEvent: (at: string) => `Last event: ${at} UTC.`,
  visits: 'Visits',
  visitsOf: (ai: number, search: number) =>
    `${count(ai)} by AI crawlers, ${count(search)} by search engines.`,
  referrals: 'Sessions from AI',
  referralsOf: 'Sessions that began at an AI assistant.',
  coverage: 'Sitemap read',
  coverageOf: (read: number, all: number) =>
    `${count(read)} of ${counted(all, 'page')} of the sitemap were visited.`,
  noSitemap: 'no sitemap',
  byDay: 'Visits of crawlers by day',
  crawlers: 'Crawlers',
  crawlersLead:
    'Verified: from the addresses of the operator. Claimed: could not be checked. Impostor: from other addresses.',
  crawler: 'Crawler',
  vendor: 'Operator',
  purpose: 'Purpose',
  purposes: {
    ai_training: 'AI training',
    ai_search: 'AI search',
    ai_assistant: 'AI assistant',
    ai_agent: 'AI agent',
    search_engine: 'search engine',
  },
  verified: 'Verified',
  claimed: 'Claimed',
  impostor: 'Impostor',
  paths: 'Paths',
  lastSeen: 'Last seen (UTC)',
  statuses: 'What the site answered',
  statusesLead: 'Crawlers drop pages that keep answering 4xx or 5xx.',
  status: 'Status',
  statusOf: (status: number) => {
    const kinds = ['', '', 'answered', 'moved or unchanged', 'refused or missing', 'failed']
    return status === 0 ? 'unknown' : `${status} ${kinds[Math.floor(status / 100)] ?? ''}`
  },
  pages: 'Pages: crawled, cited, clicked',
  path: 'Path',
  crawls: 'Crawls',
  sessions: 'Sessions from AI',
  unread: 'Pages of the sitemap that no crawler visited',
  unreadLead: (some: number, all: number) => `${count(some)} of ${counted(all, 'page')}.`,
  allRead: 'Crawlers visited each page of the sitemap in this window.',
  page: 'Page',
  lastCrawled: 'Visited before (UTC)',
  never: 'never',
  back: 'All crawlers and pages',
  missing: 'This project has no such page.',
  way: 'The way of this page',
  step: 'Step',
  times: 'Times',
  steps: {
    crawled: 'Crawled: visits of crawlers',
    retrieved: 'Retrieved: answers that read the page while searching',
    cited: 'Cited: answers that cite the page',
    referred: 'Clicked: sessions from AI assistants',
    clicked: 'Clicked: clicks from Google search',
  },
  unknown: 'not connected',
  crawlsByDay: 'Crawls by day',
  citationsByDay: 'Citations by day',
  byBot: 'Crawlers of this page',
  byAssistant: 'Assistants that cite this page',
} as const
