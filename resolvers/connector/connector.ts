import { invalid } from '../../core/errors.ts'
import { rounded } from '../../core/metrics.ts'
import {
  fingerprint,
  type PageArgs,
  type Pagination,
  pagination,
  type SortKey,
} from '../../core/pagination.ts'
import { quoted } from '../../core/rule-text.ts'
import {
  type DateRange,
  explicitWindow,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import type { Filters } from '../shared/filters.ts'
import { pageSnapshot } from '../shared/lists/snapshot.ts'
import { requireFeature } from '../shared/plan.ts'
import type { ProjectScope } from '../shared/scope.ts'
import type { Column, ConnectorField } from './column.sql.ts'
import { columns, type Dataset } from './columns.sql.ts'
import { type Begin, catalogDatasets, catalogPage, warehousePage } from './connector.sql.ts'

export interface ConnectorDataArgs extends PageArgs, WindowArgs {
  readonly dataset: Dataset
  /** Defaults to all fields. */
  readonly fields?: readonly string[] | null | undefined
  readonly startDate?: string | null | undefined
  readonly endDate?: string | null | undefined
}

/** A value of a row, of the type of its field. */
export type Cell = string | number | boolean | null

export interface ConnectorRow {
  /** One value per field, in the order of the fields. */
  readonly values: readonly Cell[]
  /** The dimensions of the row as they are stored, as a JSON array. They are unique in the table. */
  readonly key: SortKey
}

export interface ConnectorData {
  /** The fields of the rows, in the requested order. */
  readonly schema: readonly ConnectorField[]
  readonly rows: readonly ConnectorRow[]
  readonly pagination: Pagination
}

interface Row {
  /** Counts of PostgreSQL are bigints. */
  readonly total: number | bigint
  readonly place: number | bigint
  /** The number of rows before the page. */
  readonly start: number | bigint
  readonly [column: string]: Cell | bigint
}

/** The arguments after validation. */
interface Selection extends DateRange, PageArgs {
  readonly dataset: Dataset
  readonly asked: readonly Column[]
}

const everything: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
}

/** The columns of the fields, in order. */
function columnsOf({ dataset, fields }: ConnectorDataArgs): readonly Column[] {
  if (fields == null) return columns[dataset]
  const known = new Map(columns[dataset].map((column) => [column.id, column]))
  const accepted = [...known.keys()].join(', ')
  return fields.map((id, i) => {
    const column = known.get(id)
    if (!column) {
      throw invalid('fields', `must name fields of ${dataset}: ${accepted}`, id)
    }
    if (fields.indexOf(id) < i) throw invalid('fields', `names ${quoted(id)} twice`)
    return column
  })
}

function windowOf({ startDate, endDate, ...args }: ConnectorDataArgs, now: Date): DateRange {
  if (startDate == null && endDate == null) return resolveWindow(args, yearWindow, now)
  if (startDate == null) throw invalid('startDate', 'is required together with `endDate`')
  if (endDate == null) throw invalid('endDate', 'is required together with `startDate`')
  return explicitWindow(startDate, endDate, yearWindow, now, ['startDate', 'endDate'])
}

const isDimension = ({ role }: Column) => role === 'dimension'

const beginOf = ({ afterKey }: Selection): Begin => (afterKey ? 'after' : 'offset')

/** The dimensions of a row as its key. A value may be null, or a flag. */
const keyOf = (asked: readonly Column[], row: Row): SortKey => [
  JSON.stringify(asked.filter(isDimension).map(({ id }) => row[id])),
]

function dimensionsIn([key = '[]']: SortKey = []): unknown[] {
  return JSON.parse(String(key)) as unknown[]
}

