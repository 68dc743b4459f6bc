import { z } from 'zod'
import { parseLocation } from '../../core/countries.ts'
import { unhardened } from '../../core/csv-cell.ts'
import { invalid } from '../../core/errors.ts'
import { readable } from '../../core/names.ts'
import {
  type ImportedPrompt,
  intentCategories,
  keywordDifficulty,
  promptText,
  searchVolume,
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

const suffixes: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }

/** The number of `12100`, `12,100`, `12.1K`, `< 10` or `1K+`; NaN for another text. */
function amount(text: string): number {
  const plain = text.replace(/[\s~≈<>≤≥+]|(?<=\d),(?=\d{3}(?!\d))/gu, '').toLowerCase()
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)([kmb]?)$/.exec(plain) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (suffixes[suffix] ?? 1)
}

/** Tools that give no number say about how many: each word is ten times the one before. */
const volumeWords: Readonly<Record<string, number>> = {
  none: 0,
  zero: 0,
  'very low': 10,
  low: 100,
  medium: 1000,
  moderate: 1000,
  high: 10_000,
  'very high': 100_000,
}

/** A cell with a number, by the rule of writes. Words of the cell become the number first. */
function estimated(numberOf: (text: string) => number, rule: z.ZodType<number, number>) {
  return cell.transform((text, context) => {
    if (text === undefined) return undefined
    const { data, error } = rule.safeParse(numberOf(text))
    if (data !== undefined) return data
    for (const { message } of error?.issues ?? []) context.addIssue(message)
    return z.NEVER
  })
}

/** A number of searches, the middle of a range such as `1K – 10K`, or that of a word. */
const volume = estimated((text) => {
  const word = text.toLowerCase().replace(/[\s_-]+/g, ' ')
  if (Object.hasOwn(volumeWords, word)) return volumeWords[word] ?? Number.NaN
  const ends = text.split(/\s*(?:–|—|\bto\b|(?<=[\dkmb])\s*-)\s*/i).map(amount)
  return ends.length > 2 ? Number.NaN : ends.reduce((sum, end) => sum + end, 0) / ends.length
}, searchVolume)

/** Digits may be grouped, as in 1,200 and 1 200, and end with a percent sign. */
const difficulty = estimated((text) => {
  const digits = text.replace(/(?<=\d)[,\s](?=\d{3}(?!\d))/gu, '').replace(/\s*%$/, '')
  return /^\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : Number.NaN
}, keywordDifficulty)

const topic = cell.transform((text, context) => {
  if (text !== undefined && (text.length > longestTopic || /\p{Cc}/u.test(text))) {
    context.addIssue(`must have one line of at most ${longestTopic} characters`)
  } else if (text !== undefined) readable(text, context)
  return text?.toWellFormed()
})

/** Tags of a cell, each a topic: separated by commas, semicolons or bars. */
const tags = cell.transform((text, context) => {
  const found = text?.split(/[,;|]/).map((tag) => tag.trim().toWellFormed()) ?? []
  if (found.some((tag) => tag.length > longestTopic || /\p{Cc}/u.test(tag))) {
    context.addIssue(`must have tags of at most ${longestTopic} characters`)
  }
  for (const tag of found) readable(tag, context)
  return [...new Set(found.filter((tag) => tag !== ''))]
})

const country = cell.transform((text, context) => {
  if (text === undefined) return undefined
  const place = parseLocation(text)
  if (place !== null) return place
  context.addIssue('must be an ISO 3166-1 code, the name of a country, or a place in one')
  return z.NEVER
})

const intents = Object.fromEntries(intentCategories.map((intent) => [intent, intent]))

/** The rule of each column. Only `text` is required. */
const columns = z.object({
  text: promptText,
  topic: topic.optional(),
  tags: tags.optional(),
  country: country.optional(),
  intent: oneOf(intents, `one of ${intentCategories.join(', ')}`).optional(),
  branded: oneOf(
    { ...yes, ...no, branded: true, unbranded: false, 'non-branded': false },
    'yes or no',
  ).optional(),
  volume: volume.optional(),
  difficulty: difficulty.optional(),
  tracked: oneOf(
    {
      ...yes,
      ...no,
      tracked: true,
      active: true,
      enabled: true,
      on: true,
      running: true,
      untracked: false,
      archived: false,
      inactive: false,
      paused: false,
      disabled: false,
      off: false,
      stopped: false,
    },
    'yes or no',
  ).optional(),
})

export type Column = keyof typeof columns.shape

/** The columns that an import reads, in the order of their rules. */
export const promptColumns = Object.keys(columns.shape) as readonly Column[]

/** The names of each column in exports of other tools, the best first. */
const names: ColumnNames<Column> = {
  text: [
    'text',
    'prompt',
    'prompttext',
    'query',
    'question',
    'keyword',
    'searchterm',
    'searchprompt',
    'topqueries',
  ],
  topic: ['topic', 'topicname', 'category', 'group', 'cluster', 'tag'],
  tags: ['tags'],
  country: ['country', 'countrycode', 'location', 'place', 'market'],
  intent: ['intent', 'intentcategory', 'searchintent', 'keywordintent'],
  branded: ['branded', 'isbranded'],
  volume: ['volume', 'searchvolume', 'keywordsearchvolume', 'avgmonthlysearches', 'msv', 'sv'],
  difficulty: ['difficulty', 'keyworddifficulty', 'seodifficulty', 'kd'],
  tracked: ['tracked', 'istracked', 'active', 'status'],
}

const known: ReadonlySet<string> = new Set(Object.values<readonly string[]>(names).flat())

export function isKnownColumn(name: string): boolean {
  return known.has(plainName(name))
}

/** The position of each column by the names of a header. */
export const columnsOf = (header: readonly string[]): ReadonlyMap<Column, number> =>
  findColumns(header, names)

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
 * @param chosen positions of columns, in place of those by their names
 * @throws {Fault} `invalid_argument` when no column holds texts
 */
export function planColumns(
  header: readonly string[],
  chosen?: ReadonlyMap<Column, number>,
): ColumnPlan {
  const outside = [...(chosen?.values() ?? [])].find((at) => at < 0 || at >= header.length)
  if (outside !== undefined) {
    throw invalid('columns', `must be positions from 0 to ${header.length - 1}`, outside)
  }
  const positions = chosen ?? columnsOf(header)
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

/**
 * Reads a line.
 * @throws {Flaw} that lists the cells that cannot be read
 */
export function readPrompt(
  { cells, line }: { readonly cells: readonly string[]; readonly line: number },
  { width, positions }: ColumnPlan,
): ImportedPrompt {
  if (cells.length !== width) {
    throw new Flaw(`The line must have ${width} cells, as the header has; it has ${cells.length}.`)
  }
  const given = [...positions].map(([column, at]) => [column, unhardened(cells[at] ?? '')] as const)
  const prompt = checkShape(columns, Object.fromEntries(given))
  const topics = [...(prompt.topic === undefined ? [] : [prompt.topic]), ...(prompt.tags ?? [])]
  return {
    line,
    text: prompt.text,
    topics,
    location: prompt.country,
    intentCategory: prompt.intent,
    isBranded: prompt.branded,
    keywordSearchVolume: prompt.volume,
    keywordDifficulty: prompt.difficulty,
    isTracked: prompt.tracked,
  }
}
