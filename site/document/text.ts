import { attribute, type Element, nameOf, type Root, walk } from './dom.ts'

/** Elements whose content is no text of the page. */
const unread = new Set(
  'script style noscript template svg math iframe object canvas audio video select dialog'.split(
    ' ',
  ),
)

const isHidden = (element: Element) =>
  attribute(element, 'hidden') !== null || attribute(element, 'aria-hidden') === 'true'

/** Elements that do not part the words at their edges. */
const inline = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr ' +
    'output q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'
  ).split(' '),
)

const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A text in the form in which texts are compared: NFKC, lower case, white space collapsed. */
export function folded(text: string): string {
  return collapsed(text.normalize('NFKC').toLowerCase())
}

export interface Heading {
  readonly level: number
  readonly text: string
  /** The text between this heading and the next. */
  readonly below: string
}

export interface VisibleText {
  readonly text: string
  /** Headings with text. */
  readonly headings: readonly Heading[]
  readonly images: readonly Element[]
}

/** The text that readers see below an element, and what stands in it. `omitted` names elements to leave out. */
export function visibleText(root: Root | Element, omitted: readonly string[] = []): VisibleText {
  const left = new Set(omitted)
  const all: string[] = []
  const images: Element[] = []
  const headings: { level: number; text: string[]; below: string[] }[] = []
  let open: Element | null = null
  const add = (piece: string) => {
    all.push(piece)
    const last = headings.at(-1)
    if (last !== undefined) (open === null ? last.below : last.text).push(piece)
  }
  walk(root, {
    enter(element) {
      const name = nameOf(element)
      if (unread.has(name) || left.has(name) || isHidden(element)) {
        if (!inline.has(name)) add(' ')
        return false
      }
      if (name === 'img') images.push(element)
      if (!inline.has(name)) add(' ')
      if (open === null && /^h[1-6]$/.test(name)) {
        open = element
        headings.push({ level: Number(name.charAt(1)), text: [], below: [] })
      }
      return true
    },
    text: add,
    leave(element) {
      if (element === open) open = null
      if (!inline.has(nameOf(element))) add(' ')
    },
  })
  return { text: collapsed(all.join('')), headings: withText(headings), images }
}

/** Headings without text are no headings: what stands below them belongs to the heading before. */
function withText(
  headings: readonly { level: number; text: string[]; below: string[] }[],
): Heading[] {
  const kept: { level: number; text: string; below: string[] }[] = []
  for (const { level, text, below } of headings) {
    const words = collapsed(text.join(''))
    if (words !== '') kept.push({ level, text: words, below })
    else kept.at(-1)?.below.push(' ', ...below)
  }
  return kept.map(({ level, text, below }) => ({ level, text, below: collapsed(below.join('')) }))
}

/** The main part of a page: its element, and the names of the parts to leave out. */
export function mainPart(
  body: Root | Element,
  elements: readonly Element[],
): { root: Root | Element; omitted: readonly string[]; isMarked: boolean } {
  const main = elements.find(
    (element) => nameOf(element) === 'main' || attribute(element, 'role') === 'main',
  )
  const articles = elements.filter((element) => nameOf(element) === 'article')
  const isMarked = main !== undefined || articles.length > 0
  const root = main ?? (articles.length === 1 ? articles[0] : undefined)
  if (root !== undefined) return { root, omitted: ['nav', 'aside'], isMarked }
  return { root: body, omitted: ['nav', 'header', 'footer', 'aside'], isMarked }
}
