import type { EvidenceEntry } from '../../core/checks/check.ts'
import { attribute, type Element, hasWord, nameOf, rawText } from './dom.ts'
import { type JsonLdNode, listOf, textsOf, typeName } from './json-ld.ts'
import { folded } from './text.ts'

const articles = ['Article', 'BlogPosting', 'NewsArticle']

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

/** Properties that a type needs: each by itself, or one of several. */
const needed: readonly { types: readonly string[]; properties: readonly (readonly string[])[] }[] =
  [
    { types: ['Product'], properties: [['name'], ['offers', 'review', 'aggregateRating']] },
    { types: articles, properties: [['headline'], ['datePublished'], ['author']] },
    { types: ['Organization'], properties: [['name'], ['url']] },
    { types: ['FAQPage'], properties: [['mainEntity']] },
    { types: ['BreadcrumbList'], properties: [['itemListElement']] },
  ]

/** Properties that nodes lack, one entry each. */
export function missingProperties(nodes: readonly JsonLdNode[]): EvidenceEntry[] {
  return nodes.flatMap(({ types, value, line }) => {
    const lacking = needed
      .filter((rule) => rule.types.some((type) => types.includes(type)))
      .flatMap(({ properties }) => properties)
      .filter((alternatives) => alternatives.every((name) => isEmpty(value[name])))
    return lacking.map((names) => ({ line, text: `${types.join(', ')}: ${names.join(' or ')}` }))
  })
}

/** The numbers that a written number can mean: `1.299` is 1299 in German and 1.299 in English. */
function meanings(written: string): number[] {
  const text = written.replace(/[\s'’\u202f]/g, '')
  const separators = text.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return [Number(text)]
  const whole = Number(text.replace(/[.,]/g, ''))
  const at = text.lastIndexOf(last)
  const decimal = Number(`${text.slice(0, at).replace(/[.,]/g, '')}.${text.slice(at + 1)}`)
  const decimals = text.length - at - 1
  const mayGroup = decimals === 3
  const mayDecide = separators.filter((sign) => sign === last).length === 1
  return [...(mayGroup ? [whole] : []), ...(mayDecide ? [decimal] : [])]
}

/** All numbers that a text may mean. */
function numbersOf(text: string): Set<number> {
  const numbers = new Set<number>()
  for (const [written] of text.matchAll(
    /\d{1,3}(?:[ '’\u202f\u00a0]\d{3})+(?:[.,]\d+)?|\d[\d.,]*/g,
  )) {
    for (const part of [written, ...written.split(/[ \u202f\u00a0]/)]) {
      for (const number of meanings(part.replace(/[.,]+$/, ''))) numbers.add(number)
    }
  }
  return numbers
}

function pricesOf(node: JsonLdNode): (string | number)[] {
  const offers = node.types.includes('Offer') ? [node.value] : listOf(node.value.offers)
  return offers.flatMap((offer) => {
    if (typeof offer !== 'object' || offer === null) return []
    const { price } = offer as { price?: unknown }
    return typeof price === 'number' || (typeof price === 'string' && price.trim() !== '')
      ? [price]
      : []
  })
}

/** Names, headlines and prices of nodes that title and text of the page do not hold. */
export function contradictions(
  nodes: readonly JsonLdNode[],
  title: string,
  text: string,
): EvidenceEntry[] {
  const shown = `${folded(title)} ${folded(text)}`
  const named = ['Product', 'WebPage', ...articles]
  const numbers = nodes.some((node) => pricesOf(node).length > 0) ? numbersOf(shown) : new Set()
  return nodes.flatMap((node) => {
    const { types, line, value } = node
    const names = types.some((type) => named.includes(type))
      ? ['name', 'headline'].flatMap((property) =>
          textsOf(value[property])
            .filter((name) => folded(name) !== '' && !shown.includes(folded(name)))
            .map((name) => ({ line, text: `${property}: ${name}` })),
        )
      : []
    const prices = pricesOf(node)
      .filter((price) => !meanings(String(price)).some((number) => numbers.has(number)))
      .map((price) => ({ line, text: `price: ${price}` }))
    return [...names, ...prices]
  })
}

const ofSchemaOrg = (text: string) => /^https?:\/\/(?:www\.)?schema\.org\//i.test(text)

/** Whether the nearest `vocab` of an element or its ancestors is schema.org. */
function inSchemaOrg(element: Element): boolean {
  let at: Element['parent'] | Element = element
  while (at !== null && 'attribs' in at) {
    const vocabulary = attribute(at, 'vocab')
    if (vocabulary !== null) return ofSchemaOrg(`${vocabulary.replace(/\/?$/, '')}/`)
    at = at.parent
  }
  return false
}

/** The types of structured data of a page: JSON-LD, microdata and RDFa. */
export function structuredTypes(
  nodes: readonly JsonLdNode[],
  elements: readonly Element[],
): string[] {
  const types = new Set(nodes.flatMap((node) => node.types))
  for (const element of elements) {
    const items = attribute(element, 'itemtype')?.split(/\s+/).filter(ofSchemaOrg) ?? []
    const resources = attribute(element, 'typeof')?.split(/\s+/).filter(Boolean) ?? []
    const known = resources.filter(
      (type) =>
        ofSchemaOrg(type) ||
        /^schema:/i.test(type) ||
        (/^[A-Za-z]+$/.test(type) && inSchemaOrg(element)),
    )
    for (const type of [...items, ...known]) types.add(typeName(type))
  }
  return [...types].filter(Boolean).slice(0, 50)
}

/** The written dates of a page, in its markup and structured data. */
export function writtenDates(nodes: readonly JsonLdNode[], elements: readonly Element[]): string[] {
  const marked = elements.flatMap((element) => {
    const value = (name: string) => attribute(element, name) ?? ''
    if (/^article:(?:published|modified)_time$/i.test(value('property'))) return [value('content')]
    const isDated =
      hasWord(element, 'itemprop', 'datepublished') || hasWord(element, 'itemprop', 'datemodified')
    if (isDated) return [value('content') || value('datetime') || rawText(element)]
    return nameOf(element) === 'time' ? [value('datetime')] : []
  })
  const inNodes = nodes.flatMap(({ value }) => [
    ...textsOf(value.datePublished),
    ...textsOf(value.dateModified),
  ])
  return [...inNodes, ...marked]
}

/** The newest of written dates, YYYY-MM-DD, from 1990 until the day after `now`. */
export function newestDate(written: readonly string[], now: Date): string | null {
  const tomorrow = new Date(now.getTime() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const days = written.flatMap((text) => {
    const [, day] =
      /^\s*(\d{4}-\d{2}(?:-\d{2})?)(?:[T ][\d:.,]+\s*(?:Z|[+-][\d:]+)?)?\s*$/i.exec(text) ?? []
    if (day === undefined) return []
    const whole = day.length === 7 ? `${day}-01` : day
    const time = Date.parse(`${whole}T00:00:00Z`)
    const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(whole)
    return isDay && whole >= '1990-01-01' && whole <= tomorrow ? [whole] : []
  })
  return days.sort().at(-1) ?? null
}

/** Whether text or markup names an author. */
export function namesAuthor(nodes: readonly JsonLdNode[], elements: readonly Element[]): boolean {
  return (
    nodes.some(({ value }) => !isEmpty(value.author)) ||
    elements.some(
      (element) =>
        hasWord(element, 'rel', 'author') ||
        hasWord(element, 'itemprop', 'author') ||
        (nameOf(element) === 'meta' &&
          attribute(element, 'name')?.trim().toLowerCase() === 'author' &&
          attribute(element, 'content')?.trim()),
    )
  )
}
