import pLimit from 'p-limit'
import { command, perform, run, type Warehouse } from '../../warehouse/run.ts'
import { CliError } from '../errors.ts'
import { materializedColumns, partsOf, rowsOfPart, tablesOfFacts } from './facts.sql.ts'
import { type BackupWriter, readBackupFile } from './files.ts'
import type { Manifest } from './manifest.ts'

type FactTables = Manifest['warehouse']['tables']

interface FactTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Bounds the memory of the warehouse and of this process. */
const chunkBytes = 8 * 2 ** 20
export const statementMs = 600_000
const tablesAtOnce = 6

const statement = (warehouse: Warehouse, id: string, sql: string) =>
  command(warehouse, { id: `backup.${id}`, sql, timeoutMs: statementMs })

export function factTablesOf(warehouse: Warehouse): Promise<FactTable[]> {
  return run<FactTable>(warehouse, {
    id: 'backup.tables',
    sql: tablesOfFacts,
    timeoutMs: statementMs,
  })
}

/**
 * Second tables that share the files of the tables of facts, so they cost no room and milliseconds. Nothing changes
 * them: no insert, no delete, no merge. They are in a database of their own, which `drop` removes.
 */
export class Clones {
  readonly #warehouse: Warehouse
  readonly #database: string
  readonly tables: readonly FactTable[]

  private constructor(warehouse: Warehouse, database: string, tables: readonly FactTable[]) {
    this.#warehouse = warehouse
    this.#database = database
    this.tables = tables
  }

  /** Makes the empty tables. What an earlier run left is removed: only one runs at a time. */
  static async prepare(warehouse: Warehouse, purpose: 'backup' | 'restore'): Promise<Clones> {
    const [found] = await run<{ name: string }>(warehouse, {
      id: 'backup.database',
      sql: 'SELECT currentDatabase() AS name',
      timeoutMs: statementMs,
    })
    const database = `${found?.name ?? 'default'}_${purpose}`
    const clones = new Clones(warehouse, database, await factTablesOf(warehouse))
    await clones.drop()
    await statement(warehouse, 'prepare', `CREATE DATABASE ${database}`)
    for (const { name } of clones.tables) {
      const table = clones.nameOf(name)
      await statement(warehouse, 'prepare', `CREATE TABLE ${table} AS ${name}`)
      await statement(warehouse, 'prepare', `SYSTEM STOP MERGES ${table}`)
    }
    return clones
  }

  nameOf(table: string): string {
    return `${this.#database}.${table}`
  }

