import { type AccessLogFormat, formatOf, isLogFormat } from '../access-log/access-log.ts'
import { hasSessionsTable } from '../analytics/analytics-words.ts'
import { searchTableOf } from '../analytics/search-export.ts'
import { hasName, type Look } from '../files/looks.ts'

/** What a file that somebody drops can be. */
export const fileKinds = [
  'answers',
  'prompts',
  'access_log',
  'search_console',
  'web_analytics',
  'pages',
  'page_contents',
  'articles',
  'domain_authority',
] as const
export type FileKind = (typeof fileKinds)[number]

/** What a file is: a kind, or the kinds that it may be where its first bytes leave it open. */
export interface Recognised {
  readonly kind: FileKind | null
  readonly candidates: readonly FileKind[]
}

const ofTable: readonly FileKind[] = [
  'prompts',
  'answers',
  'search_console',
  'web_analytics',
  'pages',
  'domain_authority',
]

const byForm: Readonly<Record<Look['form'], readonly FileKind[]>> = {
  json: ['answers', 'search_console', 'web_analytics', 'page_contents', 'articles'],
  csv: ofTable,
  text: ['prompts', 'pages'],
  zip: ['search_console', 'web_analytics'],
  xml: ['pages'],
  markdown: ['articles'],
  log: ['access_log'],
  w3c: ['access_log'],
}

/** Says what a file is, by its first bytes and by what they look like. */
export function recognised(look: Look, head: Uint8Array): Recognised {
  const name = /^import (\S+)/.exec(look.command ?? '')?.[1]?.replaceAll('-', '_')
  const kind = fileKinds.find((each) => each === name) ?? guessed(look, head)
  return { kind, candidates: kind ? [kind] : byForm[look.form] }
}

function guessed(look: Look, head: Uint8Array): FileKind | null {
  // Tables of Search Console without days: the import says which file has them.
  const isSearch = hasName(look, 'clicks') && hasName(look, 'impressions')
  if (look.form === 'csv' && (isSearch || searchTableOf(head))) return 'search_console'
  if (look.form === 'csv' && hasSessionsTable(head)) return 'web_analytics'
  return logFormatOf(look, head) ? 'access_log' : null
}

/** The format of an access log; null for another file. */
export function logFormatOf({ command, form }: Look, head: Uint8Array): AccessLogFormat | null {
  const format = /--format (\S+)$/.exec(command ?? '')?.[1]
  if (format !== undefined && isLogFormat(format)) return format
  // A log that was cut may begin with anything.
  return form === 'zip' || form === 'xml' ? null : formatOf(head)
}
