import { saveFile } from './save.ts'

const scale = 2

/** Properties that a drawing gets from the style sheets of the page. */
const painted = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-family',
]

function inlineStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from)
  for (const name of painted) to.setAttribute(name, style.getPropertyValue(name))
  for (const [at, child] of [...from.children].entries()) {
    const copy = to.children[at]
    if (copy) inlineStyles(child, copy)
  }
}

/** Around the drawing: the labels at its ends reach out of it. */
const padding = 16
const headHeight = 28

const legends = '[class*="legendItem"]:not([class*="legendItem"] *)'

/** The names of the lines with their colours, where the page has them. */
function drawLegend(context: CanvasRenderingContext2D, card: Element, chart: DOMRect): void {
  for (const item of card.querySelectorAll(legends)) {
    const swatch = item.querySelector('[class*="legendItemColor"]')
    const name = item.querySelector('[class*="legendItemName"]')
    if (!swatch || !name) continue
    const [mark, text] = [swatch.getBoundingClientRect(), name.getBoundingClientRect()]
    const { color, fontFamily, fontSize } = getComputedStyle(name)
    context.fillStyle = getComputedStyle(swatch).backgroundColor
    context.beginPath()
    const [x, y] = [mark.x + mark.width / 2 - chart.x, mark.y + mark.height / 2 - chart.y]
    context.arc(x, y, mark.width / 2, 0, 2 * Math.PI)
    context.fill()
    context.fillStyle = color
    context.font = `${fontSize} ${fontFamily}`
    context.textBaseline = 'middle'
    context.fillText(name.textContent, text.x - chart.x, text.y + text.height / 2 - chart.y)
  }
}

/** Saves the chart of a card as an image: with its title and legend, on the ground of the card. */
export async function savePng(title: string, card: Element, svg: SVGElement): Promise<void> {
  const chart = svg.getBoundingClientRect()
  const { width, height } = chart
  const [full, tall] = [width + 2 * padding, height + headHeight + 2 * padding]
  const copy = svg.cloneNode(true) as SVGElement
  inlineStyles(svg, copy)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(full))
  copy.setAttribute('height', String(height))
  copy.setAttribute('viewBox', `${-padding} 0 ${full} ${height}`)
  const image = new Image()
  image.src = URL.createObjectURL(new Blob([copy.outerHTML], { type: 'image/svg+xml' }))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = full * scale
  canvas.height = tall * scale
  const context = canvas.getContext('2d')
  if (!context) return
  const { backgroundColor, color, fontFamily } = getComputedStyle(card)
  context.scale(scale, scale)
  context.fillStyle = backgroundColor
  context.fillRect(0, 0, full, tall)
  context.fillStyle = color
  context.font = `600 16px ${fontFamily}`
  context.textBaseline = 'top'
  context.fillText(title, padding, padding)
  context.translate(0, headHeight + padding)
  context.drawImage(image, 0, 0, full, height)
  context.translate(padding, 0)
  drawLegend(context, card, chart)
  URL.revokeObjectURL(image.src)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (blob) saveFile(title, 'png', blob)
}
