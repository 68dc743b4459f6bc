const words = (text: string) => new Set(text.split(' '))

const voids = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)
/** Elements whose start ends a paragraph. */
const blocks = words(
  'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
)
/** Formatting elements: their end tag closes them across other elements. */
const formatting = words('a b big code em font i nobr s small strike strong tt u')
/** No end tag and no implied end reaches beyond them. */
const barriers = words('applet caption html marquee object table td template th svg math')
const paragraphBarriers = new Set([...barriers, 'button'])
/** An item of a list ends at the next item, unless a list or another block lies between. */
const transparent = words('address div p')
const blocksItems = new Set([
  ...blocks,
  ...barriers,
  'body',
  'button',
  'tbody',
  'tfoot',
  'thead',
  'tr',
])

/** An element that ends at the start of another: which ends, and what keeps it open. */
const impliedEnds: Readonly<
  Record<string, { ends: ReadonlySet<string>; in: ReadonlySet<string> }>
> = {
  td: { ends: words('td th'), in: words('tr table template') },
  th: { ends: words('td th'), in: words('tr table template') },
  tr: { ends: words('tr caption colgroup'), in: words('tbody thead tfoot table template') },
  ...Object.fromEntries(
    ['tbody', 'thead', 'tfoot', 'caption', 'colgroup'].map((name) => [
      name,
      { ends: words('tbody thead tfoot caption colgroup tr'), in: words('table template') },
    ]),
  ),
  body: { ends: words('head'), in: words('html template') },
}

/** The open elements of a page, by the main rules of HTML for omitted end tags. */
export interface OpenElements {
  readonly depth: number
  readonly isForeign: boolean
  open(name: string): void
  close(name: string): void
  closeSelf(): void
}

/** @see https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody */
export function openElements(): OpenElements {
  const stack: string[] = []

  /** Closes the nearest of these and all in it, unless a barrier lies before. */
  function closeNearest(ends: ReadonlySet<string>, barrier: ReadonlySet<string>): boolean {
    const at = stack.findLastIndex((name) => ends.has(name) || barrier.has(name))
    if (at < 0 || !ends.has(stack[at] ?? '')) return false
    stack.length = at
    return true
  }
  function closeItem(names: ReadonlySet<string>): void {
    const at = stack.findLastIndex(
      (name) => names.has(name) || (blocksItems.has(name) && !transparent.has(name)),
    )
    if (at >= 0 && names.has(stack[at] ?? '')) stack.length = at
  }
  function closeTop(names: ReadonlySet<string>): void {
    if (names.has(stack.at(-1) ?? '')) stack.pop()
  }

  const headings = words('h1 h2 h3 h4 h5 h6')
  const paragraph = words('p')
  const item = words('li')
  const term = words('dd dt')
  const option = words('option optgroup')
  const button = words('button')
  const ruby = words('rb rt rtc rp')

  function endImplied(name: string): void {
    if (name === 'li') closeItem(item)
    else if (name === 'dd' || name === 'dt') closeItem(term)
    if (blocks.has(name)) closeNearest(paragraph, paragraphBarriers)
    if (headings.has(name)) closeTop(headings)
    else if (name === 'option') closeTop(words('option'))
    else if (name === 'optgroup') {
      closeTop(option)
      closeTop(option)
    } else if (ruby.has(name)) closeTop(ruby)
    else if (name === 'button') closeNearest(button, barriers)
    else if (name === 'a' || name === 'nobr') endFormatting(name)
    const implied = impliedEnds[name]
    if (implied === undefined) return
    const at = stack.findLastIndex((each) => implied.in.has(each))
    const end = stack.findIndex((each, i) => i > at && implied.ends.has(each))
    if (at >= 0 && end >= 0) stack.length = end
  }

  function endFormatting(name: string): void {
    const at = stack.findLastIndex((each) => each === name || barriers.has(each))
    if (stack[at] === name) stack.splice(at, 1)
  }

  return {
    get depth() {
      return stack.length
    },
    get isForeign() {
      return stack.includes('svg') || stack.includes('math')
    },
    open(name) {
      if (voids.has(name)) return
      if ((name === 'html' || name === 'body' || name === 'form') && stack.includes(name)) return
      endImplied(name)
      stack.push(name)
    },
    close(name) {
      if (formatting.has(name)) endFormatting(name)
      else closeNearest(new Set([name]), barriers)
    },
    closeSelf() {
      stack.pop()
    },
  }
}
