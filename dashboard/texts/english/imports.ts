import { count, counted, dayText } from '../../../web/share/numbers.ts'

/** Texts of the page of imports. */
export const imports = {
  nav: 'Imports',
  title: 'Where do the numbers come from?',
  upload: 'Import answers',
  uploadLead:
    'A file of JSON Lines, a JSON array, CSV, or an export of Peec, Profound or Promptfoo. Answers that are there already are skipped.',
  file: 'File',
  submit: 'Import',
  stop: 'Stop',
  sending: (sent: number, all: number) =>
    all === 0 ? 'Reads the file.' : `${Math.floor((100 * sent) / all)} % of the file is imported.`,
  result: (read: number, loaded: number, skipped: number) =>
    `${counted(read, 'line')} read: ${count(loaded)} loaded, ${count(skipped)} there already.`,
  stopped: 'Stopped. What was imported stays, and can be undone below.',
  tooLarge:
    'A file that is no JSON Lines may have 15 MB. “sightline import answers FILE” takes any size.',
  rejected: 'Lines that were not loaded',
  leftOut: 'Fields that could not be read',
  lines: (shown: number, all: number) =>
    shown < all ? `The first ${count(shown)} of ${count(all)}.` : '',
  line: (line: number, reason: string) => `Line ${count(line)}: ${reason}`,
  all: 'Imports of this project',
  none: 'Nothing was imported.',
  at: 'Began (UTC)',
  kind: 'Data',
  kinds: {
    answers: 'answers',
    access_log: 'access log',
    web_analytics: 'web analytics',
    search_console: 'Search Console',
    page_contents: 'texts of pages',
    pages: 'pages',
    articles: 'content pieces',
    domain_authority: 'domain authority',
  },
  from: 'File',
  noFile: 'a request',
  days: 'Days',
  range: (from: string | null, to: string | null) =>
    from && to ? (from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`) : '',
  read: 'Read',
  loaded: 'Loaded',
  lost: 'Not read',
  state: 'State',
  states: { unfinished: 'runs, or ended early', finished: 'stands', undone: 'undone' },
  acts: 'Change',
  undo: 'Undo',
  surely: 'Undo it: its rows go',
  keep: 'Keep',
} as const
