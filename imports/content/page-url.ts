import { addressOf, normaliseUrl } from '../../core/sites/urls.ts'

/** The longest URL that a key of the catalog can hold, in characters. */
const longest = 2000

export const urlRule = 'must be an http or https URL of at most 2,000 characters'

/** The URL of a page, normalised as cited URLs are; null for a text that breaks `urlRule`. */
export function pageUrl(text: string): string | null {
  const url = normaliseUrl(text.trim())
  return url === null || url.length > longest ? null : url
}

/** The URL as the site spells it; null where it is too long to keep. */
export function pageAddress(text: string): string | null {
  const address = addressOf(text.trim())
  return address === null || address.length > longest ? null : address
}

/** The last part of the URL's path; `home` for the front page. */
export function slugOf(url: string): string {
  return new URL(url).pathname.split('/').findLast(Boolean) ?? 'home'
}
