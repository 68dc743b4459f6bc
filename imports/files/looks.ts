import { parse } from 'csv-parse/sync'
import { Fault } from '../../core/errors.ts'
import { quoted } from '../../core/rule-text.ts'
import { plainName } from './csv-columns.ts'
import { isObject } from './flaw.ts'

/** The forms of files, by their first bytes. */
export type FileForm = 'json' | 'csv' | 'log' | 'w3c' | 'xml' | 'zip' | 'markdown' | 'text'

/** What the first bytes of a file show. */
export interface Look {
  readonly form: FileForm
  /** Keys of JSON, or names of columns, as the file writes them. */
  readonly names: readonly string[]
  /** The command that takes such a file, such as `import answers`. */
  readonly command: string | null
}

const linesLookedAt = 50
const namesShown = 6

type Rule = readonly [command: string, fits: (has: (...names: string[]) => boolean) => boolean]

/** The first rule that fits decides. `has` says whether any of the names is there. */
const jsonRules: readonly Rule[] = [
  ['import search-console', (has) => has('datadate') || (has('keys') && has('impressions'))],
  [
    'import web-analytics',
    (has) => has('dimensionheaders', 'dimensionvalues', 'nbvisits', 'visitduration'),
  ],
  ['import access-log --format cloudflare', (has) => has('edgestarttimestamp', 'clientrequesturi')],
  ['import access-log --format caddy', (has) => has('request') && has('logger') && has('ts')],
  [
    'import access-log --format fastly',
    (has) => has('requestuseragent', 'useragent') && has('url') && has('host'),
  ],
  ['import page-contents', (has) => has('fetchedat') && has('url')],
  ['import answers', (has) => has('collectedat', 'prompt', 'platform', 'response', 'question')],
  ['import brand-profile', (has) => has('brandprofile', 'domains', 'aliases')],
  ['import articles', (has) => has('slug', 'urlpath', 'title', 'markdown')],
]

const asked = ['prompt', 'prompttext', 'searchprompt', 'query', 'question', 'keyword']
const answered = [
  'response',
  'answer',
  'responsetext',
  'answertext',
  'output',
  'completion',
  'airesponse',
  'aianswer',
  'modelresponse',
  'fullresponse',
  'collectedat',
]

const csvRules: readonly Rule[] = [
  ['import search-console', (has) => has('clicks') && has('impressions') && has('date', 'day')],
  ['import web-analytics', (has) => has('sessions') && has('bouncerate', 'sessionsource')],
  ['import web-analytics', (has) => has('nbvisits') || (has('visitid') && has('urlpath'))],
  ['import web-analytics', (has) => has('visitors') && has('visits', 'visitduration')],
  ['import domain-authority', (has) => has('backlinks') && has('date', 'day')],
  ['import answers', (has) => has(...asked) && has(...answered)],
  ['import prompts', (has) => has('text', ...asked)],
  ['import pages', (has) => has('url', 'address')],
]

const combinedLine = /^(?:\S+ )?\S+ \S+ \S.* \[[^\]]+\] "[^"]*" \d{3} /
const albLine = /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT\S+ \S+ \S+:\d+ /

function commandFor(names: readonly string[], rules: readonly Rule[]): string | null {
  const plainNames = new Set(names.map(plainName))
  const has = (...some: string[]) => some.some((name) => plainNames.has(name))
  return rules.find(([, fits]) => fits(has))?.[0] ?? null
}

/** The keys of all objects, also of those within objects, where the text is cut. */
const keysByText = (text: string) =>
  [...text.matchAll(/"([^"\\]{1,60})"\s*:/g)].map(([, key = '']) => key)

function keysOf(text: string, lines: readonly string[]): string[] {
  const objects = lines.flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      return isObject(value) ? [value] : []
    } catch {
      return []
    }
  })
  const keys = objects.length > 0 ? objects.flatMap(Object.keys) : keysByText(text)
  return [...new Set(keys)]
}

function isObjectLine(line: string): boolean {
  try {
    return isObject(JSON.parse(line))
  } catch {
    return false
  }
}

