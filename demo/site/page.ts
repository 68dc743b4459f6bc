import { pageText, topicOf } from '../page-texts.ts'
import { wordsOf } from '../topics.ts'
import { ownBrand, shortName } from '../world.ts'
import { addressOf } from './paths.ts'

/** What a page of the site is made of. A fault replaces a part of it. */
export interface PageParts {
  readonly title: string
  readonly description: string | null
  readonly heading: string | null
  readonly canonical: string
  /** Further elements of `head`. */
  readonly head: string
  /** Structured data as JSON-LD; null for none. */
  readonly data: string | null
  readonly paragraphs: readonly string[]
  /** HTML after the paragraphs. */
  readonly more: string
}

const brand = shortName(ownBrand)
const dayMs = 24 * 60 * 60 * 1000
const daysBefore = (endDay: string, days: number) =>
  new Date(Date.parse(endDay) - days * dayMs).toISOString().slice(0, 10)

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface About {
  readonly heading: string
  readonly summary: string
  /** A node of schema.org. */
  readonly node: object
  readonly more?: string
}

function aboutProduct(path: string): About | null {
  const found = Object.entries(ownBrand.products).find(
    ([, [name]]) => path === `/products/${`${brand} ${name}`.toLowerCase().replaceAll(' ', '-')}`,
  )
  if (found === undefined) return null
  const [category, [name, price]] = found
  const heading = `${brand} ${name}`
  return {
    heading,
    summary: `${capitalised(category)} for ${price} dollars`,
    node: {
      '@type': 'Product',
      name: heading,
      offers: { '@type': 'Offer', price, priceCurrency: 'USD' },
    },
    more: `<p>It costs $${price}, with five years of spare parts.</p>`,
  }
}

function aboutGuide(path: string, endDay: string): About | null {
  if (!path.startsWith('/how-to-')) return null
  const about = wordsOf(topicOf(path))
  const heading = `How to choose ${about}`
  const date = daysBefore(endDay, 40)
  return {
    heading,
    summary: 'A guide by people who build them',
    node: {
      '@type': 'Article',
      headline: heading,
      datePublished: date,
      author: { '@type': 'Person', name: 'Ida Brandt' },
    },
    more: `<p>By Ida Brandt, <time datetime="${date}">${date}</time></p>`,
  }
}

function aboutOther(path: string): About {
  const node = (name: string) => ({ '@type': 'WebPage', name })
  if (path === '/') {
    const heading = `${ownBrand.name}: headphones and speakers`
    const organization = { '@type': 'Organization', name: ownBrand.name, url: addressOf('/') }
    return { heading, summary: 'Audio that can be repaired', node: organization }
  }
  const [, folder = '', name = ''] = path.split('/')
  if (folder === 'category') {
    const heading = capitalised(wordsOf(topicOf(path)))
    return { heading, summary: `All ${brand} models`, node: node(heading) }
  }
  if (folder === 'docs') {
    const heading = `Set up your ${name}`
    return { heading, summary: `Help by ${brand}`, node: node(heading) }
  }
  const heading = capitalised([folder, name].filter(Boolean).join(' ').replaceAll('-', ' '))
  return { heading, summary: ownBrand.name, node: node(heading) }
}

/** The parts of a page without faults. */
export function soundParts(path: string, endDay: string): PageParts {
  const about = aboutProduct(path) ?? aboutGuide(path, endDay) ?? aboutOther(path)
  const { heading, summary, node, more = '' } = about
  return {
    title: `${heading} | ${summary}`.slice(0, 65),
    description: `${heading}: ${summary.toLowerCase()}. What ${ownBrand.name} knows of it, and what owners say.`,
    heading,
    canonical: addressOf(path),
    head: '',
    data: JSON.stringify({ '@context': 'https://schema.org', ...node }),
    paragraphs: pageText(path),
    more: more + (path === '/' ? '' : '<p><a href="/">Home</a></p>'),
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Paragraphs with a heading before every third, so that a long text is not one block. */
function sections(paragraphs: readonly string[]): string {
  return paragraphs
    .map((text, at) => {
      const heading = at > 0 && at % 3 === 0 ? `<h2>Part ${at / 3 + 1}</h2>\n` : ''
      return `${heading}<p>${escaped(text)}</p>`
    })
    .join('\n')
}

/** The HTML of a page. */
export function htmlOf(parts: PageParts): string {
  const { title, description, heading, canonical, head, data, paragraphs, more } = parts
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title>`,
    description === null ? '' : `<meta name="description" content="${escaped(description)}">`,
    `<link rel="canonical" href="${canonical}">`,
    data === null ? '' : `<script type="application/ld+json">${data}</script>`,
    head,
  ]
  const main = `${heading === null ? '' : `<h1>${escaped(heading)}</h1>\n`}${sections(paragraphs)}`
  return `<!doctype html>
<html lang="en">
<head>
${lines.filter(Boolean).join('\n')}
</head>
<body>
<main>
${main}
${more}
</main>
</body>
</html>
`
}
