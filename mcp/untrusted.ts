import { randomBytes } from 'node:crypto'

/** Control characters but line ends and tabs, and those that change the direction of text or show nothing. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Images, which a client loads when it shows them. */
const markdownImage = /!(?=\[)/g

/** Tags that load, run or hide something, and those that look like our marks. */
const activeTag =
  /<(?=\/?(?:untrusted|img|image|picture|source|video|audio|iframe|object|embed|script|style|svg|link|meta|base|form|input|button|a)\b|!--)/gi

/** Text of others as a reader sees it: nothing in it is hidden, and nothing of it loads or runs where a client shows it. */
export const plain = (text: string) =>
  text.replace(hidden, '').replace(markdownImage, '! ').replace(activeTag, '‹')

/** The same of every text in a value. */
export function plainTexts<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_key, each) =>
    typeof each === 'string' ? plain(each) : each,
  )
}

/**
 * Sets text of others apart, so that a model reads it as data. Its mark is new each time: the text cannot close it.
 * @see docs/tools.md
 */
export function fenced(text: string): string {
  const id = randomBytes(4).toString('hex')
  return `<untrusted id=${id}>${plain(text)}</untrusted id=${id}>`
}
