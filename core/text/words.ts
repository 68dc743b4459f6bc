/** Scripts that put no space between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

function wordsWithin(token: string): number {
  if (!unspaced.test(token)) return 1
  let words = 0
  for (const { isWordLike } of segmenter.segment(token)) if (isWordLike) words++
  return words
}

/**
 * How many words a text has: what stands between white space and holds a letter or a digit, so that the marks of
 * Markdown are none. Chinese, Japanese, Thai, Lao, Khmer and Burmese are cut by a dictionary.
 */
export function countWords(text: string): number {
  let words = 0
  for (const [token] of text.matchAll(/\S+/g)) {
    if (/[\p{L}\p{N}]/u.test(token)) words += wordsWithin(token)
  }
  return words
}

const wordsPerMinute = 200

/** Minutes that reading takes, of a number of words. */
export function readMinutes(words: number): number {
  return Math.ceil(words / wordsPerMinute)
}
