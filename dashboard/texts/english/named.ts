import { count, counted } from '../../../web/share/numbers.ts'

/** Texts of the page of competitors. */
export const named = {
  nav: 'Competitors',
  title: 'Who else is named?',
  brands: 'Tracked brands',
  brandsLead: 'A brand leads in a topic when more answers name it than any other tracked brand.',
  voice: 'Share of voice by brand',
  overTime: 'Share of voice by day',
  overTimeLead:
    'Percent of the namings of tracked brands on a day. All drawings have the same axis.',
  leads: 'Leads in',
  back: 'All brands',
  missing: 'This project tracks no such brand.',
  visibilityOf: (named: number, all: number) =>
    `${count(named)} of ${counted(all, 'answer')} name this brand.`,
  positionOf: (answers: number) => `Mean place in ${counted(answers, 'answer')}; 1 is first.`,
  byDay: 'Visibility by day',
  topics: 'Topics where this brand leads',
  noTopics: 'This brand leads in no topic in this window.',
  sources: 'Sources of the answers that name this brand',
  both: 'Answers that name both brands',
} as const