async function readWarehouse(scope: ProjectScope, selection: Selection): Promise<Row[]> {
  const { dataset, asked, from, to, limit, offset, afterKey } = selection
  const walk = fingerprint('connector', { dataset, fields: asked.map(({ id }) => id), from, to })
  const snapshot = pageSnapshot(scope, walk, offset)
  const begin = beginOf(selection)
  const facts = factParams(scope.project.id, { from, to }, everything, snapshot)
  return run<Row>(scope.warehouse, {
    id: `connector.${dataset}`,
    // Crawls belong to no import: the tracker adds rows at any time.
    ...(dataset === 'traffic' ? {} : { frozen: true }),
    sql: warehousePage(dataset, asked, { facts: factsWhere(everything, snapshot), begin }),
    params: {
      ...facts,
      analysis: scope.project.analysis,
      limit,
      ...(begin === 'after' ? { after: dimensionsIn(afterKey).map(String) } : { offset }),
    },
  })
}

function readCatalog(
  { db, project }: ProjectScope,
  dataset: (typeof catalogDatasets)[number],
  selection: Selection,
): Promise<Row[]> {
  const { asked, offset, limit, afterKey } = selection
  const begin = beginOf(selection)
  const place = begin === 'after' ? JSON.stringify(dimensionsIn(afterKey)) : offset
  return db.$queryRawUnsafe<Row[]>(catalogPage(dataset, asked, begin), project.id, limit, place)
}

/** Replaces prompt ids with the wordings of the prompts. */
async function withWordings(
  { db, project }: ProjectScope,
  { asked, dataset }: Selection,
  rows: Row[],
) {
  if (dataset !== 'visibility' || !asked.some(({ id }) => id === 'prompt')) return rows
  const ids = [...new Set(rows.map(({ prompt }) => String(prompt)))]
  const found = await db.prompt.findMany({
    where: { projectId: project.id, id: { in: ids } },
    select: { id: true, text: true },
  })
  const texts = new Map(found.map(({ id, text }) => [id, text]))
  return rows.map((row): Row => ({ ...row, prompt: texts.get(String(row.prompt)) ?? null }))
}

function cellOf({ id, ratio }: Column, row: Row): Cell {
  if (ratio) return rounded(ratio(Number(row[`${id}Part`]), Number(row[`${id}Whole`])))
  const value = row[id]
  // The warehouse stores an absent text as ''.
  return value === undefined || value === '' ? null : (value as Cell)
}

const shown = ({ id, label, type, role }: Column): ConnectorField => ({ id, label, type, role })

/**
 * The fields of a dataset.
 * @throws {Fault} `plan_upgrade_required`
 */
export function connectorSchema(scope: ProjectScope, { dataset }: { readonly dataset: Dataset }) {
  requireFeature(scope.project.plan, 'connector')
  return { fields: columns[dataset].map(shown) }
}

/**
 * A page of a dataset. Dimensions group and order the rows; metrics are counted per group. Without dimensions
 * there is one row.
 * @throws {Fault} `invalid_argument` (an unknown or repeated field, the window), then `plan_upgrade_required`;
 *   `query_timeout`
 */
export async function connectorData(
  scope: ProjectScope,
  args: ConnectorDataArgs,
): Promise<ConnectorData> {
  const { dataset, limit, offset, afterKey } = args
  const asked = columnsOf(args)
  const selection: Selection = {
    dataset,
    asked,
    limit,
    // Without dimensions the table has one row, and the page after that row is empty.
    ...(afterKey && !asked.some(isDimension) ? { offset: 1 } : { offset, afterKey }),
    ...windowOf(args, scope.now),
  }
  requireFeature(scope.project.plan, 'connector')
  const ofCatalog = catalogDatasets.find((name) => name === dataset)
  const found = await (ofCatalog
    ? readCatalog(scope, ofCatalog, selection)
    : readWarehouse(scope, selection))
  const total = Number(found[0]?.total ?? 0)
  // The first row of the list knows the total of an empty page.
  const onPage = found.filter(({ place, start }) => place > start)
  const keys = onPage.map((row) => keyOf(asked, row))
  const worded = await withWordings(scope, selection, onPage)
  const rows = worded.map((row, i) => ({
    values: asked.map((column) => cellOf(column, row)),
    key: keys[i] ?? [],
  }))
  return {
    schema: asked.map(shown),
    rows,
    pagination: pagination({ limit, offset }, rows.length, total),
  }
}
