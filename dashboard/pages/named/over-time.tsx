import { useMemo } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import { NamedOverTimeDocument, type NamedOverTimeQuery } from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { dayColumn } from '../../parts/columns.tsx'
import { ratioChart } from '../../parts/days.ts'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'

type Standing = NonNullable<NonNullable<NamedOverTimeQuery['project']>['brands']>['nodes'][number]
type Row = Omit<Standing, 'brand'> & { readonly brand: NonNullable<Standing['brand']> }

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

const nobody: readonly Standing[] = []

/** A drawing for each of the brands that most answers name, on one axis, with one table of all. */
export function OverTime({ project }: { readonly project: string }) {
  const { window, filter } = useAddress()
  const variables = { project, window, filter }
  const { data } = useQuestion(NamedOverTimeDocument, variables)
  const { brands, visibility } = data?.project ?? {}
  const range = visibility?.dateRange
  const nodes = brands?.nodes ?? nobody
  const rows = useMemo(
    () => nodes.flatMap(({ brand, ...row }): Row[] => (brand ? [{ ...row, brand }] : [])),
    [nodes],
  )
  const own = useMemo(() => {
    return new Set(rows.flatMap(({ brand }) => (brand.isOwn ? [brand.name] : [])))
  }, [rows])
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
  if (rows.length === 0) return null
  return (
    <Part
      title={t.named.overTime}
      lead={t.named.overTimeLead}
      asked={{ document: NamedOverTimeDocument, variables }}
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
