import countries from 'i18n-iso-countries/index.js'
import { normaliseUrl } from '../../core/sites/urls.ts'
import type { CrawlerDirective } from './document.ts'
import { attribute, type Element, hasWord, nameOf } from './dom.ts'

/** Directives that take a value after a colon: no names of crawlers. */
const valued = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/

const directivesOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/\s*:\s*/g, ':')
    .split(/[\s,]+/)
    .filter(Boolean)

export interface Directives {
  readonly directives: readonly string[]
  readonly crawlerDirectives: readonly CrawlerDirective[]
}

/** One line of `X-Robots-Tag`: the name of a crawler holds for the directives that follow. */
function headerDirectives(line: string): CrawlerDirective[] {
  let crawler = ''
  return line.split(',').flatMap((part) => {
    const [, name, rest] = /^\s*([^:\s]+)\s*:(.*)$/.exec(part) ?? []
    const isNamed = name !== undefined && !valued.test(name.toLowerCase())
    if (isNamed) crawler = name.toLowerCase()
    return directivesOf(isNamed ? (rest ?? '') : part).map((directive) => ({ crawler, directive }))
  })
}

/** Directives of `meta` elements and `X-Robots-Tag`. Names of crawlers are in lower case. */
export function readDirectives(
  metas: readonly Element[],
  xRobotsTag: readonly string[],
): Directives {
  const named = metas.flatMap((meta) => {
    const name = attribute(meta, 'name')?.trim().toLowerCase() ?? ''
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(name)) return []
    const crawler = name === 'robots' ? '' : name
    return directivesOf(attribute(meta, 'content') ?? '').map((directive) => ({
      crawler,
      directive,
    }))
  })
  const all = [...named, ...xRobotsTag.flatMap(headerDirectives)]
  const restricting = /^(?:noindex|none|nosnippet)$/
  return {
    directives: [
      ...new Set(all.filter(({ crawler }) => crawler === '').map(({ directive }) => directive)),
    ],
    crawlerDirectives: all
      .filter(({ crawler, directive }) => crawler !== '' && restricting.test(directive))
      .slice(0, 100),
  }
}

/** Resolves addresses of a page: null for what is no http or https address. */
export type Resolve = (reference: string | null) => string | null

/** `Link: <https://…>; rel="canonical"`. */
function headerCanonicals(lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    [...line.matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g)].flatMap(
      ([, target, parameters]) => {
        const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters ?? '')
        const words = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/)
        return words.includes('canonical') ? [target ?? ''] : []
      },
    ),
  )
}

/** The addresses of distinct canonical URLs without fragments, at most 20. */
export function readCanonicals(
  head: readonly Element[],
  link: readonly string[],
  resolve: Resolve,
): string[] {
  const links = head.filter(
    (element) => nameOf(element) === 'link' && hasWord(element, 'rel', 'canonical'),
  )
  const references = [
    ...links.map((element) => attribute(element, 'href')),
    ...headerCanonicals(link),
  ]
  const byUrl = new Map<string, string>()
  for (const reference of references) {
    const address = reference?.trim() ? (resolve(reference)?.replace(/#.*$/s, '') ?? null) : null
    const url = address === null ? null : normaliseUrl(address)
    if (address !== null && url !== null && !byUrl.has(url)) byUrl.set(url, address)
  }
  return [...byUrl.values()].slice(0, 20)
}

/** The target of a `meta` refresh of 30 seconds or less that leads to another URL. */
export function readRefresh(
  metas: readonly Element[],
  resolve: Resolve,
  url: string | null,
): string | null {
  for (const meta of metas) {
    if (attribute(meta, 'http-equiv')?.trim().toLowerCase() !== 'refresh') continue
    const content = attribute(meta, 'content') ?? ''
    const [, seconds, target] =
      /^\s*(\d+)(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']*)/i.exec(content) ?? []
    const address = target?.trim() ? resolve(target) : null
    if (address !== null && Number(seconds) <= 30 && normaliseUrl(address) !== url) return address
  }
  return null
}

const regions = new Set(Object.keys(countries.getAlpha2Codes()))

function isLanguageCode(code: string): boolean {
  const [, region] = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-([a-z]{2}))?$/i.exec(code) ?? [undefined, '?']
  return region === undefined || regions.has(region.toUpperCase())
}

/** The fault of the `hreflang` links of a page; null where they are valid or absent. */
export function readHreflangFault(
  elements: readonly Element[],
  resolve: Resolve,
  url: string | null,
): string | null {
  const links = elements.filter(
    (element) =>
      nameOf(element) === 'link' &&
      hasWord(element, 'rel', 'alternate') &&
      attribute(element, 'hreflang') !== null,
  )
  if (links.length === 0) return null
  const codes = links.map((element) => attribute(element, 'hreflang')?.trim() ?? '')
  const wrong = codes.find((code) => code.toLowerCase() !== 'x-default' && !isLanguageCode(code))
  if (wrong !== undefined) return `\`${wrong.slice(0, 50)}\` is no language code`
  const namesItself = links.some((element) => {
    const address = resolve(attribute(element, 'href'))
    return address !== null && normaliseUrl(address) === url
  })
  return namesItself ? null : 'none names the page itself'
}
