/** The host in a typed domain or address; null where it is none. The service knows which domains can be registered. */
export function domainIn(text: string): string | null {
  const typed = text.trim()
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`)
  if (!url || /\s/.test(typed) || !/^[^.]+(?:\.[^.]+)+$/.test(url.hostname)) return null
  return url.hostname.replace(/^www\./, '')
}
