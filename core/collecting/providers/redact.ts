/** Characters in a row that a word shares with a key before it is taken for a part of the key. */
const telling = 6
const mostWords = 200

/** Whether a word may be the key or a part of it, in whatever way it is written. Many mask its middle. */
function isOfKey(word: string, spellings: readonly string[]): boolean {
  if (/\*\*|••|\.\.\.|…/.test(word)) return true
  return spellings.some((key) => {
    if (key.length < telling) return word.includes(key)
    const places = Array.from({ length: Math.max(0, word.length - telling + 1) }, (_, at) => at)
    return places.some((at) => key.includes(word.slice(at, at + telling)))
  })
}

/** A provider's own words, on one line and without the key. They are shown and kept; the key is neither. */
export function wordsWithoutKey(words: string, secret: string): string {
  const spellings = [secret, encodeURIComponent(secret), btoa(secret)].filter(Boolean)
  const shown = words
    .trim()
    .split(/\s+/)
    .map((word) => (isOfKey(word, spellings) ? '***' : word))
    .join(' ')
  return shown.length > mostWords ? `${shown.slice(0, mostWords)}…` : shown
}
