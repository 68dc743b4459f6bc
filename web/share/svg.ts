import { LineChart as Lines } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { type EChartsCoreOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { escaped } from '../../core/escaped.ts'
import { type LineChart, optionOf } from './chart-option.ts'
import { paints } from './paints.ts'

use([Lines, GridComponent, SVGRenderer])

/** The widths that a chart is drawn for: of a phone, and of a desktop or a sheet. */
export const widths = { narrow: 320, wide: 1000 } as const
export type ChartWidth = keyof typeof widths

/** `style="a:b;c:d"` as attributes of the same meaning, which no policy of styles blocks. */
function asAttributes(style: string): string {
  return style
    .split(';')
    .filter((rule) => rule.includes(':'))
    .map((rule) => {
      const [name = '', ...value] = rule.split(':')
      return ` ${name.trim()}="${value.join(':').trim()}"`
    })
    .join('')
}

/** The drawing of a chart as part of a page: no style, no class, colours by the variables of the page. */
export function svgOf(
  chart: LineChart,
  width: ChartWidth,
  { id, label }: { readonly id: string; readonly label: string },
): string {
  const { option, height } = optionOf(chart, width)
  const drawing = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: widths[width],
    height,
  })
  drawing.setOption(option as EChartsCoreOption)
  const drawn = drawing.renderToSVGString()
  drawing.dispose()
  const inner = drawn
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
    .replaceAll(/<style[\s\S]*?<\/style>/g, '')
    .replaceAll(/ style="([^"]*)"/g, (_all, style: string) => asAttributes(style))
    .replaceAll(/ (?:class|ecmeta_\w+)="[^"]*"/g, '')
    .replaceAll(/zr\d+-/g, `${id}-`)
    .replaceAll(/#(\d\d)\1\1\b/g, (found) => paints.get(found) ?? found)
    .replaceAll('\n', '')
  return `<svg class="${width}" viewBox="0 0 ${widths[width]} ${height}" role="img" aria-label="${escaped(label)}">${inner}</svg>`
}
