import { useId, useMemo } from 'react'
import { type ReportChart, spoken } from '../../web/share/charts.ts'
import { type ChartWidth, svgOf } from '../../web/share/svg.ts'

const none: ReadonlySet<string> = new Set()

/** The chart as shared reports draw it: SVG without a style, coloured by the variables of the page. */
export function Chart({ chart, own = none }: { chart: ReportChart; own?: ReadonlySet<string> }) {
  const id = useId().replaceAll(/\W/g, '')
  const drawn = useMemo(() => {
    const label = `${chart.title}. ${spoken(chart)}`
    const draw = (width: ChartWidth) => svgOf(chart, width, { id: `c${id}${width}`, label, own })
    return draw('narrow') + draw('wide')
  }, [chart, own, id])
  // The drawing escapes each text of its labels.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: written by ECharts, which escapes
  return <div className="chart" dangerouslySetInnerHTML={{ __html: drawn }} />
}