function cellsOf(line: string): string[] {
  const counts = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    size: line.split(delimiter).length,
  }))
  const [best] = counts.toSorted((a, b) => b.size - a.size)
  const { delimiter = ',' } = best ?? {}
  try {
    const [cells = []] = parse(line, { delimiter, relax_quotes: true, to: 1 }) as string[][]
    return cells.map((cell) => cell.trim())
  } catch {
    return line.split(delimiter)
  }
}

/** Says what a file is from its first bytes; null for a file without any text. */
export function lookOf(head: Uint8Array): Look | null {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  const decoder = new TextDecoder(isUtf16 ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8')
  const text = decoder.decode(head)
  if (text.startsWith('PK\u0003\u0004')) return { form: 'zip', names: [], command: null }
  const lines = text.split(/\r\n|\n|\r/, linesLookedAt).filter((line) => line.trim() !== '')
  const [first] = lines
  if (first === undefined) return null
  return lookOfText(text.trimStart(), first.trim(), lines)
}

function lookOfText(text: string, first: string, lines: readonly string[]): Look {
  if (/^<\d{1,3}>.*\{"/.test(first)) {
    return { form: 'log', names: [], command: 'import access-log --format fastly' }
  }
  if (text.startsWith('<')) return { form: 'xml', names: [], command: 'import pages' }
  if (/^#(?:Version|Software|Fields):/.test(first)) {
    const isTabbed = lines.some((line) => line.includes('\t') || / x-edge-/.test(line))
    const format = isTabbed ? 'cloudfront' : 'iis'
    return { form: 'w3c', names: [], command: `import access-log --format ${format}` }
  }
  if (/^[[{]/.test(first) || lines.some(isObjectLine)) {
    const names = keysOf(text, lines)
    // Reports of Google have their rows within an object.
    const command = commandFor(names, jsonRules) ?? commandFor(keysByText(text), jsonRules)
    return { form: 'json', names, command }
  }
  if (lines.some((line) => combinedLine.test(line))) {
    return { form: 'log', names: [], command: 'import access-log --format combined' }
  }
  if (lines.some((line) => albLine.test(line))) {
    return { form: 'log', names: [], command: 'import access-log --format alb' }
  }
  if (first === '---') return { form: 'markdown', names: [], command: 'import articles' }
  const header = lines.find((line) => !line.startsWith('#')) ?? first
  const names = cellsOf(header)
  const command = commandFor(names, csvRules)
  return { form: names.length > 1 || command !== null ? 'csv' : 'text', names, command }
}

const forms: Readonly<Record<FileForm, string>> = {
  json: 'JSON',
  csv: 'a table',
  log: 'an access log',
  w3c: 'a log with a header of fields',
  xml: 'XML',
  zip: 'a ZIP archive',
  markdown: 'Markdown',
  text: 'plain text',
}

function described({ form, names }: Look): string {
  const shown = form === 'json' || form === 'csv' ? names.filter((name) => name !== '') : []
  if (shown.length === 0) return forms[form]
  const list = shown.slice(0, namesShown).map(quoted).join(', ')
  const more = shown.length > namesShown ? ' and others' : ''
  return `${forms[form]} with the ${form === 'json' ? 'keys' : 'columns'} ${list}${more}`
}

/** Whether a file has any of the keys or columns; case and punctuation do not count. */
export function hasName({ names }: Look, ...some: string[]): boolean {
  return names.some((name) => some.includes(plainName(name)))
}

/** What an import takes. */
export interface Expected {
  /** The command, such as `import answers`. */
  readonly command: string
  /** Such as "JSON lines of answers". */
  readonly takes: string
  /** The argument that has the file. */
  readonly field: string
  /** Further files that it takes, beside those that `Look.command` gives to the command. */
  readonly also?: (look: Look) => boolean
}

/**
 * Refuses a file that is for another command, before anything is written. An empty file is a file without rows.
 * @throws {Fault} `invalid_argument` that says what the file looks like, and which command takes it
 */
export function requireLook(head: Uint8Array, { command, takes, field, also }: Expected): void {
  const look = lookOf(head)
  if (look === null || look.command === command || also?.(look)) return
  const other = look.command === null ? '' : ` \`sightline ${look.command}\` takes such a file.`
  const message = `The file looks like ${described(look)}. \`${command}\` takes ${takes}.${other}`
  const details = { formErrors: [], fieldErrors: { [field]: [message] } }
  throw new Fault('invalid_argument', message, { extras: { details } })
}
