import { parseLocation } from '../../../core/countries.ts'
import { unhardened } from '../../../core/csv-cell.ts'
import { plainName } from '../../files/csv-columns.ts'
import { isObject } from '../../files/flaw.ts'
import { type AnswerFields, answerShape } from '../shape.ts'

type Raw = Readonly<Record<string, unknown>>
type Field = keyof AnswerFields

/** The names of each field in files of other tools, the best first; case and punctuation do not count. */
export const fieldNames: Readonly<Record<Field, readonly string[]>> = {
  prompt: [
    'prompt',
    'prompttext',
    'searchprompt',
    'query',
    'question',
    'promptcontent',
    'input',
    'searchquery',
    'keyword',
  ],
  text: [
    'text',
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
    'content',
  ],
  platform: [
    'platform',
    'engine',
    'aiengine',
    'aiplatform',
    'assistant',
    'llm',
    'llmservice',
    'provider',
    'service',
    'searchengine',
    'modelchannel',
  ],
  model: ['model', 'modelname', 'modelid', 'llmmodel'],
  collectedAt: [
    'collectedat',
    'createdat',
    'timestamp',
    'date',
    'datetime',
    'time',
    'rundate',
    'executiondate',
    'executedat',
    'capturedat',
    'answeredat',
    'responsedate',
  ],
  run: ['run', 'runnumber', 'iteration', 'repeat'],
  topic: ['topic', 'topicname', 'category', 'tag', 'tags', 'group'],
  country: ['country', 'countrycode', 'region', 'market'],
  location: ['location', 'place', 'city'],
  citations: [
    'citations',
    'sources',
    'citedurls',
    'citedsources',
    'references',
    'links',
    'urls',
    'sourceurls',
    'citationurls',
  ],
  searchQueries: ['searchqueries', 'queries', 'fanout', 'fanoutqueries', 'websearchqueries'],
  products: ['products'],
  ads: ['ads'],
  sentiment: ['sentiment', 'brandsentiment', 'sentimentlabel'],
}

const fields = Object.keys(fieldNames) as Field[]

/** Where each field of a record is. */
function keysOf(raw: Raw): Map<Field, string> {
  const byPlain = new Map(Object.keys(raw).map((key) => [plainName(key), key]))
  return new Map(
    fields.flatMap((field) => {
      const name = fieldNames[field].find((each) => byPlain.has(each))
      const key = name === undefined ? undefined : byPlain.get(name)
      return key === undefined ? [] : [[field, key] as const]
    }),
  )
}

const emptyCells = new Set(['', '-', '–', '—', 'n/a', 'null', 'none'])
const isEmpty = (value: unknown) =>
  typeof value === 'string' && emptyCells.has(value.trim().toLowerCase())

/** The text of a value, or of the name or the id of an object. */
function nameIn(value: unknown): unknown {
  return isObject(value) ? (value.name ?? value.label ?? value.id) : value
}

/** A list, also one that a cell holds as JSON, or split by lines, bars, semicolons or spaces between URLs. */
function listIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text.startsWith('[')) {
    try {
      return JSON.parse(text)
    } catch {
      return value
    }
  }
  return text
    .split(/[\n|;]+|,\s*(?=https?:)|\s+(?=https?:)/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function citationIn(value: unknown): unknown {
  if (typeof value === 'string') return { url: value }
  if (!isObject(value)) return value
  const { url = value.link ?? value.href ?? value.source, title } = value
  const given = value.position ?? value.rank ?? value.citationPosition
  const position = typeof given === 'number' && Number.isInteger(given) ? given : undefined
  const isCited = typeof value.cited === 'boolean' ? { cited: value.cited } : {}
  return { url, title, ...(position === undefined ? {} : { position }), ...isCited }
}

function adIn(value: unknown): unknown {
  if (!isObject(value) || value.advertiser !== undefined) return value
  const [card] = Array.isArray(value.cards) ? value.cards : []
  const title = value.title ?? (isObject(card) ? card.title : undefined)
  return { advertiser: value.brandName ?? value.brand ?? value.name, url: value.url, title }
}

const monthNames = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/** A time as ISO 8601, from Unix time, `2026/05/10` or a date with the name of its month. */
function timeIn(value: unknown): unknown {
  const number = typeof value === 'string' && /^\d{10,13}$/.test(value) ? Number(value) : value
  if (typeof number === 'number') {
    const ms = number > 1e11 ? number : number * 1000
    return Number.isFinite(ms) && Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : value
  }
  if (typeof value !== 'string') return value
  const text = value.trim().replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')
  if (!monthNames.test(text)) return text.replace(/ UTC$/, 'Z')
  const hasZone = /(?:z|gmt|utc|[+-]\d\d:?\d\d)\)?$/i.test(text)
  const ms = Date.parse(hasZone ? text : `${text} UTC`)
  return Number.isNaN(ms) ? value : new Date(ms).toISOString()
}

