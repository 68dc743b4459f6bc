import { domainOf, hostOf, normaliseUrl, parseDomainInput } from '../../core/sites/urls.ts'

/** An ad of a line. */
export interface GivenAd {
  readonly position?: number | null | undefined
  readonly advertiser: string
  readonly domain?: string | null | undefined
  readonly url?: string | null | undefined
  readonly title?: string | null | undefined
}

/** A stored ad of one answer; absent texts are empty. */
export interface Ad {
  readonly position: number
  readonly advertiser: string
  readonly domain: string
  readonly url: string
  readonly title: string
}

/**
 * The ads of an answer. A repeated ad counts each time. URLs are normalised as cited URLs are, and give an absent
 * domain. An invalid URL or domain counts as absent.
 */
export function readAds(named: readonly GivenAd[]): Ad[] {
  return named.map(({ position, advertiser, domain, url: givenUrl, title }, index) => {
    const url = normaliseUrl(givenUrl ?? '') ?? ''
    const givenDomain = domain ? parseDomainInput(domain) : null
    return {
      position: position ?? index + 1,
      advertiser,
      domain: givenDomain ?? (url === '' ? '' : domainOf(hostOf(url))),
      url,
      title: title ?? '',
    }
  })
}
