import { z } from 'zod'
import { unhardened } from '../../core/csv-cell.ts'
import { invalid } from '../../core/errors.ts'
import {
  type ImportedPrompt,
  intentCategories,
  largest,
  promptText,
} from '../../core/prompt-input.ts'

const flawsTold = 3
const columnsTold = 10
const longestTopic = 200

/** Cells that other tools write where they know nothing. */
const nothing = new Set(['', '-', '–', '—', 'n/a', 'null'])

/** A cell that may say nothing. */
const cell = z
  .string()
  .transform((text) => (nothing.has(text.trim().toLowerCase()) ? undefined : text.trim()))

const quoted = (text: string) => JSON.stringify(text.slice(0, 60).toWellFormed())

function oneOf<Value>(words: Readonly<Record<string, Value>>, rule: string) {
  return cell.transform((text, context) => {
    if (text === undefined) return undefined
    const word = text.toLowerCase()
    if (Object.hasOwn(words, word)) return words[word]
    context.addIssue(`${quoted(text)} is not ${rule}`)
    return z.NEVER
  })
}

const yes = { true: true, yes: true, y: true, '1': true }
const no = { false: false, no: false, n: false, '0': false }

function wholeNumber(most: number, rule: string) {
  return cell.transform((text, context) => {
    if (text === undefined) return undefined
    // 1,200 and 1 200, as people and spreadsheets group digits; 34 %.
    const digits = text.replace(/(?<=\d)[,\s](?=\d{3}(?!\d))/gu, '').replace(/\s*%$/, '')
    const value = /^\d+(\.0+)?$/.test(digits) ? Number(digits) : Number.NaN
    if (value <= most) return value
    context.addIssue(`${quoted(text)} is not a whole number ${rule}`)
    return z.NEVER
  })
}

const topic = cell.transform((text, context) => {
  if (text !== undefined && (text.length > longestTopic || /\p{Cc}/u.test(text))) {
    context.addIssue(`is not one line of at most ${longestTopic} characters`)
  }
  return text?.toWellFormed()
})

const intents = Object.fromEntries(intentCategories.map((intent) => [intent, intent]))

/** What each column holds. A column that a file lacks says nothing. */
const columns = z.object({
  text: promptText,
  topic: topic.optional(),
  intent: oneOf(intents, `one of ${intentCategories.join(', ')}`).optional(),
  branded: oneOf(
    { ...yes, ...no, branded: true, unbranded: false, 'non-branded': false },
    'yes or no',
  ).optional(),
  volume: wholeNumber(largest, 'from 0').optional(),
  difficulty: wholeNumber(100, 'from 0 to 100').optional(),
  tracked: oneOf(
    { ...yes, ...no, tracked: true, active: true, untracked: false, archived: false },
    'yes or no',
  ).optional(),
})

type Column = keyof typeof columns.shape

/** What other tools call the columns, best first; case, white space and punctuation do not count. */
const names: Readonly<Record<Column, readonly string[]>> = {
  text: ['text', 'prompt', 'prompttext', 'query', 'question', 'keyword', 'searchterm'],
  topic: ['topic', 'topicname', 'category', 'group', 'cluster', 'tag'],
  intent: ['intent', 'intentcategory', 'searchintent', 'keywordintent'],
  branded: ['branded', 'isbranded'],
  volume: ['volume', 'searchvolume', 'keywordsearchvolume', 'avgmonthlysearches', 'msv', 'sv'],
  difficulty: ['difficulty', 'keyworddifficulty', 'seodifficulty', 'kd'],
  tracked: ['tracked', 'istracked', 'active'],
}

const known: ReadonlySet<string> = new Set(Object.values(names).flat())

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Whether a column's name says what it holds. */
export function isKnownColumn(name: string): boolean {
  return known.has(plain(name))
}

export interface ColumnPlan {
  /** How many cells a record must have. */
  readonly width: number
  /** Where each column stands. */
  readonly places: ReadonlyMap<Column, number>
  /** Those that say nothing of a prompt, or what another says already. */
  readonly ignored: readonly string[]
}

/**
 * Where a file's header puts what is to be known of a prompt.
 * @throws {Fault} `invalid_argument` where it names no texts
 */
export function planColumns(header: readonly string[]): ColumnPlan {
  const plainHeader = header.map(plain)
  const places = new Map<Column, number>()
  for (const column of Object.keys(names) as Column[]) {
    const found = names[column].map((name) => plainHeader.indexOf(name)).find((at) => at >= 0)
    if (found !== undefined) places.set(column, found)
  }
  if (!places.has('text')) {
    const found = header.slice(0, columnsTold).map(quoted).join(', ')
    throw invalid(
      'csv',
      `has no column "text", nor "prompt", "query" or "keyword"; it has ${found}`,
    )
  }
  const taken = new Set(places.values())
  return { width: header.length, places, ignored: header.filter((_, at) => !taken.has(at)) }
}

/** @returns what a record says of a prompt, or what is wrong with it, by column */
export function readPrompt(
  { cells, line }: { readonly cells: readonly string[]; readonly line: number },
  { width, places }: ColumnPlan,
): ImportedPrompt | { readonly line: number; readonly reason: string } {
  if (cells.length !== width) {
    return { line, reason: `has ${cells.length} cells where the header has ${width}` }
  }
  const given = [...places].map(([column, at]) => [column, unhardened(cells[at] ?? '')])
  const result = columns.safeParse(Object.fromEntries(given))
  if (!result.success) {
    const flaws = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    const more = flaws.length > flawsTold ? `; and ${flaws.length - flawsTold} more` : ''
    return { line, reason: flaws.slice(0, flawsTold).join('; ') + more }
  }
  const { text, topic, intent, branded, volume, difficulty, tracked } = result.data
  return {
    ...{ line, text, topic },
    intentCategory: intent,
    isBranded: branded,
    keywordSearchVolume: volume,
    keywordDifficulty: difficulty,
    isTracked: tracked,
  }
}
