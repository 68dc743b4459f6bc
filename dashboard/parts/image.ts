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

/** Saves a drawing of the page as an image, on the ground of its card. */
export async function savePng(title: string, svg: SVGElement): Promise<void> {
  const { width, height } = svg.getBoundingClientRect()
  const copy = svg.cloneNode(true) as SVGElement
  inlineStyles(svg, copy)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const image = new Image()
  image.src = URL.createObjectURL(new Blob([copy.outerHTML], { type: 'image/svg+xml' }))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = getComputedStyle(document.body).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  URL.revokeObjectURL(image.src)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (blob) saveFile(title, 'png', blob)
}
