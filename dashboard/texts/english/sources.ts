import { count, counted } from '../../../web/share/numbers.ts'

/** Texts of the pages of sources, a domain and a page. */
export const sources = {
  title: 'Sources',
  overTime: 'Citations over time',
  overTimeLead: 'How often answers cite your site, and the sites of your competitors',
  ownSite: 'Your site',
  competitorSites: 'Sites of competitors',
  domains: 'Domains',
  domainsLead: 'Share of answers that cite each domain',
  cited: 'Cited in',
  citedHint: 'Share of answers that cite it.',
  ours: 'Mention you',
  pages: 'Pages',
  pagesLead: 'Share of answers that cite each page',
  pageCount: 'Pages',
  types: 'Page types',
  typesLead: 'Share of answers that cite a page of each type',
  domainTypes: 'Domain types',
  toWin: 'Sources to win',
  toWinLead:
    'Cited in answers that mention competitors and not you, those that reach most answers first',
  toWinNone: 'Every cited domain is in answers that mention you.',
  reach: 'Answers without you',
  mentioned: 'Competitors there',
  missing: 'No answer in this date range cites this domain.',
  missingPage: 'No answer in this date range cites this page.',
  citedOf: (citing: number, all: number) => `${count(citing)} of ${counted(all, 'answer')}`,
  citations: (citations: number, pages: number) =>
    `${counted(citations, 'citation')} of ${counted(pages, 'page')}`,
  brands: 'Brands in the answers that cite it',
  answers: 'Answers that cite it',
  openPage: 'Open page',
  prompts: 'Prompts',
  authority: 'Domain authority',
  authorityHint: 'Authority of your domain, 0 to 100, as the tool that measured it reports.',
  authorityOf: (date: string, backlinks: number, domains: number) =>
    `On ${date}: ${counted(backlinks, 'link')} from ${counted(domains, 'domain')}`,
} as const
