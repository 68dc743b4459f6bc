/** The words and phrases of a search, each once: a phrase stands in double quotes. */
export function termsOf(search: string): string[] {
  const found = [...search.matchAll(/"([^"]+)"|[^\s"]+/g)].map(([word, phrase]) =>
    (phrase ?? word).trim(),
  )
  return [...new Set(found)].filter((term) => term !== '')
}
