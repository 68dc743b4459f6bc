import { shown } from '../../web/share/numbers.ts'
import { t } from '../texts/texts.ts'
import { daysOf } from './days.ts'

interface SparklineProps {
  readonly range: { readonly from: string; readonly to: string }
  /** Days with a value in percent. */
  readonly days: readonly { readonly date: string; readonly value: number | null }[]
}

const size = { width: 120, height: 28, margin: 3 }

/** A percentage by day from 0 to 100, as small as a word. A day without answers is a gap. */
export function Sparkline({ range, days }: SparklineProps) {
  const values = new Map(days.map(({ date, value }) => [date, value]))
  const all = daysOf(range.from, range.to)
  const step = (size.width - 2 * size.margin) / Math.max(1, all.length - 1)
  const runs: string[][] = [[]]
  for (const [at, date] of all.entries()) {
    const value = values.get(date)
    if (value == null) runs.push([])
    else {
      const x = size.margin + at * step
      const y = size.height - size.margin - (value / 100) * (size.height - 2 * size.margin)
      runs.at(-1)?.push(`${x.toFixed(1)} ${y.toFixed(1)}`)
    }
  }
  const [first, last] = [days.find(hasValue), days.findLast(hasValue)]
  const label =
    first && last
      ? t.asked.sparkline(shown(first.value, 'percent'), shown(last.value, 'percent'))
      : t.noAnswers
  return (
    <svg className="sparkline" {...size} viewBox={`0 0 ${size.width} ${size.height}`} role="img">
      <title>{label}</title>
      {runs
        .filter((run) => run.length > 0)
        .map((run) => (
          // A day alone is a dot, by the round ends of its line.
          <path key={run[0]} d={`M${run.length === 1 ? `${run} L${run}` : run.join(' L')}`} />
        ))}
    </svg>
  )
}

const hasValue = ({ value }: { readonly value: number | null }) => value !== null
