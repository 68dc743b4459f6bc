import { randomBytes } from 'node:crypto'

/** Control characters but line ends and tabs, and those that change the direction of text or show nothing. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Text of others without characters that a reader does not see. */
export const visible = (text: string) => text.replace(hidden, '')

/**
 * Sets text of others apart, so that a model reads it as data. Its mark is new each time: the text cannot close it.
 * @see docs/tools.md
 */
export function fenced(text: string): string {
  const id = randomBytes(4).toString('hex')
  return `<untrusted id=${id}>${visible(text)}</untrusted id=${id}>`
}
