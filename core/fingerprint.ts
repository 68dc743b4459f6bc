import { createHash } from 'node:crypto'
import { sortedJson } from './json.ts'

/** The SHA-256 of JSON in hex. The order of keys and white space do not matter. */
export function fingerprintOf(json: readonly unknown[]): string {
  return createHash('sha256').update(sortedJson(json)).digest('hex')
}
