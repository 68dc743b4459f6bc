import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { shown } from '../../web/share/numbers.ts'
import type { AddressState } from '../state/address.ts'
import { PageLink } from './links.tsx'

export interface HeatCell {
  readonly key: string
  /** Percent; null without answers. */
  readonly value: number | null
  /** What the number counts. */
  readonly note?: string
  /** The answers that it counts. */
  readonly state: AddressState
  readonly isOutlined?: boolean
}

export interface HeatRow {
  readonly key: string
  readonly head: ReactNode
  /** Beside the head, before the cells. */
  readonly lead?: ReactNode
  readonly cells: readonly HeatCell[]
  /** Of a competitor: in grey beside the own brand. */
  readonly isOther?: boolean
}

interface HeatTableProps {
  readonly project: string
  readonly title: string
  /** Of the rows. */
  readonly head: string
  /** Of the column of leads. */
  readonly lead?: string
  readonly columns: readonly { readonly key: string; readonly name: string }[]
  readonly rows: readonly HeatRow[]
}

/** A table whose cells are the darker the larger their number, each a link to its answers. */
export function HeatTable({ project, title, head, lead, columns, rows }: HeatTableProps) {
  const most = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ value }) => value ?? 0)))
  return (
    <div className="fits">
      <Table
        verticalSpacing={4}
        horizontalSpacing={4}
        highlightOnHover={false}
        aria-label={title}
        className="matrix"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th fz="xs" scope="col">
              {head}
            </Table.Th>
            {lead && (
              <Table.Th ta="right" fz="xs" scope="col">
                {lead}
              </Table.Th>
            )}
            {columns.map(({ key, name }) => (
              <Table.Th key={key} ta="center" fz="xs" scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Th scope="row">{row.head}</Table.Th>
              {lead && (
                <Table.Td ta="right" data-label={lead}>
                  {row.lead}
                </Table.Td>
              )}
              {row.cells.map(({ key, value, note, state, isOutlined }, at) => (
                <Table.Td key={key} ta="center" data-label={columns[at]?.name}>
                  <PageLink
                    project={project}
                    to={['answers']}
                    state={state}
                    size="md"
                    className="cell"
                    data-leads={isOutlined || undefined}
                    data-other={row.isOther || undefined}
                    style={{ '--strength': `${value === null ? 0 : 8 + (72 * value) / most}%` }}
                    c="inherit"
                    underline="never"
                    {...(note && { title: note })}
                  >
                    {value === null ? '–' : shown(value, 'percent')}
                  </PageLink>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
