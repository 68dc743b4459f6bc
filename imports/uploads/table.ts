import type { PreviewedEntry } from '../loads/preview.ts'
import type { FileKind } from './kinds.ts'

/** Rows of a file for people. */
export interface PreviewTable {
  readonly columns: readonly string[]
  readonly lines: readonly { readonly line: number; readonly cells: readonly string[] }[]
}

/** The fields that are shown of the rows of a kind, by their names for people; a path leads into objects. */
const shown: Readonly<Record<FileKind, readonly (readonly [name: string, path: string])[]>> = {
  answers: [
    ['Prompt', 'line.prompt'],
    ['AI platform', 'line.platform'],
    ['Collected', 'line.collectedAt'],
    ['Answer', 'line.text'],
    ['Sources', 'line.citations'],
    ['Topic', 'line.topic'],
  ],
  prompts: [
    ['Prompt', 'text'],
    ['Topics', 'topics'],
    ['Location', 'location'],
    ['Intent', 'intent'],
    ['Searches per month', 'volume'],
  ],
  access_log: [
    ['Time', 'timestamp'],
    ['Crawler', 'bot_name'],
    ['Path', 'path'],
    ['Status', 'status_code'],
  ],
  search_console: [
    ['Day', 'day'],
    ['Query', 'query'],
    ['Page', 'page'],
    ['Clicks', 'clicks'],
    ['Impressions', 'impressions'],
  ],
  web_analytics: [
    ['Day', 'day'],
    ['Page', 'page'],
    ['Source', 'source'],
    ['Sessions', 'sessions'],
  ],
  pages: [
    ['Page', 'url'],
    ['Title', 'title'],
    ['Type', 'type'],
  ],
  page_contents: [
    ['Page', 'url'],
    ['Title', 'title'],
    ['Fetched', 'fetchedAt'],
    ['Text', 'content'],
  ],
  articles: [
    ['Title', 'title'],
    ['Slug', 'slug'],
    ['Status', 'status'],
    ['Text', 'content'],
  ],
  domain_authority: [
    ['Day', 'date'],
    ['Score', 'score'],
    ['Backlinks', 'backlinks'],
    ['Referring domains', 'referringDomains'],
  ],
}

const longestCell = 200

function valueAt(row: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null
          ? (value as Readonly<Record<string, unknown>>)[key]
          : undefined,
      row,
    )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ')
  // Of objects, their number says enough; of words, the words.
  if (Array.isArray(value)) {
    return value.some((each) => typeof each === 'object') ? String(value.length) : value.join(', ')
  }
  const text = String(value).replaceAll(/\s+/g, ' ').trim()
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : text
}

/** The rows of a kind as texts; a column that all of them lack is left out. */
export function columnsOf(kind: FileKind, entries: readonly PreviewedEntry[]): PreviewTable {
  const fields = shown[kind].map(([name, path]) => ({
    name,
    cells: entries.map(({ row }) => textOf(valueAt(row, path))),
  }))
  const filled = fields.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return {
    columns: filled.map(({ name }) => name),
    lines: entries.map(({ line }, at) => ({
      line,
      cells: filled.map(({ cells }) => cells[at] ?? ''),
    })),
  }
}
