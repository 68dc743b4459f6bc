import { LRUCache } from 'lru-cache'

/** An import of millions of lines must not fill the memory. */
const mostResults = 10_000
/** Longer texts are rarely equal, and take much memory. */
const longestText = 500

/**
 * Makes a function that works out the result of equal texts once. For pure functions of one or two texts that repeat
 * often, such as the URLs that answers cite.
 */
export function cachedResults<Texts extends readonly [string] | readonly [string, string], Result>(
  work: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  const cache = new LRUCache<string, { readonly result: Result }>({ max: mostResults })
  return (...texts) => {
    const [one, other] = texts
    // With the length of the first text, two pairs never have the same key.
    const key = other === undefined ? one : `${one.length}:${one}${other}`
    if (key.length > longestText) return work(...texts)
    const cached = cache.get(key)
    if (cached) return cached.result
    const result = work(...texts)
    cache.set(key, { result })
    return result
  }
}
