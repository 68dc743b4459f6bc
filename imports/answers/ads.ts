import { domainOf, hostOf, normaliseUrl, parseDomainInput } from '../../core/sites/urls.ts'

/** An ad as the line names it. */
export interface NamedAd {
  readonly position?: number | null | undefined
  readonly advertiser: string
  readonly domain?: string | null | undefined
  readonly url?: string | null | undefined
  readonly title?: string | null | undefined
}

/** An ad in one answer; the empty string where a text is not told. */
export interface Ad {
  readonly position: number
  readonly advertiser: string
  readonly domain: string
  readonly url: string
  readonly title: string
}

/**
 * The ads of an answer, one entry each: an ad that stands in it twice was shown twice. A URL is normalised as
 * cited ones are, and gives the domain where none is told. What is no URL or no domain counts as not told.
 */
export function readAds(named: readonly NamedAd[]): Ad[] {
  return named.map(({ position, advertiser, domain, url: told, title }, index) => {
    const url = normaliseUrl(told ?? '') ?? ''
    const toldDomain = domain ? parseDomainInput(domain) : null
    return {
      position: position ?? index + 1,
      advertiser,
      domain: toldDomain ?? (url === '' ? '' : domainOf(hostOf(url))),
      url,
      title: title ?? '',
    }
  })
}
