/** Rows as columns of equal width; `empty` when there are no rows. */
export function columns(rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** A count with separators for people: 12,345. */
export function count(value: number): string {
  return value.toLocaleString('en')
}
