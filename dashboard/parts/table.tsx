import { type ReactNode, useState } from 'react'
import type { TypedDocumentString } from '../documents.ts'
import { graphiqlAddress } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

/** A column: what readers see, and the value that a CSV has. */
export interface Column<Row> {
  readonly name: string
  readonly show: (row: Row) => ReactNode
  /** Absent: the column is not in the CSV. */
  readonly value?: (row: Row) => string | number | null
  readonly isText?: boolean
  /** A text of several words. */
  readonly isLong?: boolean
}

interface TableProps<Row> {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly isOwn?: (row: Row) => boolean
}

function Table<Row>({ title, columns, rows, keyOf, isOwn }: TableProps<Row>) {
  return (
    // A long table scrolls, by keyboard too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need focus
    <section className="scroll" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isText }) => (
              <th key={name} scope="col" className={isText ? 'text' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={isOwn?.(row) ? 'own' : ''}>
              {columns.map(({ name, show, isText, isLong }, at) =>
                at === 0 ? (
                  <th key={name} scope="row">
                    {show(row)}
                  </th>
                ) : (
                  <td key={name} className={isText ? `text${isLong ? ' long' : ''}` : ''}>
                    {show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Saves the rows as a file. The code that writes it is loaded by the first press. */
async function download<Row>({ title, columns, rows }: TableProps<Row>): Promise<void> {
  const { csvOf } = await import('./csv.ts')
  const url = URL.createObjectURL(new Blob([csvOf(columns, rows)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${title.toLowerCase().replaceAll(/\W+/g, '-')}.csv`
  link.click()
  URL.revokeObjectURL(url)
}

/** The question behind a part of a page. */
export interface Asked<R, V extends object> {
  readonly document: TypedDocumentString<R, V>
  readonly variables: V
}

interface PartProps<Row, R, V extends object> extends TableProps<Row> {
  readonly asked: Asked<R, V>
  readonly lead?: string
  /** Stands in place of the lead where there are no rows. */
  readonly empty?: string
  /** Stands beside the table. */
  readonly chart?: ReactNode
  /** The chart is above the table, which is wide. */
  readonly isStacked?: boolean
  /** Stands below the table, such as a button for more rows. */
  readonly after?: ReactNode
  /** Reads all rows for the file, where the table may show some of them. */
  readonly whole?: () => Promise<readonly Row[]>
}

/** Saves the whole list as a file. */
function Csv<Row>({
  whole,
  ...table
}: TableProps<Row> & Pick<PartProps<Row, never, never>, 'whole'>) {
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready')
  const save = async () => {
    setState('busy')
    try {
      await download({ ...table, rows: whole ? await whole() : table.rows })
      setState('ready')
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      {state === 'failed' && <span role="alert">{t.failed}</span>}
      <button
        type="button"
        disabled={state === 'busy'}
        onClick={() => void save()}
        aria-label={t.tools.csvOf(table.title)}
      >
        {t.tools.csv}
      </button>
    </>
  )
}

/** A part of a page: a chart with its table, as a file and as the question that made it. */
export function Part<Row, R, V extends object>(props: PartProps<Row, R, V>) {
  const { title, asked, empty, chart, isStacked, after, rows } = props
  const lead = (rows.length === 0 && empty) || props.lead
  return (
    <section className="part">
      <header>
        <h2>{title}</h2>
        <p className="tools">
          <Csv {...props} />
          <a
            href={graphiqlAddress(asked.document, asked.variables)}
            aria-label={t.tools.graphiqlOf(title)}
          >
            {t.tools.graphiql}
          </a>
        </p>
      </header>
      {lead && <p className="lead">{lead}</p>}
      <div className={chart && !isStacked ? 'pair both' : 'pair'}>
        {chart}
        {rows.length > 0 && <Table {...props} />}
      </div>
      {after}
    </section>
  )
}
