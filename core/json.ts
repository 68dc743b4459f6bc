import { createHash } from 'node:crypto'
import { invalidBody } from './errors.ts'

/** No body of ours is deeper than five. What is walks the stack of whatever reads it recursively. */
const mostDepth = 32

/**
 * Refuses JSON that is nested too deeply to be worth reading.
 * @throws {Fault} `invalid_argument`
 */
export function refuseDepth(json: unknown): void {
  let level = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) throw invalidBody(`must not be nested deeper than ${mostDepth} levels`)
    level = level.flatMap((value) => (isNested(value) ? Object.values(value) : []))
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function inKeyOrder(_key: string, value: unknown): unknown {
  if (!isNested(value) || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The SHA-256 of JSON: the same whatever the order of keys and the space between. */
export function fingerprintOf(json: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(json, inKeyOrder)).digest('hex')
}
