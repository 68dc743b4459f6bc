import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { loadBuffer } from 'cheerio'
import { contentType } from '../../core/sites/content-types.ts'
import { normaliseUrl } from '../../core/sites/urls.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import { countWords } from '../../core/text/words.ts'
import { readAbout } from './about.ts'
import type { ReadOptions, ReadPage } from './document.ts'
import { attribute, type Element, elementsOf, nameOf, type Root, rawText } from './dom.ts'
import { externalReferences } from './external.ts'
import {
  type Resolve,
  readCanonicals,
  readDirectives,
  readHreflangFault,
  readRefresh,
} from './head.ts'
import { readJsonLd } from './json-ld.ts'
import {
  counted,
  headingSkips,
  imagesWithoutAlt,
  mixedContent,
  ownLinks,
  unansweredQuestions,
} from './parts.ts'
import {
  contradictions,
  missingProperties,
  namesAuthor,
  newestDate,
  structuredTypes,
  writtenDates,
} from './structured-data.ts'
import { folded, mainPart, visibleText } from './text.ts'

const mostCharacters = 1000

/** The name of an encoding by its label, null for an unknown label. */
function encodingOf(label: string | null | undefined): string | null {
  try {
    return label?.trim() ? new TextDecoder(label.trim()).encoding : null
  } catch {
    return null
  }
}

function resolver(elements: readonly Element[], address: string): Resolve {
  const base = elements.find(
    (element) => nameOf(element) === 'base' && attribute(element, 'href') !== null,
  )
  const start =
    URL.parse(base === undefined ? '' : (attribute(base, 'href') ?? ''), address)?.href ?? address
  return (reference) => {
    const url = reference === null ? null : URL.parse(reference.trim(), start)
    return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
  }
}

const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Elements that a script of the page fills. */
const mounts = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte'])

function needsJavascript(elements: readonly Element[], words: number): boolean {
  if (words >= 50) return false
  const runs = elements.some(
    (element) => nameOf(element) === 'script' && attribute(element, 'src') !== null,
  )
  const mount = elements.find(
    (element) => nameOf(element) === 'app-root' || mounts.has(attribute(element, 'id') ?? ''),
  )
  const isEmpty = mount !== undefined && countWords(visibleText(mount).text) === 0
  const asks = () =>
    elements.some(
      (element) => nameOf(element) === 'noscript' && /javascript/i.test(rawText(element)),
    )
  return runs && (isEmpty || asks())
}

/**
 * Reads the HTML of a page. Bytes with deep nesting or above the limit of size must not come here.
 * @param charset the encoding that `Content-Type` names
 * @param address the address that gave the answer
 */
export function readDocument(
  bytes: Uint8Array,
  charset: string | null,
  address: string,
  options: ReadOptions,
): ReadPage {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = encodingOf(charset)
  const $ = loadBuffer(buffer, {
    // Browsers guess windows-1252 for pages that name no encoding, though most are UTF-8.
    encoding: {
      defaultEncoding: isUtf8(buffer) ? 'utf-8' : 'windows-1252',
      ...(header === null ? {} : { transportLayerEncodingLabel: header }),
    },
    sourceCodeLocationInfo: true,
  })
  const root: Root = $.root()[0] as Root
  const elements = elementsOf(root)
  const named = (name: string) => elements.filter((element) => nameOf(element) === name)
  const head = named('head')[0]
  const inHead = head === undefined ? [] : elementsOf(head)
  const body = named('body')[0] ?? (named('frameset')[0] as Root | undefined) ?? root
  const metas = named('meta')
  const url = normaliseUrl(address)
  const resolve = resolver(elements, address)
  const metaText = (name: string) =>
    metas
      .filter((meta) => attribute(meta, 'name')?.trim().toLowerCase() === name)
      .map((meta) => collapsed(attribute(meta, 'content') ?? ''))
      .find((text) => text !== '') ?? ''

  const whole = visibleText(body)
  const part = mainPart(body, elements)
  const mainText = visibleText(part.root, part.omitted)
  const main = mainText.text
  const foldedMain = folded(main)
  const title =
    inHead
      .filter((element) => nameOf(element) === 'title')
      .map((element) => collapsed(rawText(element)))
      .find((text) => text !== '') ?? ''
  const description = metaText('description')
  const words = countWords(whole.text)
  const { nodes, invalid } = readJsonLd(elements)
  const html = named('html')[0]
  const h1 = whole.headings.filter(({ level }) => level === 1).map(({ text }) => text)
  const metaCharset = metas
    .map((meta) => attribute(meta, 'charset'))
    .find((label) => label !== null)

  return {
    main,
    about: readAbout({
      elements,
      metas,
      nodes,
      headings: whole.headings,
      resolve,
      ownDomains: options.ownDomains,
    }),
    document: {
      language: html === undefined ? null : (attribute(html, 'lang')?.slice(0, 100) ?? null),
      charsets: { header, meta: encodingOf(metaCharset) },
      title: title === '' ? null : title.slice(0, mostCharacters),
      titleLength: [...title].length,
      description: description === '' ? null : description.slice(0, mostCharacters),
      descriptionLength: [...description].length,
      kind: contentType(url ?? address, title),
      words,
      mainWords: countWords(main),
      mainKey: hash('sha256', foldedMain, 'hex').slice(0, 32),
      hasPlaceholder: foldedMain.includes('lorem ipsum'),
      hasMain: part.isMarked,
      namesBrand:
        options.brand === null
          ? null
          : compileBrands([options.brand]).find(`${title}\n\n${main}`).length > 0,
      ...readDirectives(metas, options.xRobotsTag),
      canonicals: readCanonicals(inHead, options.link, resolve),
      refresh: readRefresh(metas, resolve, url),
      hreflangFault: readHreflangFault(elements, resolve, url),
      hasViewport: metas.some(
        (meta) => attribute(meta, 'name')?.trim().toLowerCase() === 'viewport',
      ),
      h1: h1.slice(0, 20).map((text) => text.slice(0, mostCharacters)),
      h1Count: h1.length,
      headingSkips: headingSkips(whole.headings),
      unansweredQuestions: unansweredQuestions(whole.headings),
      hasSubheadings: mainText.headings.some(({ level }) => level === 2 || level === 3),
      links: ownLinks(elements, resolve, options.ownDomains),
      ...(options.listsExternalLinks && {
        externalLinks: externalReferences(elements, resolve, { address, ...options }),
      }),
      mixedContent: mixedContent(elements, resolve, address),
      imagesWithoutAlt: imagesWithoutAlt(whole.images, resolve),
      hasAuthor: namesAuthor(nodes, elements),
      newestDate: newestDate(writtenDates(nodes, elements), options.now),
      types: structuredTypes(nodes, elements),
      invalidBlocks: counted(invalid),
      missingProperties: counted(missingProperties(nodes)),
      contradictions: counted(contradictions(nodes, title, whole.text)),
      needsJavascript: needsJavascript(elements, words),
    },
  }
}
