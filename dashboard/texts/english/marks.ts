import { count } from '../../../web/share/numbers.ts'

const prompts = (many: number) => (many === 1 ? '1 prompt' : `${count(many)} prompts`)

/** Texts of what was done, and whether it worked. */
export const marks = {
  lead: 'What you did for the brand, and whether it helped: the prompts that it concerns, compared with your other prompts, after that day against the 56 days before. What moves all prompts, such as a new model, cancels out.',
  add: 'Add what you did',
  save: 'Add',
  done: 'What you did',
  doneExample: 'Published the travel guide',
  kind: 'Type',
  kinds: {
    page_published: 'Page published',
    page_changed: 'Page changed',
    source_won: 'Source won',
    robots_opened: 'AI crawlers let in',
    other: 'Other',
  },
  date: 'On (UTC)',
  topics: 'Topics',
  prompts: 'Prompts',
  concerns:
    'Choose the topics or prompts that it concerns. With an address alone, it concerns the prompts whose answers cited that page or site before.',
  url: 'Page or site',
  urlExample: 'https://example.com/travel-guide',
  metric: 'Compare',
  metrics: { visibility: 'Visibility', citations: 'Citations' },
  verdicts: {
    rose: 'It worked',
    fell: 'It fell',
    not_yet: 'Too early to say',
    none_found: 'No difference',
    not_comparable: 'Cannot be compared',
  },
  verdictHints: {
    rose: 'Its prompts rose against the others by more than chance explains. You may look every day: at most 5% of such results are wrong.',
    fell: 'Its prompts fell against the others by more than chance explains. You may look every day: at most 5% of such results are wrong.',
    not_yet: 'It may have helped, or not: there are not enough answers yet.',
    none_found: 'Half a year of answers shows no difference that chance does not explain.',
    not_comparable:
      'It takes 5 prompts that it concerns and 5 others, with answers before and after.',
  },
  sides: (
    own: { many: number; before: string; after: string },
    others: { many: number; before: string; after: string },
  ) =>
    `Its ${prompts(own.many)}: ${own.before} → ${own.after}. Your ${count(others.many)} others: ${others.before} → ${others.after}.`,
  remove: 'Remove',
  removeGoes: 'The entry goes from this list and from the trends. The answers stay.',
  none: 'Nothing is noted yet. Add what you did, or mark an opportunity as done: it appears here by itself.',
} as const