/** The id of a platform in exports, such as `chatgpt-scraper` and `openai:chat:gpt-4o`. */
function platformIn(value: unknown): unknown {
  const name = nameIn(value)
  if (typeof name !== 'string') return name
  return (name.split(':').at(-1) ?? name).replace(/-(?:scraper|api)$/, '')
}

const readers: Partial<Record<Field, (value: unknown) => unknown>> = {
  prompt: (value) => (isObject(value) ? (value.text ?? value.raw ?? value.content) : value),
  platform: platformIn,
  model: platformIn,
  topic: (value) => nameIn(Array.isArray(value) ? value[0] : value),
  country: nameIn,
  collectedAt: timeIn,
  run: (value) => (typeof value === 'string' ? Number(value) : value),
  citations: (value) => {
    const list = listIn(value)
    return Array.isArray(list) ? list.map(citationIn) : list
  },
  searchQueries: listIn,
  products: listIn,
  ads: (value) => {
    const list = listIn(value)
    return Array.isArray(list) ? list.map(adIn) : list
  },
  sentiment: (value) => {
    if (typeof value !== 'string') return value
    const number = Number(value)
    return Number.isNaN(number) ? value.trim().toLowerCase() : number
  },
}

/** A record under the names of our own fields; its other keys stay. */
export function withOurNames(raw: Raw): Record<string, unknown> {
  const keys = keysOf(raw)
  const used = new Set(keys.values())
  const ours = [...keys].flatMap(([field, key]) => {
    const value = typeof raw[key] === 'string' ? unhardened(raw[key]) : raw[key]
    if (isEmpty(value)) return []
    return [[field, readers[field]?.(value) ?? value] as const]
  })
  const others = Object.entries(raw).filter(([key, value]) => !used.has(key) && !isEmpty(value))
  const named: Record<string, unknown> = Object.fromEntries([...others, ...ours])
  // A table of models says by the model which assistant answered.
  if (named.platform === undefined && typeof named.model === 'string') named.platform = named.model
  return named
}

const required = new Set<PropertyKey>(['prompt', 'platform', 'collectedAt', 'text'])

/**
 * Leaves out optional fields that cannot be read, so that the answer stays.
 * @returns the rest, and the fields that were left out
 */
export function withoutFaults(named: Record<string, unknown>): {
  rest: Record<string, unknown>
  leftOut: string[]
} {
  const { error } = answerShape.safeParse(named)
  const faulty = new Set(error?.issues.map(({ path: [field = ''] }) => String(field)))
  const leftOut = [...faulty].filter((field) => field !== '' && !required.has(field))
  const rest = Object.fromEntries(Object.entries(named).filter(([key]) => !leftOut.includes(key)))
  const { location } = rest
  if (location !== undefined && !isPlace(location, rest.country)) {
    leftOut.push('location')
    delete rest.location
  }
  return { rest, leftOut }
}

function isPlace(location: unknown, country: unknown): boolean {
  const { data } = answerShape
    .pick({ location: true, country: true })
    .safeParse({ location, country })
  return data?.location ? parseLocation(data.location, data.country) !== null : false
}
