import type { Ratio } from '../../core/metrics.ts'

export const fieldTypes = ['string', 'integer', 'number', 'boolean', 'date'] as const
export const fieldRoles = ['dimension', 'metric'] as const

/** A field as clients see it. */
export interface ConnectorField {
  readonly id: string
  readonly label: string
  /** Type of the values that are not null; `date` is a UTC day, `YYYY-MM-DD`. */
  readonly type: (typeof fieldTypes)[number]
  /** Rows are grouped by dimensions; metrics are counted over each group. */
  readonly role: (typeof fieldRoles)[number]
}

/** A field, and its expressions by their column name in a row. */
export interface Column extends ConnectorField {
  readonly sql: Readonly<Record<string, string>>
  /** Makes a ratio of two expressions, `part` and `whole` of the field. */
  readonly ratio?: (part: number, whole: number) => Ratio
}

type Type = ConnectorField['type']

/** A column that rows are grouped by. */
export function dimension(id: string, label: string, sql: string, type: Type = 'string'): Column {
  return { id, label, type, role: 'dimension', sql: { [id]: sql } }
}

/** A whole number that is counted over each group. */
export function count(id: string, label: string, sql: string): Column {
  return { id, label, type: 'integer', role: 'metric', sql: { [id]: sql } }
}

/** A ratio of two counts over each group. */
export function ratioOf(
  id: string,
  label: string,
  [part, whole]: readonly [part: string, whole: string],
  ratio: (part: number, whole: number) => Ratio,
): Column {
  const sql = { [`${id}Part`]: part, [`${id}Whole`]: whole }
  return { id, label, type: 'number', role: 'metric', sql, ratio }
}

/** The UTC day of a time of the catalog. */
export function day(id: string, label: string, column: string): Column {
  return dimension(id, label, `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`, 'date')
}
