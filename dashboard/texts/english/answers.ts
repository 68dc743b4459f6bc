import { count, counted } from '../../../web/share/numbers.ts'

/** Texts of the explorer of answers, and of one answer. */
export const answers = {
  title: 'Answers',
  found: (answers: number) => counted(answers, 'answer'),
  mentions: { all: 'All', yes: 'Mention you', competitors: 'Competitors only', none: 'No brand' },
  search: 'Search in answers',
  brand: 'Mentions brand',
  sentiment: 'Sentiment',
  sentiments: { positive: 'Positive', neutral: 'Neutral', negative: 'Negative' },
  domain: 'Cites domain',
  moreFilters: 'More filters',
  moreFiltersOf: (active: number) => `More filters (${count(active)})`,
  none: 'No answer matches these filters.',
  choose: 'Choose an answer to read it.',
  missing: 'This answer does not exist in this project.',
  you: (rank: number) => `you #${rank}`,
  ranked: (name: string, rank: number) => `${name} #${rank}`,
  noBrand: 'No tracked brand',
  brands: 'Brands',
  nobody: 'This answer mentions no tracked brand.',
  mention: (name: string, rank: number, sentiment: string | null) =>
    `${name}: #${rank}${sentiment ? `, ${sentiment}` : ''}`,
  asWritten: 'Show as written',
  asRead: 'Show formatted',
  more: (shown: number, all: number) =>
    `Show more: ${count(shown)} of ${count(all)} characters so far`,
  sources: 'Sources',
  noSources: 'This answer cites no source.',
  searches: 'Searches',
  open: 'Open answer',
  searchedFor: (query: string) => `Searched for “${query}”`,
  anyQuery: 'Show answers with any search',
  place: 'Location',
  same: 'Same prompt elsewhere that day',
  noSame: 'No other answer to this prompt on that day.',
} as const
