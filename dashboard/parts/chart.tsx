import { Anchor, Progress, Skeleton, Text, Tooltip } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { type ReportChart, spoken } from '../../web/share/charts.ts'
import { shown } from '../../web/share/numbers.ts'
import { t } from '../texts/texts.ts'
import { rangeText } from './figures.tsx'

const Lines = lazy(async () => ({ default: (await import('./lines.tsx')).Lines }))

const none: ReadonlySet<string> = new Set()

export interface ChartProps {
  readonly chart: ReportChart
  /** Names of bars that are the own brand's. */
  readonly own?: ReadonlySet<string>
  /** Where a bar leads. */
  linkOf?(label: string): string | undefined
}

/** Horizontal bars with their numbers. The interval is in the tooltip. */
function Bars({ chart, own = none, linkOf }: ChartProps) {
  const { points, unit, end } = chart
  const most =
    end ?? (unit === 'score' ? 100 : Math.max(1, ...points.map(({ value }) => value ?? 0)))
  return (
    <ul className="bars" aria-label={`${chart.title}. ${spoken(chart)}`}>
      {points.map(({ label, value, low, high, n }) => {
        const href = linkOf?.(label)
        const isOwn = own.has(label)
        const note = [
          rangeText(low, high, unit) && t.sure.interval(rangeText(low, high, unit)),
          n !== null && unit !== 'count' ? t.sure.base(n) : '',
        ]
          .filter(Boolean)
          .join(' ')
        return (
          <li key={label}>
            <Tooltip label={note || label}>
              <div className="bar">
                <Text size="sm" fw={isOwn ? 700 : 400} className="bar-label">
                  {href ? (
                    <Anchor component={Link} href={href} {...(!isOwn && { c: 'inherit' })}>
                      {label}
                    </Anchor>
                  ) : (
                    label
                  )}
                </Text>
                <Progress
                  value={((value ?? 0) / most) * 100}
                  size="lg"
                  color={isOwn || own.size === 0 ? 'indigo' : 'gray.5'}
                  aria-hidden
                />
                <Text size="sm" className="bar-value">
                  {shown(value, unit)}
                </Text>
              </div>
            </Tooltip>
          </li>
        )
      })}
    </ul>
  )
}

/** A chart of one series: bars, or a line over days. */
export function Chart(props: ChartProps) {
  const { chart } = props
  if (chart.kind === 'bars') return <Bars {...props} />
  return (
    <Suspense fallback={<Skeleton h={240} />}>
      <Lines
        title={chart.title}
        unit={chart.unit}
        labels={chart.points.map(({ label }) => label)}
        series={[
          {
            name: chart.title,
            isOwn: true,
            values: chart.points.map(({ value }) => value),
          },
        ]}
        end={chart.end}
        spoken={spoken(chart)}
      />
    </Suspense>
  )
}
