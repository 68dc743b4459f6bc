import { count, counted } from '../../../web/share/numbers.ts'

/** Texts about how long data is kept. */
export const retention = {
  title: 'How long data is kept',
  lead: 'Older data of all projects of this workspace is removed each night, for good. Leave a field empty to keep the data.',
  readLead: 'Older data is removed each night. Owners set how long it is kept.',
  kinds: 'Data',
  keptFor: 'Kept for',
  includes: 'What is removed',
  noLimit: 'No limit',
  days: (days: number | null) => (days === null ? 'No limit' : counted(days, 'day')),
  daysOf: (name: string) => `${name}, days`,
  most: (days: number) => `This server keeps at most ${counted(days, 'day')}.`,
  wrong: 'Enter a whole number of days from 1, or leave the field empty.',
  tooMany: (days: number) => `Enter at most ${count(days)} days.`,
  save: 'Save',
  saved: 'Saved. Nothing is older than that now.',
  savedOlder: 'Saved. Older data is removed tonight.',
  goes: 'These go tonight, and nothing brings them back:',
  shorten: 'Keep data for less time',
  confirm: 'Remove older data',
  lost: {
    answers: (rows: number) => counted(rows, 'answer'),
    crawler_hits: (rows: number) => `${counted(rows, 'visit')} of AI crawlers and people`,
    analytics: (rows: number) => `${counted(rows, 'row')} of Search Console and web analytics`,
    page_contents: (rows: number) => `${counted(rows, 'text')} of pages`,
    audits: (rows: number) => counted(rows, 'site audit'),
    audit_trail: (rows: number) =>
      `${count(rows)} ${rows === 1 ? 'entry' : 'entries'} of the audit trail`,
  },
  before: (what: string, day: string) => `${what} from before ${day}`,
  stays: 'Prompts, settings, issues, opportunities and reports stay. Backups keep what they hold.',
  kept: {
    answers: {
      name: 'Answers',
      what: 'Answers with their mentions, citations, searches, products and ads, and the raw replies of AI platforms.',
    },
    crawlerHits: {
      name: 'AI crawler visits',
      what: 'Visits and AI referrals that your servers or logs reported.',
    },
    analytics: {
      name: 'Search Console and web analytics',
      what: 'Imported clicks, impressions and sessions.',
    },
    pageContents: {
      name: 'Texts of pages',
      what: 'What was read on cited pages. A text that is read again stays.',
    },
    audits: {
      name: 'Site audits',
      what: 'Ended audits. The newest of a project and of each page stays.',
    },
    auditTrail: { name: 'Audit trail', what: 'Entries of who changed what.' },
  },
} as const
