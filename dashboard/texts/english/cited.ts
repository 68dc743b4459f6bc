import { count, counted } from '../../../web/share/numbers.ts'

/** Texts of the page of sources. */
export const cited = {
  nav: 'Sources',
  title: 'What is cited?',
  domains: 'Most cited domains',
  domainsLead: (some: number, all: number) =>
    `${count(some)} of ${counted(all, 'domain')}. Usage: percent of answers that cite the domain.`,
  usage: 'Usage',
  usageByDomain: 'Usage of the most cited domains',
  ours: 'Name us',
  pages: 'Most cited pages',
  pagesLead: (some: number, all: number) =>
    `${count(some)} of ${counted(all, 'page')}. Usage: percent of answers that cite the page.`,
  page: 'Page',
  pageCount: 'Pages',
  kinds: 'Kinds of cited pages',
  kindsLead: 'Percent of answers that cite a page of the kind.',
  gaps: 'Cited for competitors, not for us',
  gapsLead: (all: number) =>
    `Among the ${counted(all, 'most cited domain')}: sites whose answers name competitors and never us.`,
  noGaps: 'Each of these domains is cited in an answer that names us, or names nobody.',
  named: 'Names',
  back: 'All sources',
  missing: 'No answer in this window cites this domain.',
  usageOf: (citing: number, all: number) =>
    `${count(citing)} of ${counted(all, 'answer')} cite this domain.`,
  citations: (citations: number, pages: number) =>
    `${counted(citations, 'citation')} of ${counted(pages, 'page')}.`,
  brands: 'Brands in the answers that cite this domain',
  answers: 'Answers that cite this domain',
  contentTypes: {
    article: 'article',
    listicle: 'list',
    how_to: 'guide',
    comparison: 'comparison',
    product: 'product',
    category: 'category',
    homepage: 'home page',
    forum_thread: 'forum thread',
    video: 'video',
    review: 'review',
    documentation: 'documentation',
    other: 'other',
  },
} as const
