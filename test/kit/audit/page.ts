/** HTML of the site with planted faults. A page without parts has no fault. */

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly delayMs?: number
  /** The connection ends without an answer. */
  readonly isSilent?: boolean
}

export interface PageParts {
  readonly title?: string
  /** Replaces the whole `meta` element. */
  readonly description?: string
  readonly canonical?: string
  readonly viewport?: string
  readonly lang?: string
  readonly head?: string
  readonly h1?: string
  /** Replaces the paragraph of the main part. */
  readonly text?: string
  /** Follows the paragraph. */
  readonly more?: string
  /** Replaces the whole body. */
  readonly body?: string
  /** The attributes of `main`. */
  readonly main?: string
}

/** `count` words of no meaning, which differ from page to page. */
export const filler = (seed: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${seed.replace(/\W/g, '')}${i}`).join(' ')

const microdata = 'itemscope itemtype="https://schema.org/WebPage"'

/** A page at an address. */
export function pageOf(address: string, parts: PageParts = {}): Reply {
  const { hostname, pathname } = new URL(address)
  const name = `${hostname.replace(/[.]?shop[.]test/, '')}${pathname.replace(/\W/g, '') || 'home'}`
  const description =
    parts.description ??
    `<meta name=description content="All that Acme has to say on the subject of ${name}, in short.">`
  const main =
    `<main ${parts.main ?? microdata}><h1>${parts.h1 ?? `Acme on ${name}`}</h1>` +
    `<p>${parts.text ?? filler(name, 90)}</p>${parts.more ?? ''}</main>`
  const body = `<!doctype html>
<html${parts.lang ?? ' lang="en"'}><head>
<title>${parts.title ?? `Acme on ${name}`.slice(0, 60)}</title>${description}
${parts.canonical ?? `<link rel=canonical href="${address}">`}
${parts.viewport ?? '<meta name=viewport content="width=device-width">'}
${parts.head ?? ''}</head>
<body>${parts.body ?? main}</body></html>`
  return { headers: { 'Content-Type': 'text/html; charset=utf-8' }, body }
}

const dated = '<time datetime="2026-06-01">June</time>'
const byline = '<a rel=author href="/all">Jo</a>'

/** An article without faults: long, dated and signed. */
export const articleOf = (address: string, parts: PageParts = {}) =>
  pageOf(address, { text: filler(new URL(address).pathname, 210), more: dated + byline, ...parts })

export const articleParts = { dated, byline }

export const redirectTo = (location: string): Reply => ({
  status: 301,
  headers: { Location: location },
})
