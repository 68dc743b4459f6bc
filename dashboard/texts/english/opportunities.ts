import { count } from '../../../web/share/numbers.ts'

/** Texts of the opportunities. */
export const opportunities = {
  title: 'Opportunities',
  states: {
    active: 'Open',
    completed: 'Done',
    dismissed: 'Dismissed',
    auto_resolved: 'Resolved',
  },
  shown: (some: number, all: number) =>
    some < all
      ? `The ${count(some)} with the largest expected effect, of ${count(all)}`
      : all === 1
        ? '1 opportunity'
        : `${count(all)} opportunities`,
  none: {
    active: 'No open opportunity. New ones are looked for every day.',
    completed: 'Nothing is done yet.',
    dismissed: 'Nothing was dismissed.',
    auto_resolved: 'Nothing resolved itself yet.',
  },
  categories: {
    content: 'Content',
    outreach: 'Sources to win',
    prompts: 'Prompts to track',
    technical: 'Site fixes',
    ai_readiness: 'AI readiness',
  },
  score: (score: number) => `Expected effect ${count(score)} of 100`,
  dismissedFor: (reason: string) => `Dismissed: ${reason}`,
  complete: 'Mark as done',
  dismiss: 'Dismiss',
  reopen: 'Reopen',
  track: 'Track this prompt',
  tracked: 'Prompt tracked',
  openPage: 'Open the page',
  openAnswers: 'See the answers',
  openIssues: 'See the issue',
  openPrompt: 'See the prompt',
  openSource: 'See the source',
  showAll: (more: number) => `Show ${count(more)} more`,
} as const
