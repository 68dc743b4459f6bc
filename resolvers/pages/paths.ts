/** How the path of a URL may be written where requests are recorded: encoded, as in URLs, or as a person reads it. */
export function spellingsOf(path: string): string[] {
  try {
    return [...new Set([path, decodeURIComponent(path)])]
  } catch {
    return [path]
  }
}

/** The one spelling that URLs have. */
export function encodedPath(path: string): string {
  const url = new URL('https://host')
  url.pathname = path
  return url.pathname
}
