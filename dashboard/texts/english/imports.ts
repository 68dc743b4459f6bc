import { count, counted, dayText } from '../../../web/share/numbers.ts'

/** Texts of the page of imports. */
export const imports = {
  title: 'Imports',
  upload: 'Import answers',
  uploadLead:
    'JSON Lines, a JSON array, CSV, or an export of Peec, Profound or Promptfoo. Answers that were imported before are skipped.',
  drop: 'Drop a file here',
  choose: 'Choose a file',
  file: 'File',
  stop: 'Stop',
  sending: (sent: number, all: number) =>
    all === 0 ? 'Reading the file' : `${Math.floor((100 * sent) / all)}% imported`,
  result: (read: number, loaded: number, skipped: number) =>
    `${counted(read, 'line')} read: ${count(loaded)} imported, ${count(skipped)} already there.`,
  toOverview: 'See your numbers',
  stopped: 'Stopped. What was imported stays; you can undo it below.',
  tooLarge:
    'This file is too large to import at once: JSON Lines may have any size, other files up to 15 MB.',
  rejected: 'Lines that were not imported',
  leftOut: 'Fields that could not be read',
  lines: (shown: number, all: number) =>
    shown < all ? `The first ${count(shown)} of ${count(all)}.` : '',
  line: (line: number, reason: string) => `Line ${count(line)}: ${reason}`,
  all: 'Import history',
  none: 'Nothing was imported yet.',
  at: 'Started (UTC)',
  kind: 'Data',
  kinds: {
    answers: 'Answers',
    access_log: 'Access log',
    web_analytics: 'Web analytics',
    search_console: 'Search Console',
    page_contents: 'Page texts',
    pages: 'Pages',
    articles: 'Articles',
    domain_authority: 'Domain authority',
  },
  from: 'File',
  noFile: '–',
  days: 'Days',
  range: (from: string | null, to: string | null) =>
    from && to ? (from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`) : '',
  read: 'Lines',
  loaded: 'Imported',
  lost: 'Rejected',
  states: { unfinished: 'Running or interrupted', finished: 'Active', undone: 'Undone' },
  undo: 'Undo',
  undoAsk: (rows: number) =>
    `This removes the ${counted(rows, 'row')} that this import added, for everyone.`,
} as const
