import type { ChartPoint, ReportChart } from './charts.ts'
import { count, shown } from './numbers.ts'
import { paint } from './paints.ts'

interface Drawing {
  readonly option: object
  /** In pixels of the drawing. */
  readonly height: number
}

const font = { fontFamily: 'system-ui, sans-serif', fontSize: 13 }
const tones: Readonly<Record<string, string>> = {
  Positive: paint.good,
  Neutral: paint.flat,
  Negative: paint.bad,
}
const rowPx = 34
const axisPx = 30

/** A round end of the axis above all values. */
function endOf({ unit, points, end }: ReportChart): number | undefined {
  if (end !== undefined) return end
  if (unit === 'score') return 100
  if (unit !== 'percent') return undefined
  const most = Math.max(10, ...points.map(({ value, high }) => high ?? value ?? 0))
  const step = most > 50 ? 20 : 10
  return Math.ceil(most / step) * step
}

/** The distance of two lines, a round number that divides the end. */
function stepOf(end: number, width: 'narrow' | 'wide'): number {
  if (width === 'narrow') return end / 2
  return end > 50 ? 20 : 10
}

function valueAxis(chart: ReportChart, width: 'narrow' | 'wide') {
  const end = endOf(chart)
  return {
    type: 'value',
    min: 0,
    ...(end === undefined ? { minInterval: 1 } : { max: end, interval: stepOf(end, width) }),
    splitNumber: width === 'wide' ? 4 : 2,
    axisLabel: {
      ...font,
      fontSize: 12,
      color: paint.muted,
      hideOverlap: true,
      formatter: (value: number) => (chart.unit === 'percent' ? `${value}%` : count(value)),
    },
    splitLine: { lineStyle: { color: paint.line } },
  }
}

interface Api {
  value(dimension: number): number
  coord(point: readonly [number, number]): readonly [number, number]
}

/** Fewer answers than these make a number that says little: it is drawn hollow. */
export const fewAnswers = 10

/** A count is what it is; a ratio of few answers is not. */
const isFew = ({ unit }: ReportChart, { n }: ChartPoint) =>
  unit !== 'count' && n !== null && n < fewAnswers

/** The line from low to high over each bar. */
function whiskers({ points }: ReportChart) {
  const data = points.flatMap(({ low, high }, row) =>
    low === null || high === null ? [] : [[row, low, high]],
  )
  const stroke = { stroke: paint.ink, lineWidth: 1.5, fill: 'none' }
  return {
    type: 'custom',
    data,
    z: 5,
    encode: { x: [1, 2], y: 0 },
    renderItem: (_params: unknown, api: Api) => {
      const [x1, y] = api.coord([api.value(1), api.value(0)])
      const [x2] = api.coord([api.value(2), api.value(0)])
      const line = (shape: object) => ({ type: 'line', shape, style: stroke })
      return {
        type: 'group',
        children: [
          line({ x1, x2, y1: y, y2: y }),
          line({ x1, x2: x1, y1: y - 4, y2: y + 4 }),
          line({ x1: x2, x2, y1: y - 4, y2: y + 4 }),
        ],
      }
    },
  }
}

function bars(chart: ReportChart, width: 'narrow' | 'wide', own: ReadonlySet<string>): Drawing {
  const { points, unit } = chart
  const isCompared = points.some(({ label }) => own.has(label))
  const colourOf = (label: string) =>
    tones[label] ?? (isCompared && !own.has(label) ? paint.other : paint.accent)
  const names = points.map(({ label }) => label)
  // Fonts of readers may be wider than the drawing reckons.
  const labelPx = width === 'wide' ? 168 : 104
  const category = {
    type: 'category',
    inverse: true,
    axisLine: { show: false },
    axisTick: { show: false },
  }
  return {
    height: points.length * rowPx + axisPx,
    option: {
      animation: false,
      grid: { left: labelPx + 10, right: 62, top: 2, bottom: axisPx - 4 },
      xAxis: valueAxis(chart, width),
      yAxis: [
        {
          ...category,
          data: names,
          axisLabel: { ...font, color: paint.ink, width: labelPx * 0.8, overflow: 'truncate' },
        },
        {
          ...category,
          position: 'right',
          data: points.map(({ value }) => shown(value, unit)),
          axisLabel: { ...font, fontWeight: 600, color: paint.ink, margin: 10 },
        },
      ],
      series: [
        {
          type: 'bar',
          barWidth: 16,
          data: points.map((point) => {
            const colour = colourOf(point.label)
            const few = { color: paint.surface, borderColor: colour, borderWidth: 1.5 }
            const painted = isFew(chart, point) ? few : { color: colour }
            return { value: point.value, itemStyle: { ...painted, borderRadius: [0, 3, 3, 0] } }
          }),
        },
        // A second axis is drawn only where a series uses it.
        { type: 'bar', yAxisIndex: 1, data: [] },
        whiskers(chart),
      ],
    },
  }
}

