import { parse } from 'tldts'
import { leadsTo } from './redirectors.ts'
import { domainOf, hostOf, normaliseUrl, parseHost } from './urls.ts'

/** A page that an answer cites, and its site. */
export interface CitedPage {
  /** Normalised, one URL for one page; a redirector's own where it does not say the page. */
  readonly url: string
  /** Empty when the page is not known. */
  readonly host: string
  /** Registrable domain; empty when the site is not known either. */
  readonly domain: string
}

/** Hosts of a site that show the same pages in another dress. */
const dresses = ['www', 'm', 'mobile', 'amp', 'old', 'touch'] as const
const dress = new RegExp(String.raw`^(?:${dresses.join('|')})\.`)

/** The labels before the hosts of a site, in the bare host none. */
export const hostLabels = ['', ...dresses.map((label) => `${label}.`)]

/** Such a host with the rest of its name, and a normalised URL on it. RE2 reads both too, which has no lookahead. */
export const dressedHost = String.raw`^(?:${dresses.join('|')})\.([^.]+\.)`
export const dressedUrl = dressedHost.replace('^', '^https://').replace('[^.]', '[^./?#:]')
const dressed = new RegExp(dressedUrl)

/** Whether a host is the bare domain, or one like `m.` that shows the same site. */
export const isMainHost = (host: string, domain: string) => host.replace(dress, '') === domain

const asin = /^\/(?:.*\/)?(?:dp|gp\/product)\/([A-Z0-9]{10})(?:[/?]|$)/

const indexPage = /\/index\.(?:html?|php)$/

/** A label of a host that only shows its page on a phone, behind the language: `en.m.wikipedia.org`. */
const phone = /^([a-z-]{2,12})\.(?:m|mobile|touch|amp)\.(?=[^.]+\.[^.]+)/
/** The same before `www.`: `mobile.www.example.com`. */
const phoneOfWww = /^(?:m|mobile|touch|amp)\.(?=www\.)/

/** Letters, digits and `-._~` mean the same with and without percent-encoding. @see RFC 3986, section 6.2.2 */
const written = (text: string) =>
  text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(sign) ? sign : code.toUpperCase()
  })

/** Parameters by their names: their order changes no page. Those of one name stay in their order. */
function sorted(search: string): string {
  if (!search.includes('&')) return search
  const nameOf = (parameter: string) => parameter.split('=', 1)[0] ?? ''
  const parameters = search.slice(1).split('&')
  return `?${parameters.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b)))).join('&')}`
}

/** Addresses of one page that sites write in several ways: the one that is kept. */
function onePage(url: URL): void {
  url.hostname = url.hostname.replace(/\.$/, '').replace(phone, '$1.').replace(phoneOfWww, '')
  url.pathname = written(url.pathname)
  url.search = sorted(written(url.search))
  const domain = domainOf(url.hostname)
  if (url.hostname === 'youtu.be') {
    const video = url.pathname.slice(1)
    if (/^[\w-]{6,}$/.test(video)) url.href = `https://www.youtube.com/watch?v=${video}`
  } else if (domain === 'youtube.com' && dress.test(url.hostname)) {
    url.hostname = 'www.youtube.com'
  } else if (/^amazon\./.test(domain)) {
    const [, product] = asin.exec(url.pathname) ?? []
    if (product) url.href = `https://${url.hostname}/dp/${product}`
  }
  // Where a video begins.
  if (domain === 'youtube.com' && url.searchParams.has('t')) url.searchParams.delete('t')
  url.pathname = url.pathname.replace(indexPage, '/')
}

/** `&amp;` as HTML writes `&` in an address. */
const ampersand = /&(?:amp|#38|#x26);/gi

/** An address in angle brackets, or as a link of Markdown. */
const wrapped = /^(?:\[[^\]]*\]\(\s*<?|<)(\S+?)>?(?:\s+"[^"]*")?\s*\)?$/

/** Host, port and the rest of an address that leaves out its scheme. */
const withoutScheme = /^(?:\/\/)?([^/?#:@\s]+\.[^/?#:@\s.]+)\.?(?::\d+)?(?:[/?#]|$)/

/** A citation's address as files write it: with or without its scheme, in angle brackets, or as a link of Markdown. */
function parsed(address: string): URL | null {
  const given = address.trim().replace(ampersand, '&')
  const text = wrapped.exec(given)?.[1] ?? given
  const [, host = ''] = withoutScheme.exec(text) ?? []
  const isHost = parse(host).isIcann === true
  const url = URL.parse(isHost ? `https://${text.replace(/^\/\//, '')}` : text)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** The URL by which a cited page is known: `normaliseUrl`, and one of several addresses that show the same page. */
function identityOf(url: URL): string | null {
  const one = new URL(url)
  onePage(one)
  const normal = normaliseUrl(one.href)
  // `#!` names a page of a site that is one program.
  return normal !== null && one.hash.startsWith('#!') ? normal + one.hash : normal
}

/** The URL by which answers cite a page of this address; null when it is no http or https URL. */
export function citedUrl(address: string): string | null {
  const url = parsed(address)
  return url && identityOf(url)
}

/** A host without the label that only shows its site in another dress. `m.com` is a domain of its own. */
export function bareHost(host: string): string {
  const bare = host.replace(dress, '')
  return bare.includes('.') ? bare : host
}

/** A normalised URL without the label that only shows its site in another dress: the same for one page on all hosts. */
export const undressed = (url: string) => url.replace(dressed, 'https://$1')

/**
 * What is the same for all addresses of one page, whichever of the hosts of its site they name: those that begin with
 * `www.`, `m.` and such. Citations, pages of the own site, requests of crawlers and sessions are joined by it.
 * @param url normalised
 */
export function pageKey(url: string): string {
  const page = URL.parse(citedUrl(url) ?? url)
  if (page === null) return url
  const port = page.port === '' ? '' : `:${page.port}`
  const path = page.pathname.replace(/\/+$/, '')
  return `${bareHost(hostOf(page.href))}${port}${path}${page.search}${page.hash.startsWith('#!') ? page.hash : ''}`
}

/** The URLs by which a page may be stored, on each of the hosts that show its site; the one that is asked for first. */
export function variantsOf(url: string): string[] {
  const own = citedUrl(url)
  if (own === null) return [url]
  const host = hostOf(own)
  const bare = bareHost(host)
  // An address of numbers has no other host.
  if (parse(bare).domain === null) return [own]
  const hosts = [host, ...hostLabels.map((label) => label + bare)]
  return [...new Set(hosts)].map((each) => own.replace(`//${host}`, `//${each}`))
}

const domainName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/** The host that a title is, such as `example.com`; empty for any other title. */
function hostOfTitle(title: string): string {
  const host = parseHost(title) ?? ''
  return domainName.test(host) ? host : ''
}

/**
 * The page that a citation means. Redirectors are unwrapped without asking the network. Where one does not say its
 * page, a title that is a domain name says the site.
 * @returns null when the address is no http or https URL
 */
export function citedPage(address: string, title: string): CitedPage | null {
  const given = parsed(address)
  if (given === null) return null
  const found = leadsTo(given)
  const url = found && identityOf(found)
  if (url !== null) return { url, host: hostOf(url), domain: domainOf(hostOf(url)) }
  const own = normaliseUrl(given.href)
  if (own === null) return null
  const site = hostOfTitle(title)
  return { url: own, host: '', domain: site && domainOf(site) }
}
