import { dayText } from '../../../web/share/numbers.ts'

/** Texts of the page of reports. */
export const reports = {
  nav: 'Reports',
  title: 'Reports',
  make: 'Make a report',
  makeLead: 'A report keeps the numbers of the window above as they are now.',
  kind: 'Subject',
  kinds: { combined: 'All', visibility: 'Visibility', sentiment: 'Tone' },
  name: 'Title',
  nameHint: 'Without a title the report names its subject, brand and window.',
  submit: 'Make it',
  all: 'Reports of this project',
  none: 'No report was made.',
  report: 'Report',
  period: 'Window',
  days: (from: string, to: string) => `${dayText(from)} to ${dayText(to)}`,
  state: 'State',
  states: { queued: 'waits', running: 'is made', completed: 'done', failed: 'failed' },
  asked: 'Requested (UTC)',
  link: 'Link for everybody',
  acts: 'Change',
  open: (title: string) => `Open ${title}`,
  isPrivate: 'private',
  share: 'Share',
  revoke: 'Revoke the link',
} as const
