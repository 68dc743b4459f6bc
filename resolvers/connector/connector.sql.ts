import { mostCited, pageOf } from '../../warehouse/cited-pages.sql.ts'
import { countedCrawls } from '../shared/facts.sql.ts'
import type { Column, ConnectorField } from './column.sql.ts'
import type { Dataset } from './columns.sql.ts'

/**
 * One statement per page. Columns come from the table of fields, never from a client; every value is bound.
 * Each page includes the first row of the list, so an empty page knows the total. `place` numbers the rows, and
 * `start` is the number of rows before the page.
 */

const visibilityRows = (facts: string) => `(
    SELECT day, platform, prompt_id, 1 AS answered, 0 AS naming, 0 AS times
      FROM answers WHERE ${facts}
     UNION ALL
    SELECT day, platform, prompt_id, 0, 1, occurrences
      FROM mentions WHERE ${facts} AND analysis = {analysis:UInt32} AND is_own = 1)`

/** Citations, each with the address at which most answers cite its page. Few pages have several addresses. */
const shownCitations = (facts: string) => `(
    WITH (
      SELECT mapFromArrays(groupArray(page), groupArray(shown))
        FROM (SELECT ${pageOf('address')} AS page, ${mostCited('address', 'times')} AS shown
                FROM (SELECT url AS address, count() AS times FROM citations WHERE ${facts} GROUP BY address)
               GROUP BY page HAVING count() > 1)) AS addresses
    SELECT * EXCEPT (url), if(mapContains(addresses, ${pageOf('citations.url')}), addresses[${pageOf('citations.url')}], citations.url) AS url
      FROM citations WHERE ${facts})`

const crawls = `crawler_hits
   WHERE project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date}
     AND ${countedCrawls}`

const prompts = `"Prompt" p
    LEFT JOIN LATERAL (
      SELECT t.name FROM "PromptTopic" l JOIN "Topic" t ON t.id = l."topicId"
       WHERE l."promptId" = p.id ORDER BY l.position, t.id LIMIT 1) AS topic ON true
   WHERE p."projectId" = $1::uuid`

const workItems = (table: 'Issue' | 'Opportunity') => `"${table}" w WHERE w."projectId" = $1::uuid`

const rowsOf = {
  visibility: visibilityRows,
  sources: (facts: string, columns: readonly Column[]) =>
    columns.some(({ id }) => id === 'url') ? shownCitations(facts) : `citations WHERE ${facts}`,
  traffic: () => crawls,
  prompts: () => prompts,
  issues: () => workItems('Issue'),
  opportunities: () => workItems('Opportunity'),
} as const satisfies Record<Dataset, (facts: string, columns: readonly Column[]) => string>

const selected = (column: Column) =>
  Object.entries(column.sql).map(([name, expression]) => `${expression} AS "${name}"`)

/** How a store binds a page. */
interface Bounds {
  /** The number of rows before the page. */
  readonly start: string
  readonly limit: string
}

/** Counts the rows of the whole list that do not follow a row. They come first in its order. */
const startAfter = (follows: string) => `sum(CASE WHEN ${follows} THEN 0 ELSE 1 END) OVER ()`

const dimensionsOf = (columns: readonly Column[]) =>
  columns.filter(({ role }) => role === 'dimension')

/** Whether a row follows the bound row, in the order of the catalog: null is the last value of a column. */
function followsInCatalog(dimensions: readonly Column[], param: string): string {
  const clauses = dimensions.map(({ id, type }, i) => {
    const valueAt = (at: number, of: ConnectorField['type']) =>
      `(${param}::jsonb->>${at})::${catalogTypes[of]}`
    const same = dimensions
      .slice(0, i)
      .map((before, j) => `"${before.id}" IS NOT DISTINCT FROM ${valueAt(j, before.type)} AND `)
    const value = valueAt(i, type)
    return `(${same.join('')}("${id}" > ${value} OR ("${id}" IS NULL AND ${value} IS NOT NULL)))`
  })
  return clauses.join(' OR ')
}

const catalogTypes = {
  string: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  date: 'text',
} as const satisfies Record<ConnectorField['type'], string>

/** Groups by the dimensions among the columns; without dimensions all rows are one group. Valid in both stores. */
function page(columns: readonly Column[], rows: string, { start, limit }: Bounds): string {
  const dimensions = dimensionsOf(columns)
  const metrics = columns.filter(({ role }) => role === 'metric')
  const by = dimensions.map((_, i) => i + 1).join(', ')
  const order = dimensions.map(({ id }) => `"${id}"`).join(', ')
  return `
SELECT * FROM (
  SELECT *, count(*) OVER () AS total, row_number() OVER (${order && `ORDER BY ${order}`}) AS place,
         ${start} AS start
    FROM (
    SELECT ${[...dimensions, ...metrics].flatMap(selected).join(', ')}
      FROM ${rows}
     ${by && `GROUP BY ${by}`}) AS grouped) AS placed
 WHERE place = 1 OR (place > start AND place <= start + ${limit})
 ORDER BY place`
}

/** How a page begins: at a number of rows, or after a row, which has dimensions. */
export type Begin = 'offset' | 'after'

/**
 * A page of a dataset of the warehouse. `facts` is the WHERE clause of `factsWhere`. The dimensions of the warehouse
 * are texts: `after` has those of the row before.
 */
export function warehousePage(
  dataset: Dataset,
  columns: readonly Column[],
  { facts, begin }: { readonly facts: string; readonly begin: Begin },
): string {
  const names = dimensionsOf(columns).map(({ id }) => `"${id}"`)
  const follows = `[${names.join(', ')}] > {after:Array(String)}`
  const start = begin === 'after' ? startAfter(follows) : '{offset:UInt64}'
  return page(columns, rowsOf[dataset](facts, columns), { start, limit: '{limit:UInt64}' })
}

/** The datasets of the catalog; the others are of the warehouse. */
export const catalogDatasets = ['prompts', 'issues', 'opportunities'] as const
type CatalogDataset = (typeof catalogDatasets)[number]

/**
 * A page of a dataset of the catalog. The parameters are project, limit, and the offset or the dimensions of the row
 * before, as a JSON array.
 */
export function catalogPage(
  dataset: CatalogDataset,
  columns: readonly Column[],
  begin: Begin,
): string {
  const follows = followsInCatalog(dimensionsOf(columns), '$3')
  const start = begin === 'after' ? startAfter(follows) : '$3::bigint'
  return page(columns, rowsOf[dataset](), { start, limit: '$2::bigint' })
}
