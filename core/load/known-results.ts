import { LRUCache } from 'lru-cache'

/** Results that are kept of one function: those of an import of millions of lines must not grow without end. */
const mostResults = 10_000
/** Longer texts are rarely equal, and take much memory. */
const longestText = 500

/**
 * Makes a function that works out the result of equal texts once. For pure functions of texts that repeat
 * often, such as the URLs that answers cite.
 */
export function knownResults<Texts extends readonly string[], Result>(
  work: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  const results = new LRUCache<string, { readonly result: Result }>({ max: mostResults })
  return (...texts) => {
    // With the lengths, two lists of texts never have the same key.
    const key = `${texts.map(({ length }) => length)}:${texts.join('')}`
    if (key.length > longestText) return work(...texts)
    const known = results.get(key)
    if (known) return known.result
    const result = work(...texts)
    results.set(key, { result })
    return result
  }
}
