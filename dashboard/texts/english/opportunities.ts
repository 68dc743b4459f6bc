import { count } from '../../../web/share/numbers.ts'

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Texts of the opportunities. */
export const opportunities = {
  title: 'Opportunities',
  states: { active: 'Open', done: 'Done', dismissed: 'Dismissed' },
  worked: 'Did it work?',
  shown: (some: number, all: number) =>
    some < all
      ? `The ${count(some)} that reach the most answers, of ${count(all)}`
      : all === 1
        ? '1 opportunity'
        : `${count(all)} opportunities, those that reach the most answers first`,
  none: {
    active:
      'No open opportunity. They are looked for every day, and in the first minutes of a new project.',
    done: 'Nothing is done yet. What you mark as done shows here what came of it.',
    dismissed: 'Nothing was dismissed.',
  },
  kinds: {
    write: 'Pages to write',
    improve: 'Pages to improve',
    outreach: 'Sources to win',
    track: 'Prompts to track',
    fix: 'Site fixes',
    investigate: 'Changes to look into',
  },
  more: (more: number) => `${count(more)} more of this kind`,
  levels: { high: 'High', medium: 'Medium', low: 'Low' },
  levelHint: 'Expected effect, by the share of the answers of a month that it can change',
  effect: sentence,
  effectPending: 'Not estimated yet',
  effort: { low: 'Low effort', medium: 'Medium effort', high: 'High effort' },
  effortHint: {
    low: 'Minutes: a setting, a prompt, a fix of markup',
    medium: 'Hours: improving a page, or finding out why a number moved',
    high: 'Days: writing a page, or getting listed on another site',
  },
  numbers: 'The numbers behind it',
  assign: 'Assign to',
  assigned: (name: string) => `Assigned to ${name}`,
  complete: 'Mark as done',
  dismiss: 'Dismiss',
  reopen: 'Reopen',
  track: 'Track this prompt',
  tracked: 'The prompt is tracked from now on:',
  openPage: 'Open the page',
  openAnswers: 'See the answers',
  openIssues: 'See the issue',
  openPrompt: 'See the prompt',
  openPrompts: 'See the prompts',
  openSource: 'See the source',
  showAll: (more: number) => `Show ${count(more)} more`,
  doneOn: (day: string) => `Done on ${day}`,
  resolvedOn: (day: string) => `Resolved by itself on ${day}`,
  completedNow: (title: string) => `Marked as done: ${title}`,
  dismissedNow: (title: string) => `Dismissed: ${title}`,
  dismissedOn: (day: string, reason: string) => `Dismissed on ${day}: ${reason}`,
} as const
