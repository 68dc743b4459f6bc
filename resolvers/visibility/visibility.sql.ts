import { bucketDay } from '../shared/buckets.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'

/**
 * Counts of answers, of mentions of the own brand and of citations, by keys, for any number of projects or of slices
 * of projects. Several rows may have one key: the reader adds them up.
 */

const columns = {
  // Keys with more columns come first: `multiIf` takes the first match.
  promptPlatform: ['prompt_id', 'platform'],
  day: [bucketDay.day],
  week: [bucketDay.week],
  month: [bucketDay.month],
  platform: ['platform'],
  prompt: ['prompt_id'],
  location: ['location_id'],
} as const

type Column = keyof typeof columns

/** The keys that counts are grouped by; `window` is the total. A key of two columns reads `value value`. */
export type CountKey = Column | 'window'

/** Columns whose text is a plain one. That of `platform` would be a reference to a dictionary. */
const plain = new Set<Column>(['day', 'week', 'month', 'prompt', 'location'])

const textOf = (key: Column) => {
  const texts = columns[key].map((column) => `toString(${column})`).join(", ' ', ")
  return plain.has(key) ? texts : `concat(${texts}, '')`
}

/** Several keys in one statement: planning another statement costs more than another key. */
function groupedBy(keys: readonly CountKey[], { owner, ownerColumns, selectOwner }: ManyFacts) {
  const named = (Object.keys(columns) as Column[]).filter((key) => keys.includes(key))
  const sets = keys.map((key) => [owner, ...(key === 'window' ? [] : columns[key])].join(', '))
  const [only] = named
  if (keys.length === 1) {
    const [by, key] = only ? [only, textOf(only)] : ['window', "''"]
    return { head: `${selectOwner}, '${by}' AS by, ${key} AS key`, tail: `GROUP BY ${sets[0]}` }
  }
  const isGrouped = (key: Column) =>
    columns[key].map((column) => `grouping(${column}) = 0`).join(' AND ')
  const chosen = (valueFor: (key: Column) => string, otherwise: string) =>
    only
      ? `multiIf(${named.map((key) => `${isGrouped(key)}, ${valueFor(key)}`).join(', ')}, ${otherwise})`
      : otherwise
  const columnsOfAll = named.flatMap((key) => columns[key])
  // A roll-up merges the groups of the column into the total. Grouping sets would take each row once more for it.
  const isRollUp = ownerColumns.length === 0 && keys.includes('window') && columnsOfAll.length === 1
  return {
    head: `${selectOwner}, ${chosen((key) => `'${key}'`, "'window'")} AS by,
       ${chosen(textOf, "''")} AS key`,
    tail: isRollUp
      ? `GROUP BY ${columnsOfAll[0]} WITH ROLLUP`
      : `GROUP BY GROUPING SETS (${sets.map((set) => `(${set})`).join(', ')})`,
  }
}

/** The columns that a key is made of. */
const madeOf = (key: Column) => (key === 'week' || key === 'month' ? columns.day : columns[key])

/** All columns of the keys. The engine has sums by them, unless they have a prompt, and the keys add these sums up. */
function finest(keys: readonly CountKey[], { owner }: ManyFacts): string {
  const used = new Set<string>(keys.flatMap((key) => (key === 'window' ? [] : madeOf(key))))
  return [owner, ...used].join(', ')
}

/** Answers, and those that name the own brand, with occurrences of its name and the sum of its ranks. */
export function presence(keys: readonly CountKey[], facts: ManyFacts): string {
  const { head, tail } = groupedBy(keys, facts)
  const counted = (columns: string, groups: string) => `
SELECT ${columns}, count() AS responses, 0 AS named, 0 AS mentions, 0 AS ranks FROM ${facts.from('answers')} ${groups}
 UNION ALL
SELECT ${columns}, 0, count(), sum(m.occurrences), sum(m.rank)
  FROM ${facts.from('mentions', 'm')} AND ${facts.analysed} AND is_own = 1 ${groups}`
  if (keys.length === 1) return counted(head, tail)
  const cells = finest(keys, facts)
  return `
SELECT ${head}, sum(cells.responses) AS responses, sum(cells.named) AS named,
       sum(cells.mentions) AS mentions, sum(cells.ranks) AS ranks
  FROM (${counted(cells, `GROUP BY ${cells}`)}) AS cells ${tail}`
}

/** Citations of own domains. Of several projects, the test on the set of domains comes first: few reach the one on pairs. */
const ownCitations = ({ ownerColumns }: ManyFacts) =>
  ownerColumns.includes('project_id')
    ? `countIf(domain IN {ownDomains:Array(String)} AND
               has(arrayZip({ownProjects:Array(UUID)}, {ownDomains:Array(String)}),
                   (project_id, toString(domain))))`
    : 'countIf(domain IN {ownDomains:Array(String)})'

/** Citations, distinct cited domains, and citations of own domains. 64-bit hashes distinguish domains. */
export function citations(keys: readonly CountKey[], facts: ManyFacts): string {
  const { head, tail } = groupedBy(keys, facts)
  return `
SELECT ${head}, count() AS citations, uniqExactIf(cityHash64(domain), domain != '') AS sources,
       ${ownCitations(facts)} AS ownCitations
  FROM ${facts.from('citations')} ${tail}`
}

/** Answers that name a brand, and occurrences of its name, by brand. */
export function brands(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, 'window' AS by, toString(brand_id) AS key,
       count() AS named, sum(m.occurrences) AS mentions
  FROM ${facts.from('mentions', 'm')} AND ${facts.analysed} GROUP BY ${facts.owner}, brand_id`
}

/**
 * A page of prompts by score, with the first row of the list: an empty page knows the total. `facts` is the WHERE
 * clause of `factsWhere`. Ids are compared as texts: the engine orders UUIDs differently.
 */
export function promptPage(facts: string): string {
  return `
SELECT * FROM (
  SELECT *, count() OVER () AS total, sum(responses) OVER () AS allResponses,
         sum(named) OVER () AS allNamed,
         row_number() OVER (ORDER BY named / responses DESC, promptId) AS place
    FROM (
      SELECT toString(prompt_id) AS promptId, sum(answered) AS responses, sum(naming) AS named, sum(places) AS ranks
        FROM (
          SELECT prompt_id, count() AS answered, 0 AS naming, 0 AS places
            FROM answers WHERE ${facts} GROUP BY prompt_id
           UNION ALL
          SELECT prompt_id, 0, count(), sum(rank)
            FROM mentions WHERE ${facts} AND analysis = {analysis:UInt32} AND is_own = 1 GROUP BY prompt_id)
       GROUP BY prompt_id))
 WHERE place = 1 OR (place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64})
 ORDER BY place`
}
