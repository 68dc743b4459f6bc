import { hash } from 'node:crypto'

/**
 * A UUID (version 8) that the same parts always give, so that what is imported twice has the same id twice.
 * @see RFC 9562, section 5.8
 */
export function idOf(...parts: readonly (string | number)[]): string {
  // As JSON no two lists of parts read alike, whatever stands in them.
  const hex = hash('sha256', JSON.stringify(parts), 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b0011) | 0b1000).toString(16)
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ]
  return groups.join('-')
}
