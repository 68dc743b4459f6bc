/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The words of a text, without marks. A dictionary cuts scripts without spaces. */
export function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((token) =>
    unspaced.test(token) ? [...segmenter.segment(token)].map(({ segment }) => segment) : [token],
  )
}

function wordsWithin(token: string): number {
  if (!unspaced.test(token)) return 1
  let words = 0
  for (const { isWordLike } of segmenter.segment(token)) if (isWordLike) words++
  return words
}

/**
 * Number of words in a text. A word stands between white space and holds a letter or a digit:
 * Markdown marks do not count.
 * A dictionary cuts Chinese, Japanese, Thai, Lao, Khmer and Burmese.
 */
export function countWords(text: string): number {
  let words = 0
  for (const [token] of text.matchAll(/\S+/g)) {
    if (/[\p{L}\p{N}]/u.test(token)) words += wordsWithin(token)
  }
  return words
}

const wordsPerMinute = 200

/** Reading time in minutes for a number of words. */
export function readMinutes(words: number): number {
  return Math.ceil(words / wordsPerMinute)
}
