import type { DateRange } from '../../../core/window.ts'
import { factParams, factsWhere } from '../../../resolvers/shared/facts.sql.ts'
import type { Filters } from '../../../resolvers/shared/filters.ts'
import { ratedMentions } from '../../../resolvers/shared/judged.sql.ts'
import { ownRatings } from '../../../resolvers/shared/judged.ts'
import { currentSnapshot } from '../../../resolvers/shared/lists/snapshot.ts'
import type { ProjectScope } from '../../../resolvers/shared/scope.ts'
import { perform, run } from '../../../warehouse/run.ts'
import { daysOf, type ExportFormat, recordsAs, rowsOf } from './rows.sql.ts'
import type { ExportTable, RecordTable, recordTables } from './tables.sql.ts'

/** A day of a table. The version changes with its rows. */
export interface ExportDay {
  readonly day: string
  readonly rows: number
  readonly version: string
}

const timeoutMs = 600_000

/** About 100 MB of answers. The engine and this process hold a file in memory. */
const rowsPerFile = 100_000

/** A text of the engine's parameters is as long as a statement may be, 256 kB, and grows when it is escaped. */
const recordBytes = 64_000

const settings = {
  max_execution_time: timeoutMs / 1000,
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  output_format_parquet_string_as_string: 1,
  // Columns have the names of the graph, some of which are columns of the warehouse.
  prefer_column_name_to_alias: 1,
} as const

const unfiltered: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
}

/** The clauses that select the rows of a table, and their values. */
function selection(scope: ProjectScope, table: ExportTable, range: DateRange) {
  const { project } = scope
  const also = table.where === undefined ? '' : ` AND ${table.where}`
  if (table.from === 'days') {
    const where = `project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date}${also}`
    return { from: `${table.source} WHERE ${where}`, params: { project: project.id, ...range } }
  }
  const snapshot = currentSnapshot(scope)
  const where = factsWhere(unfiltered, snapshot)
  const params = factParams(project.id, range, unfiltered, snapshot)
  if (table.from === 'facts') return { from: `${table.source} WHERE ${where}${also}`, params }
  const { isJudged, params: judges } = ownRatings([scope])
  return {
    from: `${ratedMentions(`${where} AND analysis = {analysis:UInt32}`, isJudged)}${also}`,
    params: { ...params, ...judges, analysis: project.analysis },
  }
}

/** The days that a table has rows of. */
export function exportDays(
  scope: ProjectScope,
  table: ExportTable,
  range: DateRange,
): Promise<ExportDay[]> {
  const { from, params } = selection(scope, table, range)
  return run<ExportDay>(scope.warehouse, {
    id: `exports.days.${table.name}`,
    sql: daysOf(table, from),
    params,
    timeoutMs,
  })
}

/** The files of a day, one after the other. */
export async function* exportRows(
  { warehouse, ...scope }: ProjectScope,
  table: ExportTable,
  { day, rows }: ExportDay,
  format: ExportFormat,
): AsyncGenerator<Buffer> {
  const { from, params } = selection({ warehouse, ...scope }, table, { from: day, to: day })
  const parts = Math.ceil(rows / rowsPerFile)
  for (let part = 0; part < parts; part++) {
    const body = { sql: rowsOf(table, from, format), params: { ...params, parts, part }, settings }
    const about = { id: `exports.rows.${table.name}`, timeoutMs }
    const [bytes] = await perform(warehouse, about, body, (reply) => [reply.bytes])
    if (bytes) yield bytes
  }
}

type Records = Readonly<Record<string, unknown>>[]

/** The rows of the tables of the catalog. */
const recordsOf: Readonly<
  Record<(typeof recordTables)[number]['name'], (scope: ProjectScope) => Promise<Records>>
> = {
  prompts: async ({ db, project }) => {
    const where = { projectId: project.id }
    const found = await db.prompt.findMany({
      where,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return found.map(({ id, text, isBranded, isTracked, intentCategory }) => ({
      promptId: id,
      text,
      isBranded,
      isTracked,
      intentCategory,
    }))
  },
  topics: async ({ db, project }) => {
    const found = await db.topic.findMany({
      where: { projectId: project.id },
      orderBy: { name: 'asc' },
    })
    return found.map(({ id, name }) => ({ topicId: id, name }))
  },
  promptTopics: ({ db, project }) =>
    db.promptTopic.findMany({
      where: { topic: { projectId: project.id } },
      select: { promptId: true, topicId: true },
      orderBy: [{ promptId: 'asc' }, { topicId: 'asc' }],
    }),
  brands: async ({ db, project: { id, name, domain } }) => {
    const competitors = await db.competitor.findMany({
      where: { projectId: id },
      orderBy: { name: 'asc' },
    })
    const own = { brandId: id, name, domain, isOwn: true }
    const others = competitors.map((it) => ({
      brandId: it.id,
      name: it.name,
      domain: it.domain,
      isOwn: false,
    }))
    return [own, ...others]
  },
}

/** The files of a table of the catalog, one after the other. */
export async function* exportRecords(
  scope: ProjectScope,
  table: RecordTable & { readonly name: keyof typeof recordsOf },
  format: ExportFormat,
): AsyncGenerator<{ readonly bytes: Buffer; readonly rows: number }> {
  const lines = (await recordsOf[table.name](scope)).map((record) => `${JSON.stringify(record)}\n`)
  for (let next = 0; next < lines.length; ) {
    const first = next
    let size = 0
    while (next < lines.length && (next === first || size < recordBytes)) {
      size += Buffer.byteLength(lines[next] ?? '')
      next++
    }
    const body = {
      sql: recordsAs(table, format),
      params: { rows: lines.slice(first, next).join('') },
      settings,
    }
    const about = { id: `exports.records.${table.name}`, timeoutMs }
    const [bytes] = await perform(scope.warehouse, about, body, (reply) => [reply.bytes])
    if (bytes) yield { bytes, rows: next - first }
  }
}
