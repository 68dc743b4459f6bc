import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { DateRange } from '../../../core/window.ts'
import type { ProjectScope } from '../../../resolvers/shared/scope.ts'
import { CliError } from '../../errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { type ExportFormat, exportFormats } from './rows.sql.ts'
import { type ExportDay, exportDays, exportRecords, exportRows } from './rows.ts'
import { exportTables, recordTables } from './tables.sql.ts'

/** The file of an export that says what is in it. */
const indexName = 'export.json'

const dayForm = z.object({ rows: z.number(), files: z.number(), version: z.string() })
const tableForm = z.object({
  columns: z.array(z.object({ name: z.string(), description: z.string() })),
  days: z.record(z.string(), dayForm),
})
const indexForm = z.object({
  format: z.enum(Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]]),
  project: z.object({ id: z.string(), name: z.string() }),
  exportedAt: z.string(),
  tables: z.record(z.string(), tableForm),
})
type Index = z.infer<typeof indexForm>
type TableIndex = Index['tables'][string]

/** What an export wrote of a table. */
interface TableReport {
  readonly table: string
  /** Rows of all its files. */
  readonly rows: number
  readonly days: number
  readonly written: number
  readonly removed: number
}

export interface ExportReport {
  readonly place: string
  readonly format: ExportFormat
  readonly sizeBytes: number
  readonly seconds: number
  readonly tables: readonly TableReport[]
}

/** Names of all tables, for the option `--tables`. */
export const tableNames: readonly string[] = [...exportTables, ...recordTables].map(
  ({ name }) => name,
)

const daysAtOnce = 4
/** A table of the catalog has no days. */
const whole = 'all'

const fileOf = (table: string, day: string, file: number, format: ExportFormat) =>
  `${table}/${day}${file === 0 ? '' : `-${file + 1}`}.${format}`

/**
 * Brings the files of a place up to date: writes the days whose rows are others than before, and removes the files of
 * days that have none. The index is written last, so an export that was cut off is made good by the next.
 * @throws {CliError} `export_differs` when the place has an export of another project or format
 */
export async function writeExport(
  scope: ProjectScope,
  storage: Storage,
  wish: { format: ExportFormat; tables: readonly string[]; range: DateRange },
): Promise<ExportReport> {
  const began = performance.now()
  const { format, range } = wish
  const { id, name } = scope.project
  const before = await readIndex(storage, id, format)
  const tables = { ...before?.tables }
  const reports: TableReport[] = []
  let sizeBytes = 0
  const write = async (file: string, bytes: Buffer) => {
    sizeBytes += bytes.length
    await storage.write(file, bytes)
  }
  for (const table of exportTables.filter((it) => wish.tables.includes(it.name))) {
    const found = await exportDays(scope, table, range)
    const rowsOf = (day: ExportDay) => exportRows(scope, table, day, format)
    const known = tables[table.name]
    const isInRange = (day: string) => day >= range.from && day <= range.to
    const update = { table, format, found, known, isInRange, rowsOf }
    const { index, report } = await updateTable(storage, update, write)
    tables[table.name] = index
    reports.push(report)
  }
  for (const table of recordTables.filter((it) => wish.tables.includes(it.name))) {
    const files: Buffer[] = []
    let rows = 0
    for await (const file of exportRecords(scope, table, format)) {
      files.push(file.bytes)
      rows += file.rows
    }
    const hash = createHash('sha256')
    for (const bytes of files) hash.update(bytes)
    const found = rows === 0 ? [] : [{ day: whole, rows, version: hash.digest('hex') }]
    const update = {
      table,
      format,
      found,
      known: tables[table.name],
      isInRange: () => true,
      rowsOf: () => files,
    }
    const { index, report } = await updateTable(storage, update, write)
    tables[table.name] = index
    reports.push(report)
  }
  const index: Index = {
    format,
    project: { id, name },
    exportedAt: scope.now.toISOString(),
    tables,
  }
  await storage.write(indexName, Buffer.from(`${JSON.stringify(index, null, 1)}\n`))
  const seconds = Math.round((performance.now() - began) / 100) / 10
  return { place: storage.place, format, sizeBytes, seconds, tables: reports }
}

interface Update {
  readonly table: {
    readonly name: string
    readonly columns: readonly { readonly name: string; readonly description: string }[]
  }
  readonly format: ExportFormat
  readonly found: readonly ExportDay[]
  readonly known: TableIndex | undefined
  readonly isInRange: (day: string) => boolean
  readonly rowsOf: (day: ExportDay) => AsyncIterable<Buffer> | Iterable<Buffer>
}

async function updateTable(
  storage: Storage,
  { table, format, found, known, isInRange, rowsOf }: Update,
  write: (file: string, bytes: Buffer) => Promise<void>,
): Promise<{ index: TableIndex; report: TableReport }> {
  const columns = table.columns.map(({ name, description }) => ({ name, description }))
  const isSame = JSON.stringify(known?.columns) === JSON.stringify(columns)
  const days = { ...known?.days }
  const changed = found.filter(({ day, version }) => !isSame || days[day]?.version !== version)
  const limit = pLimit(daysAtOnce)
  const writeDay = async (each: ExportDay) => {
    let files = 0
    for await (const bytes of rowsOf(each)) {
      await write(fileOf(table.name, each.day, files, format), bytes)
      files++
    }
    const { day, rows, version } = each
    for (let old = files; old < (days[day]?.files ?? 0); old++) {
      await storage.remove(fileOf(table.name, day, old, format))
    }
    days[day] = { rows, files, version }
  }
  await Promise.all(changed.map((each) => limit(() => writeDay(each))))
  const present = new Set(found.map(({ day }) => day))
  const gone = Object.keys(days).filter((day) => isInRange(day) && !present.has(day))
  for (const day of gone) {
    for (let file = 0; file < (days[day]?.files ?? 0); file++) {
      await storage.remove(fileOf(table.name, day, file, format))
    }
    delete days[day]
  }
  const sorted = Object.fromEntries(Object.entries(days).sort(([a], [b]) => (a < b ? -1 : 1)))
  const kept = Object.values(sorted)
  const report = {
    table: table.name,
    rows: kept.reduce((sum, { rows }) => sum + rows, 0),
    days: kept.length,
    written: changed.length,
    removed: gone.length,
  }
  return { index: { columns, days: sorted }, report }
}

async function readIndex(
  storage: Storage,
  projectId: string,
  format: ExportFormat,
): Promise<Index | undefined> {
  const bytes = await storage.read(indexName)
  if (bytes === null) return undefined
  const found = indexForm.safeParse(parsed(String(bytes)))
  const differs = (what: string) =>
    new CliError('export_differs', `${storage.place} ${what}. Name another place.`)
  if (!found.success) throw differs(`has an \`${indexName}\` that no export wrote`)
  const { project, format: other } = found.data
  if (project.id !== projectId) throw differs(`has an export of the project ${project.name}`)
  if (other !== format) throw differs(`has an export as ${other}`)
  return found.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
