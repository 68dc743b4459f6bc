import { escaped } from '../../core/escaped.ts'

/** A column of a table. Cells are HTML. */
export interface Column<Row> {
  readonly name: string
  /** Class of its cells: `num`, or `minor` for what a phone leaves out. */
  readonly kind?: string
  cell(row: Row): string
}

const mostRows = 12

const headOf = <Row>(columns: readonly Column<Row>[]) =>
  columns
    .map(
      ({ name, kind }) => `<th scope="col"${kind ? ` class="${kind}"` : ''}>${escaped(name)}</th>`,
    )
    .join('')

function rowsOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  isOwn: (row: Row) => boolean,
): string {
  const [first, ...others] = columns
  return rows
    .map((row) => {
      const cells = others.map(
        ({ kind, cell }) => `<td${kind ? ` class="${kind}"` : ''}>${cell(row)}</td>`,
      )
      return `<tr${isOwn(row) ? ' class="own"' : ''}><th scope="row">${first?.cell(row) ?? ''}</th>${cells.join('')}</tr>`
    })
    .join('')
}

export interface TableOptions<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  isOwn?(row: Row): boolean
  readonly most?: number
  readonly kind?: string
}

/** A table. Rows beyond the first few are behind "Show all", and on paper. */
export function table<Row>(options: TableOptions<Row>): string {
  const { caption, columns, rows, isOwn = () => false, most = mostRows, kind } = options
  const part = (some: readonly Row[], isRest: boolean) =>
    `<table${kind ? ` class="${kind}"` : ''}><caption class="hidden">${escaped(caption)}</caption><thead${isRest ? ' class="rest"' : ''}><tr>${headOf(columns)}</tr></thead><tbody>${rowsOf(columns, some, isOwn)}</tbody></table>`
  // One row behind a button takes as much room as the button.
  if (rows.length <= most + 1) return part(rows, false)
  return part(rows.slice(0, most), false) + more(rows.length, part(rows.slice(most), true))
}

/** A list whose entries are HTML. Those beyond the first few are behind "Show all", and on paper. */
export function list(
  kind: string,
  entries: readonly string[],
  { most = mostRows }: { readonly most?: number } = {},
): string {
  const part = (some: readonly string[]) =>
    `<ul class="${kind}">${some.map((entry) => `<li>${entry}</li>`).join('')}</ul>`
  if (entries.length <= most + 1) return part(entries)
  return part(entries.slice(0, most)) + more(entries.length, part(entries.slice(most)))
}

const more = (all: number, rest: string) => details(`Show all ${all}`, rest)

/** What a reader may open, and paper always shows. */
export function details(summary: string, html: string): string {
  return `<details><summary>${escaped(summary)}</summary>${html}</details>`
}

/** A card of the page. */
export function card(
  title: string,
  html: string,
  { lead = '', kind = '' }: { readonly lead?: string; readonly kind?: string } = {},
): string {
  return `<section${kind ? ` class="${kind}"` : ''}><h2>${escaped(title)}</h2>${lead ? `<p class="lead">${escaped(lead)}</p>` : ''}${html}</section>`
}
