import { dayText } from '../../../web/share/numbers.ts'

/** Texts of the page of reports. */
export const reports = {
  title: 'Reports',
  make: 'New report',
  makeLead: 'A report keeps the numbers of the date range above as they are now.',
  kind: 'Contents',
  kinds: { combined: 'Everything', visibility: 'Visibility', sentiment: 'Sentiment' },
  name: 'Title',
  nameHint: 'Optional. Without one, the report is named after your brand and the date range.',
  submit: 'Create',
  all: 'Reports',
  none: 'No report yet.',
  report: 'Report',
  period: 'Date range',
  days: (from: string, to: string) => `${dayText(from)} to ${dayText(to)}`,
  created: 'Created (UTC)',
  link: 'Public link',
  open: (title: string) => `Open ${title}`,
  isPrivate: 'Private',
  share: 'Share',
  revoke: 'Revoke link',
  revokeAsk: 'Everyone who has the link loses access.',
} as const