  /** Takes the rows that the table has now. */
  async take(table: string): Promise<void> {
    const sql = `ALTER TABLE ${this.nameOf(table)} ATTACH PARTITION ALL FROM ${table}`
    await statement(this.#warehouse, 'take', sql)
  }

  async clear(table: string): Promise<void> {
    await statement(this.#warehouse, 'clear', `TRUNCATE TABLE ${this.nameOf(table)}`)
  }

  /** Gives all rows to the empty tables of facts. */
  async giveAll(): Promise<void> {
    for (const { name } of this.tables) {
      const sql = `ALTER TABLE ${name} ATTACH PARTITION ALL FROM ${this.nameOf(name)}`
      await statement(this.#warehouse, 'give', sql)
    }
  }

  drop(): Promise<void> {
    return statement(this.#warehouse, 'drop', `DROP DATABASE IF EXISTS ${this.#database} SYNC`)
  }

  /** Writes all rows, a file for each month of each table. */
  async writeOut(writer: BackupWriter): Promise<FactTables> {
    const written = await someAtOnce(this.tables, async ({ name, columns }) => {
      const [database = '', table = ''] = this.nameOf(name).split('.')
      const parts = await run<Part>(this.#warehouse, {
        id: 'backup.parts',
        sql: partsOf(this.nameOf(name)),
        params: { database, table },
        timeoutMs: statementMs,
      })
      for (const [month, ofMonth] of Map.groupBy(parts, ({ partition }) => partition)) {
        const rows = this.#rowsOf({ name, columns }, ofMonth)
        await writer.write(`warehouse/${name}/${month}.tsv.zst`, rows)
      }
      const rows = parts.reduce((sum, part) => sum + part.rows, 0)
      return [name, { columns, rows }] as const
    })
    return Object.fromEntries(written)
  }

  /** @throws when a part has other rows than it had: a merge has replaced it */
  async *#rowsOf({ name, columns }: FactTable, parts: readonly Part[]): AsyncGenerator<Buffer> {
    const sql = rowsOfPart(this.nameOf(name), columns)
    for (const { part, rows, offsets, bytesPerRow } of parts) {
      const step = Math.max(1, Math.floor(chunkBytes / bytesPerRow))
      let read = 0
      for (let from = 0; from < offsets; from += step) {
        const params = { part, from, to: from + step }
        const bytes = await bytesOf(this.#warehouse, { sql, params })
        read += linesIn(bytes)
        yield bytes
      }
      if (read !== rows) throw new Error(`The part ${part} of ${name} has changed. Try again.`)
    }
  }

  /** Makes room for rows with values in columns that the engine fills by itself. */
  async acceptAllColumns(): Promise<void> {
    const columns = await run<{ table: string; name: string; type: string }>(this.#warehouse, {
      id: 'backup.materialized',
      sql: materializedColumns,
      timeoutMs: statementMs,
    })
    for (const { table, name, type } of columns) {
      const sql = `ALTER TABLE ${this.nameOf(table)} MODIFY COLUMN ${name} ${type} DEFAULT 0`
      await statement(this.#warehouse, 'accept', sql)
    }
  }

  /**
   * Reads the rows of a backup.
   * @throws {CliError} `backup_damaged` when a table gets another number of rows
   */
  async readIn(dir: string, { files, warehouse }: Manifest): Promise<void> {
    await someAtOnce(Object.entries(warehouse.tables), async ([name, { columns, rows }]) => {
      const ours = files.filter(({ path }) => path.startsWith(`warehouse/${name}/`))
      let read = 0
      for (const { path } of ours) {
        for await (const bytes of wholeLines(readBackupFile(dir, path))) {
          read += linesIn(bytes)
          await this.#insert(name, columns, bytes)
        }
      }
      if (read === rows) return
      const message = `The table ${name} got ${read} rows of ${rows}. Use another backup.`
      throw new CliError('backup_damaged', message)
    })
  }

  async #insert(name: string, columns: readonly string[], rows: Buffer): Promise<void> {
    const about = { id: 'backup.insert', timeoutMs: statementMs }
    const body = {
      sql: `INSERT INTO ${this.nameOf(name)} (${columns.join(', ')}) FORMAT TabSeparated`,
      rows,
      // Two chunks may hold the same rows.
      settings: { insert_deduplicate: 0, async_insert: 0, precise_float_parsing: 1 },
    }
    await perform(this.#warehouse, about, body, () => [])
  }
}

interface Part {
  readonly part: string
  readonly partition: string
  readonly rows: number
  readonly offsets: number
  readonly bytesPerRow: number
}

const lineFeed = 0x0a

/** A line feed within a value is escaped. */
function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) lines++
  return lines
}

async function bytesOf(
  warehouse: Warehouse,
  body: { sql: string; params: Record<string, unknown> },
): Promise<Buffer> {
  const about = { id: 'backup.rows', timeoutMs: statementMs }
  const settings = { max_execution_time: statementMs / 1000, max_block_size: 8192 }
  const [bytes] = await perform(warehouse, about, { ...body, settings }, (reply) => [reply.bytes])
  return bytes ?? Buffer.alloc(0)
}

/** The same bytes in chunks that end with a line. */
async function* wholeLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes < chunkBytes) continue
    const all = Buffer.concat(waiting)
    const end = all.lastIndexOf(lineFeed) + 1
    if (end > 0) yield all.subarray(0, end)
    waiting = [all.subarray(end)]
    sizeBytes = all.length - end
  }
  if (sizeBytes > 0) yield Buffer.concat(waiting)
}

/** Does the work for each item, some at a time. @returns the results in the order of the items */
function someAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(tablesAtOnce)
  return Promise.all(items.map((item) => limit(() => work(item))))
}
