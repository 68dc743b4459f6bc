import type { PageParts } from './page.ts'
import { addressOf, sitePaths } from './paths.ts'

/** An answer of the site that is no page. */
export interface Reply {
  readonly status: number
  readonly location?: string
}

export type Fault = Partial<PageParts> | ((sound: PageParts) => Partial<PageParts>) | Reply

const gone = '/products/lumora-stage-one'
const moved = '/how-to-choose-travel-headphones'
const linkTo = (path: string) => `<p><a href="${path}">Read on</a></p>`

/** The home page links to every page that answers. */
const links = sitePaths
  .filter((path) => path !== '/' && path !== gone && path !== moved)
  .map((path) => `<a href="${path}">${path.replaceAll(/[/-]/g, ' ').trim()}</a>`)

/** Categories of a template without descriptions: as many pages as a comparison of crawls and citations needs, and one. */
const undescribed = [
  'noise-cancelling-headphones',
  'running-earbuds',
  'studio-headphones',
  'gaming-headsets',
  'travel-headphones',
  'lumora-headphones',
].map((category) => [`/category/${category}`, { description: null }] as const)

/** What is wrong with the site, by path, as on a site that grew for years. */
export const faults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(undescribed),
  '/': ({ more }) => ({ more: `${more}<p>${links.join(' ')}</p>` }),
  // Assistants still send people to a product that was taken from sale.
  [gone]: { status: 404 },
  '/category/soundbars': ({ more }) => ({ more: more + linkTo(gone) }),
  [moved]: { status: 301, location: '/how-to-choose-noise-cancelling-headphones' },
  '/how-to-choose-noise-cancelling-headphones': ({ more }) => ({ more: more + linkTo(moved) }),
  '/products/lumora-halo-play': { data: null },
  '/category/headphones-for-kids': { head: '<meta name="robots" content="noindex">' },
  '/category/headsets-for-calls': { canonical: addressOf('/category/gaming-headsets') },
  '/category/multiroom-speakers': { title: 'Speakers for every room | All Lumora models' },
  '/category/bluetooth-speakers': { title: 'Speakers for every room | All Lumora models' },
  '/docs/soundbar/set-up': ({ title }) => ({
    title: `${title} | The one place for all that you need to set it up at home`,
  }),
  '/how-to-choose-studio-headphones': ({ data, more }) => {
    const old = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\d/g, '2024-03-05')
    return { data: data && old(data), more: old(more) }
  },
  // The rest of the text comes by a script, which crawlers do not run.
  '/category/wireless-earbuds': ({ paragraphs }) => ({
    paragraphs: paragraphs.slice(0, 2),
  }),
  '/imprint': { description: null },
  '/careers': ({ paragraphs }) => ({
    data: '{ "@context": "https://schema.org", "@type": "WebPage", }',
    paragraphs: [...paragraphs, 'Lorem ipsum dolor sit amet.'],
  }),
  '/press/2024': { more: '<p><img src="/press/2024/stand.jpg"></p><p><a href="/">Home</a></p>' },
  '/repair-partners': ({ more }) => ({
    more: `${linkTo('/partners/munich')}${more}`,
  }),
}

/** A page that is empty until its script has run. */
export const scripted = {
  path: '/stores/berlin',
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Our store in Berlin | Lumora Audio</title>
<meta name="description" content="Opening hours and directions of the store of Lumora Audio in Berlin.">
<link rel="canonical" href="${addressOf('/stores/berlin')}">
<script src="/store.js" defer></script>
</head>
<body><div id="app"></div></body>
</html>
`,
} as const
