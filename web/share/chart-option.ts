import type { ReportUnit } from '../../core/reports/content.ts'
import { axisEnd } from './axis.ts'
import { count } from './numbers.ts'
import { linePaint, paint } from './paints.ts'

/** Lines over time. */
export interface LineChart {
  readonly title: string
  readonly unit: ReportUnit
  /** Of the points of time. */
  readonly labels: readonly string[]
  readonly series: readonly {
    readonly name: string
    /** The place of its colour. */
    readonly colour: number
    /** By the labels; null is a step without answers. */
    readonly values: readonly (number | null)[]
  }[]
}

const font = { fontFamily: 'inherit', fontSize: 12, color: paint.muted }
/** A line with more points has no symbols. */
const mostSymbols = 16

/** What ECharts is to draw, and its height in pixels. */
export function optionOf(
  { unit, labels, series }: LineChart,
  width: 'narrow' | 'wide',
): { readonly option: object; readonly height: number } {
  const shown = width === 'wide' ? 6 : 3
  const end = axisEnd(
    unit,
    series.flatMap(({ values }) => values),
  )
  return {
    height: width === 'wide' ? 260 : 200,
    option: {
      animation: false,
      grid: { left: 44, right: 16, top: 10, bottom: 26 },
      xAxis: {
        type: 'category',
        boundaryGap: false,
        data: labels,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: paint.line } },
        axisLabel: { ...font, interval: Math.max(0, Math.ceil(labels.length / shown) - 1) },
      },
      yAxis: {
        type: 'value',
        min: 0,
        ...(end === undefined ? {} : { max: end, interval: end > 50 ? 20 : 10 }),
        axisLabel: {
          ...font,
          formatter: (value: number) => (unit === 'percent' ? `${value}%` : count(value)),
        },
        splitLine: { lineStyle: { color: paint.line, type: 'dashed' } },
      },
      // The first is the own brand: it lies above the others.
      series: series.map(({ colour, values }, at) => ({
        type: 'line',
        z: series.length - at,
        data: values,
        connectNulls: true,
        smooth: 0.25,
        smoothMonotone: 'x',
        symbol: labels.length <= mostSymbols ? 'circle' : 'none',
        symbolSize: 5,
        showAllSymbol: true,
        itemStyle: { color: linePaint(colour) },
        lineStyle: { color: linePaint(colour), width: at === 0 ? 2.5 : 2 },
      })),
    },
  }
}
