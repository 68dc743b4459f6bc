/** The spellings of a path in recorded requests: percent-encoded and decoded. */
export function spellingsOf(path: string): string[] {
  try {
    return [...new Set([path, decodeURIComponent(path)])]
  } catch {
    return [path]
  }
}

/** The path percent-encoded, as in a URL. */
export function encodedPath(path: string): string {
  const url = new URL('https://host')
  url.pathname = path
  return url.pathname
}
