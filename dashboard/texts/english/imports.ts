import { count, counted, dayText } from '../../../web/share/numbers.ts'
import { inWords } from './faults.ts'

const kinds = {
  answers: 'Answers',
  prompts: 'Prompts',
  access_log: 'Access log',
  web_analytics: 'Web analytics',
  search_console: 'Search Console',
  page_contents: 'Page texts',
  pages: 'Pages',
  articles: 'Articles',
  domain_authority: 'Domain authority',
} as const

const nouns: Readonly<Record<keyof typeof kinds, string>> = {
  answers: 'answer',
  prompts: 'prompt',
  access_log: 'crawler visit',
  web_analytics: 'row',
  search_console: 'row',
  page_contents: 'page text',
  pages: 'page',
  articles: 'article',
  domain_authority: 'measurement',
}

/** Whether rows that an import replaced come back after its undo. */
const replaced: Readonly<Partial<Record<keyof typeof kinds, string>>> = {
  web_analytics: ' Rows of the same days that they replaced do not come back.',
  search_console: ' Rows of the same days that they replaced do not come back.',
  page_contents: ' Texts that they replaced do not come back.',
  pages: ' What they replaced comes back.',
  articles: ' What they replaced comes back.',
  domain_authority: ' What they replaced comes back.',
}

/** Texts of the page of imports. */
export const imports = {
  title: 'Imports',
  upload: 'Import a file',
  uploadLead: 'You see what is in a file before anything is stored.',
  drop: 'Drop any file here',
  dropHint:
    'Answers, prompts, access logs, Search Console, Google Analytics and other tools, pages, articles. Excel, CSV, JSON, ZIP, logs, Markdown.',
  choose: 'Choose a file',
  refused: (file: string) =>
    /\.(xlsx?|ods|numbers)$/i.test(file)
      ? `${file} cannot be read. Save its sheet as CSV, and choose that file.`
      : `${file} is neither CSV nor an Excel workbook. Save it as CSV, and choose that file.`,
  file: 'File',
  samples: 'Sample files',
  sampleName: (kind: string) => `sample ${kind}`,
  fileKinds: {
    answers: 'Answers of AI platforms',
    prompts: 'Prompts',
    access_log: 'Access log of a server or CDN',
    search_console: 'Search Console',
    web_analytics: 'Web analytics',
    pages: 'Pages or a sitemap',
    page_contents: 'Texts of cited pages',
    articles: 'Articles',
    domain_authority: 'Domain authority',
  },
  reading: 'Reading the file…',
  whatIs: (name: string) => `What is in ${name}?`,
  isOf: (name: string) => `${name} has`,
  notOf: (kind: string) => `This file cannot be read as: ${kind}`,
  found: (read: number, accepted: number, isCut: boolean) =>
    isCut
      ? `The beginning of the file: ${counted(read, 'row')} read, ${count(accepted)} of them can be imported.`
      : `${counted(read, 'row')} read, ${count(accepted)} of them can be imported.`,
  noPromptColumn:
    'No column is named text, prompt or query. Name it so in the file, or choose the column on the page Prompts, Add prompts, CSV or Excel file.',
  toPrompts: 'Go to Prompts',
  firstRows: 'First rows',
  lineNumber: 'Line',
  wouldReject: 'Rows that cannot be imported',
  importIt: 'Import',
  stop: 'Stop',
  progress: 'Progress of the import',
  sending: (share: number) => (share === 0 ? 'Importing…' : `${Math.floor(100 * share)}% imported`),
  result: (read: number, loaded: number, skipped: number) =>
    `${counted(read, 'row')} read: ${count(loaded)} imported, ${count(skipped)} already there or not needed.`,
  next: {
    overview: 'See your report',
    prompts: 'See the prompts',
    'ai-traffic': 'See AI traffic',
    opportunities: 'See opportunities',
    'site-audit': 'See the site audit',
    sources: 'See the sources',
  },
  stopped: 'Stopped. What was imported stays; you can undo it below.',
  tooLarge:
    'This file is too large for the browser: files that cannot be split between lines may have up to 14 MB, ZIP archives up to 11 MB. JSON Lines, CSV and logs may have any size.',
  rejected: 'Rows that were not imported',
  leftOut: 'Fields that could not be read',
  lines: (shown: number, all: number) =>
    shown < all ? `The first ${count(shown)} of ${count(all)}.` : '',
  line: (line: number, reason: string) => `Line ${count(line)}: ${inWords(reason)}`,
  plain: (reason: string) => inWords(reason),
  all: 'Import history',
  none: 'Nothing was imported yet.',
  at: 'Started (UTC)',
  kind: 'Data',
  kinds,
  from: 'File',
  noFile: '–',
  ofRun: 'Run of data collection',
  days: 'Days',
  range: (from: string | null, to: string | null) =>
    from && to ? (from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`) : '',
  read: 'Rows',
  loaded: 'Imported',
  lost: 'Rejected',
  states: { unfinished: 'Running or interrupted', finished: 'Active', undone: 'Undone' },
  undo: 'Undo',
  undoAsk: (rows: number, kind: keyof typeof kinds, file: string | null) =>
    kind === 'prompts'
      ? `This takes back the ${counted(rows, 'prompt')} that ${file ?? 'this import'} added or changed, for everyone. New prompts are deleted; those with answers, or edited since, are paused instead. Changed prompts are as before.`
      : `This removes the ${counted(rows, nouns[kind])} that ${file ?? 'this import'} added, for everyone.${replaced[kind] ?? ''}`,
} as const