/** Neighbours with an interval: a day without one ends the band. */
function runsOf(points: readonly ChartPoint[]): { at: number; low: number; high: number }[][] {
  const runs: { at: number; low: number; high: number }[][] = [[]]
  for (const [at, { value, low, high }] of points.entries()) {
    if (value === null || low === null || high === null) runs.push([])
    else runs.at(-1)?.push({ at, low, high })
  }
  return runs.filter(({ length }) => length > 0)
}

/** The area from low to high behind a line. */
function band({ points }: ReportChart) {
  const runs = runsOf(points)
  return {
    type: 'custom',
    data: runs.map((_, run) => [run, 0]),
    silent: true,
    z: 1,
    // Both places lie on the axes, whatever they are.
    encode: { x: 1, y: 1 },
    renderItem: (_params: unknown, api: Api) => {
      const run = runs[api.value(0)] ?? []
      const place = (at: number, value: number) => api.coord([at, value])
      const upper = run.map(({ at, high }) => place(at, high))
      const lower = run.map(({ at, low }) => place(at, low)).reverse()
      const [first] = run
      const style = { fill: paint.accent, opacity: 0.16 }
      if (run.length > 1 || !first)
        return { type: 'polygon', shape: { points: [...upper, ...lower] }, style }
      const [x, y1] = place(first.at, first.low)
      const [, y2] = place(first.at, first.high)
      return {
        type: 'line',
        shape: { x1: x, x2: x, y1, y2 },
        style: { stroke: paint.accent, lineWidth: 3, opacity: 0.3 },
      }
    },
  }
}

/** Beyond these points a line has small symbols. */
const manyPoints = 60

function line(chart: ReportChart, width: 'narrow' | 'wide'): Drawing {
  const { points } = chart
  const labels = width === 'wide' ? 5 : 3
  const hasBand = points.some(({ low }) => low !== null)
  return {
    height: width === 'wide' ? 250 : 210,
    option: {
      animation: false,
      grid: { left: 46, right: 22, top: 14, bottom: axisPx },
      xAxis: {
        type: 'category',
        boundaryGap: false,
        data: points.map(({ label }) => label),
        axisTick: { show: false },
        axisLine: { lineStyle: { color: paint.line } },
        axisLabel: {
          ...font,
          fontSize: 12,
          color: paint.muted,
          interval: Math.max(0, Math.ceil(points.length / labels) - 1),
          formatter: (label: string) => label.split(' \u2013 ')[0] ?? label,
        },
      },
      yAxis: valueAxis(chart, 'wide'),
      series: [
        {
          type: 'line',
          z: 3,
          data: points.map((point) => ({
            value: point.value,
            itemStyle: {
              color: isFew(chart, point) ? paint.surface : paint.accent,
              borderColor: paint.accent,
              borderWidth: 1.5,
            },
          })),
          symbol: 'circle',
          symbolSize: points.length > manyPoints ? 3 : 6,
          showAllSymbol: true,
          lineStyle: { color: paint.accent, width: points.length > manyPoints ? 1.5 : 2.5 },
          ...(hasBand ? {} : { areaStyle: { color: paint.accent, opacity: 0.1 } }),
        },
        ...(hasBand ? [band(chart)] : []),
      ],
    },
  }
}

/** What ECharts is to draw. The own brand has the accent, others are quiet. */
export function optionOf(
  chart: ReportChart,
  width: 'narrow' | 'wide',
  own: ReadonlySet<string>,
): Drawing {
  return chart.kind === 'line' ? line(chart, width) : bars(chart, width, own)
}
