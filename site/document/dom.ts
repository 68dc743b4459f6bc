import type { CheerioAPI } from 'cheerio'

export type Root = ReturnType<CheerioAPI['root']>[0]
export type Node = Root['children'][number]
export type Element = Extract<Node, { attribs: Record<string, string> }>

/** A document, an element, or anything else that has children. */
type Parent = Root | Element

const isElement = (node: Node | Parent): node is Element => 'attribs' in node

/** The name of an element in lower case. */
export const nameOf = (element: Element): string => element.name.toLowerCase()

/** An attribute, null where the element has none. */
export function attribute(element: Element, name: string): string | null {
  return Object.hasOwn(element.attribs, name) ? (element.attribs[name] ?? null) : null
}

/** Whether an attribute holds a word, in any case: `rel` of `alternate author` holds `author`. */
export function hasWord(element: Element, name: string, word: string): boolean {
  return attribute(element, name)?.toLowerCase().split(/\s+/).includes(word) ?? false
}

interface Visitor {
  /** Called before the children; false leaves them out. */
  enter: (element: Element) => boolean
  text?: (data: string) => void
  /** Called after the children of an entered element. */
  leave?: (element: Element) => void
}

/** Visits all nodes below a node in document order. Depth costs no stack. */
export function walk(root: Parent, { enter, text, leave }: Visitor): void {
  let node: Node | null = root.children[0] ?? null
  while (node !== null) {
    let below: Node | null = null
    if (node.type === 'text') text?.(node.data)
    else if (isElement(node)) {
      if (enter(node)) {
        below = node.children[0] ?? null
        if (below === null) leave?.(node)
      }
    }
    if (below !== null) {
      node = below
      continue
    }
    while (node !== null && node.next === null) {
      const parent: Node | Parent | null = node.parent
      if (parent === null || parent === root || !isElement(parent)) return
      leave?.(parent)
      node = parent
    }
    node = node?.next ?? null
  }
}

/** The elements of a document in order, without those inside `template`. */
export function elementsOf(root: Parent): Element[] {
  const elements: Element[] = []
  walk(root, {
    enter(element) {
      elements.push(element)
      return nameOf(element) !== 'template'
    },
  })
  return elements
}

/** All text below a node, also of scripts. */
export function rawText(root: Parent): string {
  const pieces: string[] = []
  walk(root, { enter: () => true, text: (data) => pieces.push(data) })
  return pieces.join('')
}
