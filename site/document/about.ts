import type { NavigationLink, PageAbout } from '../../core/setup/site.ts'
import { domainOf, hostOf } from '../../core/sites/urls.ts'
import { attribute, type Element, elementsOf, nameOf } from './dom.ts'
import type { Resolve } from './head.ts'
import { type JsonLdNode, listOf, textsOf } from './json-ld.ts'
import { type Heading, visibleText } from './text.ts'

const most = 40
const mostCharacters = 300

const organisations =
  /^(?:Organization|Corporation|Brand|OnlineStore|OnlineBusiness|LocalBusiness|Store|NGO|EducationalOrganization)$/

const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim()
const kept = (texts: readonly string[]) =>
  [...new Set(texts.map(collapsed))]
    .filter((text) => text !== '' && text.length <= mostCharacters)
    .slice(0, most)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Links inside `nav` elements, each address once. */
function navigationOf(
  elements: readonly Element[],
  resolve: Resolve,
  ownDomains: readonly string[],
): NavigationLink[] {
  const own = new Set(ownDomains)
  const links = new Map<string, string>()
  const navs = elements.filter(
    (element) => nameOf(element) === 'nav' || attribute(element, 'role') === 'navigation',
  )
  for (const link of navs.flatMap((nav) => elementsOf(nav))) {
    if (nameOf(link) !== 'a' || links.size === 2 * most) continue
    const address = resolve(attribute(link, 'href'))?.replace(/#.*$/s, '') ?? null
    const { text } = visibleText(link)
    if (address === null || text === '' || text.length > mostCharacters) continue
    if (own.has(domainOf(hostOf(address))) && !links.has(address)) links.set(address, text)
  }
  return [...links].map(([address, text]) => ({ address, text }))
}

export interface AboutSources {
  readonly elements: readonly Element[]
  readonly metas: readonly Element[]
  readonly nodes: readonly JsonLdNode[]
  readonly headings: readonly Heading[]
  readonly resolve: Resolve
  readonly ownDomains: readonly string[]
}

/** What a page says of its site and its subject. */
export function readAbout(sources: AboutSources): PageAbout {
  const { metas, nodes, headings } = sources
  const siteName = metas
    .filter((meta) => attribute(meta, 'property')?.trim().toLowerCase() === 'og:site_name')
    .map((meta) => collapsed(attribute(meta, 'content') ?? ''))
    .find(Boolean)
  const ofTypes = (isOne: (type: string) => boolean) =>
    nodes.filter(({ types }) => types.some(isOne)).map(({ value }) => value)
  const companies = ofTypes((type) => organisations.test(type))
  const faqs = ofTypes((type) => type === 'FAQPage')
  const asked = faqs.flatMap(({ mainEntity }) =>
    listOf(mainEntity)
      .filter(isObject)
      .flatMap(({ name }) => textsOf(name)),
  )
  const asking = headings.filter(({ text }) => /[?？]$/.test(text)).map(({ text }) => text)
  return {
    siteName: (siteName ?? '').slice(0, mostCharacters),
    names: kept(companies.flatMap(({ name }) => textsOf(name))),
    aliases: kept(
      companies.flatMap(({ alternateName, legalName }) => [
        ...textsOf(alternateName),
        ...textsOf(legalName),
      ]),
    ),
    summary: kept(companies.flatMap(({ description }) => textsOf(description)))[0] ?? '',
    products: kept(ofTypes((type) => type === 'Product').flatMap(({ name }) => textsOf(name))),
    questions: kept([...asked, ...asking]),
    navigation: navigationOf(sources.elements, sources.resolve, sources.ownDomains),
  }
}
