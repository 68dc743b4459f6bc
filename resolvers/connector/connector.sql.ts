import { countedCrawls } from '../shared/facts.sql.ts'
import type { Column } from './column.sql.ts'
import type { Dataset } from './columns.sql.ts'

/**
 * One statement per page. Columns come from the table of fields, never from a client; every value is bound.
 * Each page includes the first row of the list, so an empty page knows the total. `place` numbers the rows.
 */

const visibilityRows = (facts: string) => `(
    SELECT day, platform, prompt_id, 1 AS answered, 0 AS naming, 0 AS times
      FROM answers WHERE ${facts}
     UNION ALL
    SELECT day, platform, prompt_id, 0, 1, occurrences
      FROM mentions WHERE ${facts} AND analysis = {analysis:UInt32} AND is_own = 1)`

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
  sources: (facts: string) => `citations WHERE ${facts}`,
  traffic: () => crawls,
  prompts: () => prompts,
  issues: () => workItems('Issue'),
  opportunities: () => workItems('Opportunity'),
} as const satisfies Record<Dataset, (facts: string) => string>

const selected = (column: Column) =>
  Object.entries(column.sql).map(([name, expression]) => `${expression} AS "${name}"`)

/** How a store binds the offset and limit of a page. */
interface Bounds {
  readonly offset: string
  readonly limit: string
}

/** Groups by the dimensions among the columns; without dimensions all rows are one group. Valid in both stores. */
function page(columns: readonly Column[], rows: string, { offset, limit }: Bounds): string {
  const dimensions = columns.filter(({ role }) => role === 'dimension')
  const metrics = columns.filter(({ role }) => role === 'metric')
  const by = dimensions.map((_, i) => i + 1).join(', ')
  const order = dimensions.map(({ id }) => `"${id}"`).join(', ')
  return `
SELECT * FROM (
  SELECT *, count(*) OVER () AS total, row_number() OVER (${order && `ORDER BY ${order}`}) AS place
    FROM (
    SELECT ${[...dimensions, ...metrics].flatMap(selected).join(', ')}
      FROM ${rows}
     ${by && `GROUP BY ${by}`}) AS grouped) AS placed
 WHERE place = 1 OR (place > ${offset} AND place <= ${offset} + ${limit})
 ORDER BY place`
}

/** A page of a dataset of the warehouse. `facts` is the WHERE clause of `factsWhere`. */
export function warehousePage(dataset: Dataset, columns: readonly Column[], facts: string): string {
  const bounds = { offset: '{offset:UInt64}', limit: '{limit:UInt64}' }
  return page(columns, rowsOf[dataset](facts), bounds)
}

/** The datasets of the catalog; the others are of the warehouse. */
export const catalogDatasets = ['prompts', 'issues', 'opportunities'] as const
type CatalogDataset = (typeof catalogDatasets)[number]

/** A page of a dataset of the catalog; the parameters are project, offset and limit. */
export function catalogPage(dataset: CatalogDataset, columns: readonly Column[]): string {
  return page(columns, rowsOf[dataset](), { offset: '$2::bigint', limit: '$3::bigint' })
}
