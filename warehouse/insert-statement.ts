import type { Body } from './http.ts'
import type { Raw } from './rows.ts'

type InsertStatement = Pick<Body, 'sql' | 'rows'>

const linesOfPart = 50

/** Lines as bytes. One text of all lines would need several times the processor time of its parts. */
class Lines {
  readonly #parts: Buffer[] = []
  #text = ''
  #pending = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(line: string): void {
    this.#text += `${line}\n`
    if (++this.#pending === linesOfPart) this.#encode()
  }

  parts(): readonly Buffer[] {
    this.#encode()
    return this.#parts
  }

  #encode(): void {
    if (this.#pending === 0) return
    const part = Buffer.from(this.#text)
    this.#parts.push(part)
    this.#size += part.length
    this.#text = ''
    this.#pending = 0
  }
}

function hasColumns(row: Raw, columns: readonly string[]): boolean {
  return (
    Object.keys(row).length === columns.length && columns.every((name) => row[name] !== undefined)
  )
}

/** The values of a JSON array, without its brackets. */
const valuesOf = (row: Raw, columns: readonly string[]) =>
  JSON.stringify(columns.map((name) => row[name])).slice(1, -1)

/**
 * Rows of one insert as the engine reads them. A statement names the columns once: that is half the bytes, and half the
 * time to write them. Rows that are added are bytes at once, so that an import holds no objects of them.
 */
export class EncodedRows {
  #shared: string[] | undefined
  #own: string[] = []
  #count = 0
  readonly #lines = new Lines()

  get count(): number {
    return this.#count
  }

  /** Bytes, but for the last rows. */
  get size(): number {
    return this.#lines.size
  }

  /**
   * Adds rows that have the values of `shared` in common. These become text once.
   * @throws {Error} for other columns than those of the first rows, or a value that is undefined
   */
  add(shared: Raw, rows: readonly Raw[]): void {
    const [first] = rows
    if (first === undefined) return
    if (this.#shared === undefined) {
      this.#shared = Object.keys(shared)
      this.#own = Object.keys(first)
    }
    if (!hasColumns(shared, this.#shared)) throw otherColumns(shared)
    const start = this.#shared.length === 0 ? '[' : `[${valuesOf(shared, this.#shared)},`
    for (const row of rows) {
      if (!hasColumns(row, this.#own)) throw otherColumns(row)
      this.#lines.add(`${start}${valuesOf(row, this.#own)}]`)
    }
    this.#count += rows.length
  }

  insertInto(table: string): InsertStatement {
    const columns = [...(this.#shared ?? []), ...this.#own].join(', ')
    const sql = `INSERT INTO ${table} (${columns}) FORMAT JSONCompactEachRow`
    return { sql, rows: this.#lines.parts() }
  }
}

const otherColumns = (row: Raw) =>
  new Error(`A row has other columns than the first: ${Object.keys(row).join(', ')}`)

/** An insert of rows, whose columns may differ. */
export function insertStatement(table: string, rows: readonly Raw[]): InsertStatement {
  const columns = Object.keys(rows[0] ?? {})
  if (rows.every((row) => hasColumns(row, columns))) {
    const encoded = new EncodedRows()
    encoded.add({}, rows)
    return encoded.insertInto(table)
  }
  const lines = new Lines()
  for (const row of rows) lines.add(JSON.stringify(row))
  return { sql: `INSERT INTO ${table} FORMAT JSONEachRow`, rows: lines.parts() }
}
