/** Results of one age: those of an import of millions of lines must not grow without end. */
const mostResults = 10_000
/** Longer texts are rarely equal, and take much memory. */
const longestText = 500

interface Known<Result> {
  readonly result: Result
}

/**
 * Makes a function that works out the result of equal texts once. For pure functions of one or two texts that repeat
 * often, such as the URLs that answers cite. Results that nobody asked for while 10,000 others came are dropped: keeping
 * the exact order of use takes as long as some of the functions.
 */
export function cachedResults<Texts extends readonly [string] | readonly [string, string], Result>(
  work: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  let young = new Map<string, Known<Result>>()
  let old = young
  return (...texts) => {
    const [one, other] = texts
    // With the length of the first text, two pairs never have the same key.
    const key = other === undefined ? one : `${one.length}:${one}${other}`
    const found = young.get(key)
    if (found) return found.result
    if (key.length > longestText) return work(...texts)
    const known = old.get(key) ?? { result: work(...texts) }
    if (young.size >= mostResults) {
      old = young
      young = new Map()
    }
    young.set(key, known)
    return known.result
  }
}
