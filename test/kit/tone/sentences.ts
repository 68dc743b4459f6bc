import type { Span } from '../../../core/text/mentions.ts'

/** A sentence of the Markdown of an answer, with the index of its line. */
export interface Sentence extends Span {
  readonly line: number
}

/** A line with text, in the order of the answer. */
interface Line {
  /** A heading, or a bold label that fills its line: the text below is about it. */
  readonly isTitle: boolean
  /** Number of the block: an empty line begins a new block. */
  readonly block: number
}

export interface Sentences {
  readonly sentences: readonly Sentence[]
  readonly lines: readonly Line[]
}

const maxSentence = 1000
const abbreviation = String.raw`(?<!\b(?:vs|e\.g|i\.e|Inc|Corp|Co|Ltd|Dr|Mr|Mrs|No|approx))`
// Repeats are bounded, so that the time stays linear on any text.
const ends = new RegExp(
  String.raw`\n[ \t\r]{0,20}(?:\n[\s]{0,20})?|` +
    `${abbreviation}[.!?…]{1,8}["'”’)\\]*_]{0,8}(?=[ \\t]{1,20}[^\\p{Ll}\\s])`,
  'gu',
)
const title =
  /^[ \t>]{0,20}(?:#{1,6}[ \t]|(?:(?:[-*+]|\d{1,4}[.)])[ \t]{1,9})?\*\*[^*\n]{1,250}\*\*:?\s{0,9}$)/

/**
 * Splits Markdown into sentences: at line ends, and after `.`, `!` or `?` before white space and no small letter.
 * A sentence without an end is cut after 1,000 characters. Time is linear in the length of the text.
 * Not `Intl.Segmenter`: half a megabyte a second is too slow for an import.
 */
export function sentencesOf(markdown: string): Sentences {
  const sentences: Sentence[] = []
  const lines: Line[] = []
  let [lineStart, start, block] = [0, 0, 0]
  const endSentence = (end: number) => {
    for (; start < end; start += maxSentence) {
      sentences.push({ start, end: Math.min(end, start + maxSentence), line: lines.length })
    }
    start = end
  }
  const endLine = (end: number) => {
    const isEmpty = lineStart === start && start === end
    endSentence(end)
    if (!isEmpty) lines.push({ isTitle: title.test(markdown.slice(lineStart, end)), block })
  }
  for (const { 0: mark, index } of markdown.matchAll(ends)) {
    if (!mark.startsWith('\n')) {
      endSentence(index + mark.length)
      continue
    }
    endLine(index)
    if (mark.indexOf('\n', 1) > 0) block++
    start = index + mark.length
    lineStart = start
  }
  endLine(markdown.length)
  return { sentences, lines }
}
