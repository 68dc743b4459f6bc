import { hash } from 'node:crypto'

/**
 * A UUID (version 8) made from its parts: the same record gets the same id in every import.
 * @see RFC 9562, section 5.8
 */
export function idOf(...parts: readonly (string | number)[]): string {
  // JSON keeps the parts apart: no two lists have the same text.
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

/** The id of a location. Imports and writes make the same id from the same label. */
export function locationId(projectId: string, label: string): string {
  return idOf(projectId, 'location', label)
}
