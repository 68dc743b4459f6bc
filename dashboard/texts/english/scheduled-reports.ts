import { count } from '../../../web/share/numbers.ts'

/** Texts of reports on a schedule, which the page of reports loads with them. */
export const scheduledReports = {
  title: 'Scheduled reports',
  lead: 'Each week or month, a report is created and shared, and its link is sent by mail, to Slack, to Teams or to a webhook.',
  none: 'No report is sent on a schedule yet.',
  toChannels: 'Go to notifications',
  when: 'When',
  about: 'About',
  types: {
    visibility: 'Visibility',
    sentiment: 'Sentiment',
    combined: 'Visibility and sentiment',
  },
  link: 'Link',
  noPassword:
    'These links have no password, because the message would have to carry it too. To set one, share a report yourself.',
  linkDays: (days: number | null) =>
    days === null ? 'open without an end' : `open for ${count(days)} days`,
  state: 'State',
  well: 'OK',
  every: 'Every',
  paces: { week: 'Week', month: 'Month' },
  dayOfMonth: (day: number) => `Day ${count(day)} of the month`,
  set: 'Schedule',
  end: 'End',
  endAsk:
    'No more reports are sent. Links that were sent stay open until they end or you revoke them.',
} as const
