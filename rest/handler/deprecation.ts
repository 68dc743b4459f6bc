import type { Route } from '../routes.ts'

/**
 * The headers of an endpoint that will be removed; none for all others.
 * @see RFC 9745 (`Deprecation`), RFC 8594 (`Sunset`), and the contract, "Versioning"
 */
export function deprecationOf({ deprecated }: Route): Record<string, string> {
  if (!deprecated) return {}
  const { since, removedOn } = deprecated
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(removedOn === undefined ? {} : { Sunset: new Date(removedOn).toUTCString() }),
  }
}
