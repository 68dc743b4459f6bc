import { normaliseUrl } from '../../core/sites/urls.ts'

/** What a key of the catalog can hold. */
const longest = 2000

/** The URL of a page in the form in which citations are compared; null for what is none, or too long. */
export function pageUrl(text: string): string | null {
  const url = normaliseUrl(text.trim())
  return url === null || url.length > longest ? null : url
}

/** The last part of its path, `home` for the front page. */
export function slugOf(url: string): string {
  return new URL(url).pathname.split('/').findLast(Boolean) ?? 'home'
}
