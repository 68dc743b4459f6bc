import { useId } from 'react'
import type { ReportUnit } from '../../core/reports/content.ts'
import { shown } from '../../web/share/numbers.ts'
import { sparklineOf } from '../../web/share/sparkline.ts'
import { t } from '../texts/texts.ts'

interface SparklineProps {
  /** Values over time; null is a step without answers. */
  readonly values: readonly (number | null)[]
  readonly label: string
  readonly unit: ReportUnit
  readonly height?: number
  readonly width?: number
}

/** A line as small as a word, over the steps that have a value. */
export function Sparkline({ values, label, unit, height = 36, width = 240 }: SparklineProps) {
  const id = useId().replaceAll(/\W/g, '')
  const drawn = sparklineOf(values, { width, height })
  if (!drawn) return null
  const text = t.tools.sparkline(label, shown(drawn.first, unit), shown(drawn.last, unit))
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
      <path d={drawn.area} fill={`url(#${id})`} stroke="none" />
      <path d={drawn.line} fill="none" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
