import { useId } from 'react'
import type { ReportUnit } from '../../core/reports/content.ts'
import { shown } from '../../web/share/numbers.ts'
import { t } from '../texts/texts.ts'

interface SparklineProps {
  /** Values over time; null is a step without answers. */
  readonly values: readonly (number | null)[]
  readonly label: string
  readonly unit: ReportUnit
  readonly height?: number
  readonly width?: number
}

/**
 * A line as small as a word, over the steps that have a value. It has no axis, so it runs from the lowest to the highest
 * value, but over no less than a fifth of the highest, which keeps noise small.
 */
export function Sparkline({ values, label, unit, height = 36, width = 240 }: SparklineProps) {
  const id = useId().replaceAll(/\W/g, '')
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]))
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || known.length < 2) return null
  const highest = Math.max(...known.map(({ value }) => value))
  const lowest = Math.min(...known.map(({ value }) => value), highest * 0.8)
  const span = highest - lowest || 1
  const x = (at: number) => (at / Math.max(1, values.length - 1)) * width
  const y = (value: number) => height - 3 - ((value - lowest) / span) * (height - 6)
  const points = known.map(({ value, at }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  const text = t.tools.sparkline(label, shown(first.value, unit), shown(last.value, unit))
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="currentColor" stopOpacity="0.25" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path
        d={`M${x(first.at)},${height} L${points.join(' L')} L${x(last.at)},${height} Z`}
        fill={`url(#${id})`}
        stroke="none"
      />
      <path d={`M${points.join(' L')}`} fill="none" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
