import type { EvidenceEntry } from '../../core/checks/check.ts'
import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import { countWords } from '../../core/text/words.ts'
import type { Counted } from './document.ts'
import { attribute, type Element, hasWord, nameOf } from './dom.ts'
import type { Resolve } from './head.ts'
import type { Heading } from './text.ts'

const mostEvidence = 20
const mostCharacters = 200

/** A list as its length and its first 20 entries. */
export function counted(entries: readonly EvidenceEntry[]): Counted {
  const first = entries.slice(0, mostEvidence).map((entry) => ({
    ...entry,
    ...(entry.text === undefined ? {} : { text: entry.text.slice(0, mostCharacters) }),
  }))
  return { n: entries.length, first }
}

/** Headings two or more levels below the heading before. */
export function headingSkips(headings: readonly Heading[]): Counted {
  return counted(
    headings.flatMap(({ level, text }, i) => {
      const before = headings[i - 1]
      return before !== undefined && level - before.level >= 2
        ? [{ text: `h${before.level} to h${level}: ${text}` }]
        : []
    }),
  )
}

/** Headings h2 to h4 that end in "?" with under 5 words below. */
export function unansweredQuestions(headings: readonly Heading[]): Counted {
  return counted(
    headings
      .filter(({ level, text, below }) => {
        const asks = level >= 2 && level <= 4 && /[?？]$/.test(text)
        return asks && countWords(below) < 5
      })
      .map(({ text }) => ({ text })),
  )
}

const isTiny = (image: Element) =>
  ['width', 'height'].every((name) => {
    const size = attribute(image, name)?.trim() ?? ''
    return /^\d/.test(size) && Number.parseFloat(size) <= 1
  })

/** Images without `alt`, except those that are decoration by role, `aria-hidden` or size. */
export function imagesWithoutAlt(images: readonly Element[], resolve: Resolve): Counted {
  const lacking = images.filter((image) => {
    const role = attribute(image, 'role')?.trim().toLowerCase() ?? ''
    const isDecoration = role === 'presentation' || role === 'none' || isTiny(image)
    return attribute(image, 'alt') === null && !isDecoration
  })
  return counted(
    lacking.map((image) => {
      const address = resolve(attribute(image, 'src'))?.slice(0, 300)
      const line = image.sourceCodeLocation?.startLine
      return {
        ...(address === undefined ? {} : { address }),
        ...(line === undefined ? {} : { line }),
      }
    }),
  )
}

/** Attributes that load a resource, by element. */
const loading: Record<string, string> = {
  img: 'src',
  script: 'src',
  iframe: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
  track: 'src',
  embed: 'src',
  object: 'data',
}

function resourcesOf(element: Element): string[] {
  const name = nameOf(element)
  if (name === 'link') {
    return hasWord(element, 'rel', 'stylesheet') ? [attribute(element, 'href') ?? ''] : []
  }
  const own = loading[name]
  if (own === undefined) return []
  const set = name === 'img' || name === 'source' ? (attribute(element, 'srcset') ?? '') : ''
  const candidates = [...set.matchAll(/(?:^|[\s,])(http:\/\/[^\s,]+)/gi)].map((match) => match[1])
  return [attribute(element, own) ?? '', ...candidates.map((candidate) => candidate ?? '')]
}

/** Resources of an `http:` origin other than the page's. */
export function mixedContent(
  elements: readonly Element[],
  resolve: Resolve,
  address: string,
): Counted {
  const origin = URL.parse(address)?.origin
  const found = new Set<string>()
  for (const element of elements) {
    for (const reference of resourcesOf(element)) {
      const target = reference.trim() === '' ? null : URL.parse(resolve(reference) ?? '')
      if (target?.protocol === 'http:' && target.origin !== origin) found.add(target.href)
    }
  }
  return counted([...found].map((href) => ({ address: href.slice(0, 300) })))
}

const mostLinks = 5000

/** Addresses of own pages that `a` and `area` link to, each once, without fragments. */
export function ownLinks(
  elements: readonly Element[],
  resolve: Resolve,
  ownDomains: readonly string[],
): string[] {
  const own = new Set(ownDomains)
  const found = new Set<string>()
  for (const element of elements) {
    const name = nameOf(element)
    if (name !== 'a' && name !== 'area') continue
    const address = resolve(attribute(element, 'href'))?.replace(/#.*$/s, '') ?? null
    if (address === null || normaliseUrl(address) === null) continue
    if (own.has(domainOf(hostOf(address)))) found.add(address)
    if (found.size === mostLinks) break
  }
  return [...found]
}
