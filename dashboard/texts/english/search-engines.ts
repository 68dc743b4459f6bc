import { count, counted } from '../../../web/share/numbers.ts'

const of = (clicks: number, impressions: number) =>
  `${counted(clicks, 'click')} of ${counted(impressions, 'impression')}`

/** Texts of what people search in Google and Bing. */
export const searchEngines = {
  engine: 'Search engine',
  names: { google: 'Google', bing: 'Bing' },
  google: {
    overTime: 'Google search over time',
    overTimeOf: (clicks: number, impressions: number) =>
      `${of(clicks, impressions)}, by Search Console`,
    queries: 'Google queries',
    pages: 'Pages in Google results',
  },
  bing: {
    overTime: 'Bing search over time',
    overTimeOf: (clicks: number, impressions: number) =>
      `${of(clicks, impressions)}, by Bing Webmaster Tools`,
    queries: 'Bing queries',
    pages: 'Pages in Bing results',
  },
  weeks: (weeks: number, from: string, to: string) => {
    const these =
      weeks === 1 ? 'This is the week that ends' : `These are the ${count(weeks)} weeks that end`
    return `Bing reports whole weeks. ${these} in this date range: ${from} – ${to}.`
  },
  noWeeks: 'Bing reports whole weeks, and none ends in this date range.',
  metrics: { clicks: 'Clicks', impressions: 'Impressions' },
  queriesLead: 'Visibility is that of the tracked prompt with the same wording.',
  pagesLead: 'Beside how many AI answers cite each page',
  query: 'Query',
  ctr: 'Click-through rate',
  none: 'No query in this date range.',
  noPages: 'No page in this date range.',
} as const
