/** A table of the catalog whose rows are told apart by `key` within a project. */
export interface RecordTable {
  readonly name: 'Article' | 'DomainAuthority' | 'Page'
  /** Its columns but `projectId`, with the type of each. */
  readonly columns: Readonly<Record<string, string>>
  readonly key: readonly string[]
  /** What records carry beside the columns, for the expressions below, with the type of each. */
  readonly beside?: Readonly<Record<string, string>>
  /** What a column holds in a new row whose record says nothing; an old row then keeps what it has. */
  readonly kept?: Readonly<Record<string, string>>
  /** What a column becomes in any row that changes and whose record says nothing. */
  readonly stamped?: Readonly<Record<string, string>>
}

const quoted = (names: readonly string[], prefix = '') =>
  names.map((name) => `${prefix}"${name}"`).join(', ')

/**
 * Writes records that are new, and those that say something else than the row that is there. `$1` is the project,
 * `$2` the records as a JSON array, of which no two have the same key. In the order of their keys, so that two
 * imports at once do not wait for each other in a circle. It counts what it wrote.
 */
export function upsert({
  name,
  columns,
  key,
  beside = {},
  kept = {},
  stamped = {},
}: RecordTable): string {
  const names = Object.keys(columns)
  const types = Object.entries({ ...columns, ...beside })
    .map(([column, type]) => `"${column}" ${type}`)
    .join(', ')
  const values = names.map((column) => {
    if (column in kept) return `coalesce(g."${column}", a."${column}", ${kept[column]})`
    return column in stamped ? `coalesce(g."${column}", ${stamped[column]})` : `g."${column}"`
  })
  const isOptional = (column: string) => column in kept || column in stamped
  const changes = names
    .filter((column) => column !== 'id' && !key.includes(column))
    .map((column) => {
      const differs = `g."${column}" IS DISTINCT FROM a."${column}"`
      return isOptional(column) ? `(g."${column}" IS NOT NULL AND ${differs})` : differs
    })
  const updates = names
    .filter((column) => column !== 'id' && !key.includes(column))
    .map((column) => `"${column}" = EXCLUDED."${column}"`)
  return `
INSERT INTO "${name}" ("projectId", ${quoted(names)})
SELECT $1::uuid, ${values.join(', ')}
  FROM jsonb_to_recordset($2::jsonb) AS g(${types})
  LEFT JOIN "${name}" a
    ON a."projectId" = $1::uuid AND ${key.map((column) => `a."${column}" = g."${column}"`).join(' AND ')}
 WHERE a."projectId" IS NULL OR ${changes.join(' OR ')}
 ORDER BY ${quoted(key, 'g.')}
    ON CONFLICT ("projectId", ${quoted(key)}) DO UPDATE SET ${updates.join(', ')}`
}
