/**
 * Milliseconds that a provider asks to wait, rounded up; null for a text that says nothing.
 * @param text the header `Retry-After`: seconds, or a date
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterMs(text: string): number | null {
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null
}
