/** A table of the catalog with one row for each `key` of a project. */
export interface RecordTable {
  readonly name: 'Article' | 'DomainAuthority' | 'Page'
  /** The columns except `projectId`, with their types. */
  readonly columns: Readonly<Record<string, string>>
  readonly key: readonly string[]
  /** Further fields of the records, for the expressions below, with their types. */
  readonly inputs?: Readonly<Record<string, string>>
  /** The value of a column in a new row when its record has null. An old row keeps its value. */
  readonly kept?: Readonly<Record<string, string>>
  /** The value of a column in each changed row when its record has null. */
  readonly stamped?: Readonly<Record<string, string>>
}

const quoted = (names: readonly string[], prefix = '') =>
  names.map((name) => `${prefix}"${name}"`).join(', ')

/**
 * Writes new and changed records, and returns their number. `$1` is the project, `$2` the records as a JSON array with
 * distinct keys, `$3` the import, which keeps the records that it replaces. It writes in the order of the keys, so that two imports at once cannot deadlock.
 */
export function upsert({
  name,
  columns,
  key,
  inputs = {},
  kept = {},
  stamped = {},
}: RecordTable): string {
  const names = Object.keys(columns)
  const types = Object.entries({ ...columns, ...inputs })
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
  const found = `
  FROM jsonb_to_recordset($2::jsonb) AS g(${types})
  LEFT JOIN "${name}" a
    ON a."projectId" = $1::uuid AND ${key.map((column) => `a."${column}" = g."${column}"`).join(' AND ')}
 WHERE a."projectId" IS NULL OR ${changes.join(' OR ')}`
  return `
WITH saved AS (
INSERT INTO "ImportedRecord" ("importId", "table", "key", "before")
SELECT $3::uuid, '${name}', ${recordKey('g', key)}, to_jsonb(a) ${found}
    ON CONFLICT DO NOTHING)
INSERT INTO "${name}" ("projectId", "importId", ${quoted(names)})
SELECT $1::uuid, $3::uuid, ${values.join(', ')} ${found}
 ORDER BY ${quoted(key, 'g.')}
    ON CONFLICT ("projectId", ${quoted(key)}) DO UPDATE SET ${updates.join(', ')}, "importId" = EXCLUDED."importId"`
}

/** The key of a record within its project, as one text. */
const recordKey = (alias: string, key: readonly string[]) =>
  `jsonb_build_array(${quoted(key, `${alias}.`)})::text`
