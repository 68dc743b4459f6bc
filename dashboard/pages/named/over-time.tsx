import { useMemo } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import type { NamedQuery } from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { dayColumn } from '../../parts/columns.tsx'
import { ratioChart } from '../../parts/days.ts'
import { type Asked, type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'
import type { Row } from './rows.ts'

interface OverTimeProps {
  readonly rows: readonly Row[]
  readonly range: { readonly from: string; readonly to: string }
  readonly asked: Asked<NamedQuery, { project: string }>
  readonly own: ReadonlySet<string>
}

interface Day {
  readonly date: string
  /** In percent, by the id of the brand. */
  readonly values: ReadonlyMap<string, number | null>
}

function daysOf(rows: readonly Row[]): Day[] {
  const days = new Map<string, Map<string, number | null>>()
  for (const { brand, visibility } of rows) {
    for (const { date, totalResponses, metrics } of visibility.trend) {
      if (totalResponses === 0) continue
      const values = days.get(date) ?? new Map<string, number | null>()
      days.set(date, values.set(brand.id, metrics.shareOfVoice.value))
    }
  }
  return [...days]
    .map(([date, values]) => ({ date, values }))
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))
}

/** A drawing for each brand, on one axis, with one table of all. */
export function OverTime({ rows, range, asked, own }: OverTimeProps) {
  const charts = useMemo(
    () =>
      rows.map(({ brand, visibility }) => ({
        ...ratioChart(
          brand.name,
          t.named.overTime,
          range,
          visibility.trend.map(({ date, metrics }) => ({ date, metric: metrics.shareOfVoice })),
        ),
        end: 100,
      })),
    [rows, range],
  )
  const columns: readonly Column<Day>[] = [
    dayColumn(({ date }) => date),
    ...rows.map(({ brand }) => ({
      name: brand.name,
      value: ({ values }: Day) => values.get(brand.id) ?? null,
      show: ({ values }: Day) => {
        const value = values.get(brand.id)
        return value === undefined ? '' : shown(value, 'percent')
      },
    })),
  ]
  return (
    <Part
      title={t.named.overTime}
      lead={t.named.overTimeLead}
      asked={asked}
      isStacked
      chart={
        <ul className="multiples">
          {charts.map((chart, at) => (
            <li key={rows[at]?.brand.id}>
              <h3>{chart.title}</h3>
              <Chart chart={chart} own={own} />
            </li>
          ))}
        </ul>
      }
      columns={columns}
      rows={daysOf(rows)}
      keyOf={({ date }) => date}
    />
  )
}
