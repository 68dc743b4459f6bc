import { count, counted } from '../../../web/share/numbers.ts'

/** Texts about brands of answers that no project tracks yet. */
export const seenBrands = {
  title: 'Brands in answers that you do not track',
  lead: (answers: number) =>
    `Names that the newest ${counted(answers, 'answer')} list or recommend, found by rule. Not each one is a competitor.`,
  brand: 'Brand',
  answers: 'Mentioned in',
  of: (found: number, all: number) => `${count(found)} of ${counted(all, 'answer')}`,
  domain: 'Domain',
  domainOf: (name: string) => `Domain of ${name}`,
  domainNeeded: 'Enter a domain, such as example.com.',
  track: 'Track',
  tracked: 'Tracked',
  recount: 'Tracked in new answers. Recount to find it in the stored ones, too.',
  actions: 'Actions',
  open: 'Open',
  dismissedOnes: (brands: number) => `Dismissed (${count(brands)})`,
  dismiss: 'Dismiss',
  dismissed: (name: string) => `Dismissed “${name}”`,
  suggestAgain: 'Suggest again',
  none: 'No brand is left to look at.',
  noneDismissed: 'The newest answers list none of the dismissed brands.',
  inSetup: 'Brands in the answers that you imported:',
} as const
