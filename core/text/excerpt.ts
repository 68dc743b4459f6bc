import type { Span } from './mentions.ts'

// Repeats are bounded, so that the time stays linear on any text.
const replacements: readonly (readonly [RegExp, string])[] = [
  // A definition of a link, or the line under the head of a table.
  [/^[ \t>]{0,20}(?:\[[^\]\n]{1,200}\]:[^\n]*|[|:\- \t]{3,})$/gm, ' '],
  // The number of a source, as of a footnote.
  [/[ \t]?\[\^?\d{1,3}\](?:\([^\s()]{0,2000}\))?/g, ''],
  [/\]\([^\s()]{0,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?(?:\s{1,9}"[^"\n]{0,500}")?\)/g, ''],
  [/\]\[[^\][\n]{0,200}\]/g, ''],
  [/<(?:https?:[^\s<>]{1,2000}|br ?\/?)>/gi, ' '],
  [/^[ \t]{0,20}(?:(?:#{1,6}|>|[-*+])[ \t]{1,9}){1,9}/gm, ''],
  [/`{3,}[\w-]{0,20}|[*`|[\]]|~~|!(?=\[)/g, ' '],
  [/(?<![\p{L}\p{N}])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}])/gu, ''],
  [/\s+/g, ' '],
  [/ (?=[.,;:!?)](?: |$))/g, ''],
]

/** The words of a Markdown text as a reader sees them, in one line: without marks and link targets. */
export function plainText(markdown: string): string {
  return replacements
    .reduce((text, [pattern, written]) => text.replace(pattern, written), markdown)
    .trim()
}

/** The furthest that a cut moves to the edge of a word: scripts without spaces have none. */
const nearestEdge = 40

const isHalf = (text: string, at: number) => /[\udc00-\udfff]/.test(text.charAt(at))

/** The start of the first word from `at` on. */
function wordStart(text: string, at: number, last: number): number {
  const space = text.indexOf(' ', at - 1)
  if (space >= 0 && space < Math.min(last, at + nearestEdge)) return space + 1
  return isHalf(text, at) ? at + 1 : at
}

/** The end of the last word before `at`. */
function wordEnd(text: string, at: number, first: number): number {
  const space = text.lastIndexOf(' ', at)
  if (space >= Math.max(first, at - nearestEdge)) return space
  return isHalf(text, at) ? at - 1 : at
}

/** A part of a text, and where the span is in it that it surrounds. */
export interface Excerpt {
  readonly text: string
  readonly span: Span | null
}

/**
 * At most `length` characters of a plain text around a span, else its beginning; cut between words, with `…` at each
 * cut.
 */
export const excerptOf = (text: string, around: Span | null, length: number): string =>
  excerptAround(text, around, length).text

/** The same, with the place of the span. A span that is longer than the excerpt is cut. */
export function excerptAround(text: string, around: Span | null, length: number): Excerpt {
  if (text.length <= length) return { text, span: around }
  const { start: first, end: last } = around ?? { start: 0, end: 0 }
  const centred = Math.floor((first + last - length) / 2)
  const from = Math.min(Math.max(centred, 0), text.length - length)
  const to = from + length
  const start = from === 0 ? 0 : wordStart(text, from, first)
  const end = to === text.length ? to : wordEnd(text, to, last)
  const before = start > 0 ? '…' : ''
  const excerpt = `${before}${text.slice(start, end)}${end < text.length ? '…' : ''}`
  const moved = (at: number) => Math.min(Math.max(at, start), end) - start + before.length
  return { text: excerpt, span: around && { start: moved(first), end: moved(last) } }
}
