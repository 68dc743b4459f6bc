import { wordsOf } from '../tone/opinions.ts'

/** Frequent English words that are rare in other languages. */
const frequent = new Set(
  'the and of for with that are it its you your from their is but this which these here have has what more most some not'.split(
    ' ',
  ),
)
const wordsToTell = 20
const kindsToTell = 4
const shareToTell = 0.08
const charactersToRead = 1500
const notLatin = /[^\p{Script=Latin}\P{L}]/u

/** Detects the language of a text as a code of ISO 639-1. Asked only where the words alone leave a doubt. */
export type Detect = (text: string) => string

/**
 * Language of a text as a code of ISO 639-1; empty when the text leaves it open.
 * A text of one or two words counts as English when its letters are Latin.
 */
export function languageIn(whole: string, detect: Detect): string {
  const text = whole.slice(0, charactersToRead)
  const words = wordsOf(text)
  const found = words.filter((word) => frequent.has(word))
  const isClear = words.length >= wordsToTell && found.length >= words.length * shareToTell
  if (isClear && new Set(found).size >= kindsToTell) return 'en'
  const read = words.filter((word) => /\p{L}{2}/u.test(word))
  if (read.length < 3) return notLatin.test(read.join('')) ? '' : 'en'
  return detect(read.join(' '))
}
