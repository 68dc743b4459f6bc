import { invalidBody } from './errors.ts'

/** The largest body of a request. Mutations that take a file have `largestBodyBytes` of their own. */
export const usualBodyBytes = 64 * 1024
/** The largest body with a file. */
export const fileBodyBytes = 16 * 1024 * 1024

/** No body of the API is deeper than five levels. Deeper JSON could exhaust the stack of a recursive reader. */
export const mostDepth = 32

/**
 * Refuses JSON that is nested deeper than 32 levels.
 * @throws {Fault} `invalid_argument`
 */
export function refuseDepth(json: unknown): void {
  let level = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) throw invalidBody(`must not be nested deeper than ${mostDepth} levels`)
    level = level.flatMap((value) => (isNested(value) ? Object.values(value) : []))
  }
}

/** The value of a text; null where it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function inKeyOrder(_key: string, value: unknown): unknown {
  if (!isNested(value) || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** JSON with the members of each object in the order of their names: equal values give equal texts. */
export const sortedJson = (value: unknown): string => JSON.stringify(value, inKeyOrder)
