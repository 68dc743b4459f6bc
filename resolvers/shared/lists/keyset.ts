import type { SortKey } from '../../../core/pagination.ts'

/** A column that a list of the catalog is sorted by. */
export interface SortColumn {
  readonly column: string
  /** Its type in PostgreSQL. */
  readonly type: string
  readonly isDescending?: true
}

/** `ORDER BY` of a list. */
export const sortedBy = (columns: readonly SortColumn[]) =>
  columns.map(({ column, isDescending }) => `${column}${isDescending ? ' DESC' : ''}`).join(', ')

/** The value that `follows` binds. */
export const keyParam = (key: SortKey | undefined) => (key ? JSON.stringify(key) : null)

/**
 * Whether a row follows the row whose sort values the parameter has, as a JSON array. True for every row where the
 * parameter is null. Rows that came or went before that row neither repeat nor hide a row.
 */
export function follows(columns: readonly SortColumn[], param: string): string {
  const valueAt = (i: number, type: string) => `(${param}::jsonb->>${i})::${type}`
  const clauses = columns.map(({ column, type, isDescending }, i) =>
    [
      ...columns.slice(0, i).map((same, j) => `${same.column} = ${valueAt(j, same.type)}`),
      `${column} ${isDescending ? '<' : '>'} ${valueAt(i, type)}`,
    ].join(' AND '),
  )
  return `(${param}::jsonb IS NULL OR ${clauses.map((clause) => `(${clause})`).join(' OR ')})`
}

type Sorted = readonly (readonly [
  name: string,
  direction: 'asc' | 'desc',
  /** The values of an enum in order, which Prisma cannot compare. Such a column is sorted upwards. */
  values?: readonly string[],
])[]

/** The same for Prisma. */
export function followsRow(order: Sorted, key: SortKey | undefined): object {
  if (!key) return {}
  return {
    OR: order.map(([name, direction, values], i) => ({
      ...Object.fromEntries(order.slice(0, i).map(([same], j) => [same, key[j]])),
      [name]: values
        ? { in: values.slice(values.indexOf(String(key[i])) + 1) }
        : { [direction === 'asc' ? 'gt' : 'lt']: key[i] },
    })),
  }
}
