import type { Shape } from './shape.ts'

type Body = Readonly<Record<string, unknown>>

/** A report that states its columns in `schema`, and whose rows are lists of cells. */
interface TypedTable extends Body {
  readonly schema: readonly { readonly id: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

const isTypedTable = (shape: Shape, body: Body): body is TypedTable =>
  shape.some(({ name, kind }) => name === 'schema' && kind === 'list') &&
  shape.some(({ name, kind }) => name === 'rows' && kind === 'value') &&
  Array.isArray(body.schema)

/** A report for people and for CSV: where it states its columns, each row has its cells by the ids of the columns. */
export function withNamedCells(shape: Shape, body: Body): { shape: Shape; body: Body } {
  if (!isTypedTable(shape, body)) return { shape, body }
  const { schema, ...rest } = body
  const ids = schema.map(({ id }) => id)
  const columns = ids.map((name) => ({ name, kind: 'value', fields: [] }) as const)
  return {
    shape: shape
      .filter(({ name }) => name !== 'schema')
      .map((field) =>
        field.name === 'rows' ? { name: 'rows', kind: 'list', fields: columns } : field,
      ),
    body: {
      ...rest,
      rows: body.rows.map((row) => Object.fromEntries(ids.map((id, index) => [id, row[index]]))),
    },
  }
}
