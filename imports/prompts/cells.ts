import { z } from 'zod'
import { unhardened } from '../../core/csv-cell.ts'
import { invalid } from '../../core/errors.ts'
import {
  type ImportedPrompt,
  intentCategories,
  largest,
  promptText,
} from '../../core/prompt-input.ts'
import { type ColumnNames, findColumns, plainName } from '../files/csv-columns.ts'
import { checkShape, Flaw } from '../files/flaw.ts'

const maxColumnsListed = 10
const longestTopic = 200

/** The texts of empty cells in exports of other tools. */
const emptyCells = new Set(['', '-', '–', '—', 'n/a', 'null'])

/** A cell that may be empty. */
const cell = z
  .string()
  .transform((text) => (emptyCells.has(text.trim().toLowerCase()) ? undefined : text.trim()))

function oneOf<Value>(words: Readonly<Record<string, Value>>, rule: string) {
  return cell.transform((text, context) => {
    if (text === undefined) return undefined
    const word = text.toLowerCase()
    if (Object.hasOwn(words, word)) return words[word]
    context.addIssue(`must be ${rule}`)
    return z.NEVER
  })
}

const yes = { true: true, yes: true, y: true, '1': true }
const no = { false: false, no: false, n: false, '0': false }

function wholeNumber(most: number, rule: string) {
  return cell.transform((text, context) => {
    if (text === undefined) return undefined
    // Digits may be grouped, as in 1,200 and 1 200, and end with a percent sign.
    const digits = text.replace(/(?<=\d)[,\s](?=\d{3}(?!\d))/gu, '').replace(/\s*%$/, '')
    const value = /^\d+(\.0+)?$/.test(digits) ? Number(digits) : Number.NaN
    if (value <= most) return value
    context.addIssue(`must be a whole number ${rule}`)
    return z.NEVER
  })
}

const topic = cell.transform((text, context) => {
  if (text !== undefined && (text.length > longestTopic || /\p{Cc}/u.test(text))) {
    context.addIssue(`must have one line of at most ${longestTopic} characters`)
  }
  return text?.toWellFormed()
})

const intents = Object.fromEntries(intentCategories.map((intent) => [intent, intent]))

/** The rule of each column. Only `text` is required. */
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

/** The names of each column in exports of other tools, the best first. */
const names: ColumnNames<Column> = {
  text: ['text', 'prompt', 'prompttext', 'query', 'question', 'keyword', 'searchterm'],
  topic: ['topic', 'topicname', 'category', 'group', 'cluster', 'tag'],
  intent: ['intent', 'intentcategory', 'searchintent', 'keywordintent'],
  branded: ['branded', 'isbranded'],
  volume: ['volume', 'searchvolume', 'keywordsearchvolume', 'avgmonthlysearches', 'msv', 'sv'],
  difficulty: ['difficulty', 'keyworddifficulty', 'seodifficulty', 'kd'],
  tracked: ['tracked', 'istracked', 'active'],
}

const known: ReadonlySet<string> = new Set(Object.values<readonly string[]>(names).flat())

export function isKnownColumn(name: string): boolean {
  return known.has(plainName(name))
}

export interface ColumnPlan {
  /** Number of cells that a record must have. */
  readonly width: number
  /** The position of each column. */
  readonly positions: ReadonlyMap<Column, number>
  /** Unknown columns, and columns whose value another column gives. */
  readonly ignored: readonly string[]
}

/**
 * Finds the columns of a header.
 * @throws {Fault} `invalid_argument` when no column holds texts
 */
export function planColumns(header: readonly string[]): ColumnPlan {
  const positions = findColumns(header, names)
  if (!positions.has('text')) {
    const found = header
      .slice(0, maxColumnsListed)
      .map((name) => JSON.stringify(name))
      .join(', ')
    throw invalid(
      'csv',
      `has no column "text", nor "prompt", "query" or "keyword"; it has ${found}`,
    )
  }
  const used = new Set(positions.values())
  return { width: header.length, positions, ignored: header.filter((_, at) => !used.has(at)) }
}

/** @throws {Flaw} that lists the faults by column */
export function readPrompt(
  { cells, line }: { readonly cells: readonly string[]; readonly line: number },
  { width, positions }: ColumnPlan,
): ImportedPrompt {
  if (cells.length !== width) {
    throw new Flaw(`The line must have ${width} cells, as the header has; it has ${cells.length}.`)
  }
  const given = [...positions].map(([column, at]) => [column, unhardened(cells[at] ?? '')])
  const prompt = checkShape(columns, Object.fromEntries(given))
  return {
    ...{ line, text: prompt.text, topic: prompt.topic },
    intentCategory: prompt.intent,
    isBranded: prompt.branded,
    keywordSearchVolume: prompt.volume,
    keywordDifficulty: prompt.difficulty,
    isTracked: prompt.tracked,
  }
}
