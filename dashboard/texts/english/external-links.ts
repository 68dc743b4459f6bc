import { count, counted } from '../../../web/share/numbers.ts'

/** Texts of links to other sites. */
export const externalLinks = {
  title: 'Links to other sites',
  check: 'Check links to other sites',
  none: 'An audit can also request the pages of other sites that yours link to, and list those that fail. It asks one site after another, and follows its robots.txt.',
  allWork: 'All links that were checked work.',
  waiting: 'The links follow when all pages are read.',
  lead: (of: readonly string[], at: string) => `${of.join(', ')}. Audit of ${at}.`,
  states: {
    broken: 'Broken',
    refused: 'Refused',
    not_checked: 'Not checked',
    working: 'Working',
    queued: 'Queued',
  },
  countOf: (state: string, links: number) => `${count(links)} ${state.toLowerCase()}`,
  state: 'State',
  link: 'Link',
  why: 'Answer',
  on: 'On',
  pages: 'Pages',
  more: (pages: number) => `and ${counted(pages, 'more page')}`,
  alternate: 'Another version of the page',
  canonical: 'Canonical address',
  reasons: {
    dns: 'The host does not exist',
    connection: 'The server refuses the connection',
    timeout: 'The server takes too long',
    protocol: 'The answer is no HTTP',
    certificate: 'The certificate is not valid',
    redirect_loop: 'Redirects without end',
    robots: 'robots.txt of that site keeps us out',
    private_address: 'The address is private',
    limit: 'More links than an audit requests',
    budget: 'The time for the audit ended',
  },
} as const
