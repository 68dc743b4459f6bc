import type { Labels } from './labels.ts'
import type { Lexicon } from './lexicon.ts'

/** A line of Markdown, with its place in the answer. */
export interface Line {
  readonly start: number
  readonly end: number
  /** Depth of a heading, 7 for a bold line that is a title; 0 for other lines. */
  readonly level: number
  /** Columns before the text; a list item counts its sign. */
  readonly indent: number
  readonly isItem: boolean
  readonly isRow: boolean
  readonly isRule: boolean
}

const heading = /^[ \t>]{0,20}(#{1,6})[ \t]/
const boldTitle =
  /^[ \t>]{0,20}(?:(?:[-*+]|\d{1,4}[.)])[ \t]{1,9})?[^\p{L}\p{N}*\n]{0,12}\*\*[^*\n]{1,250}\*\*[:\s]{0,9}$/u
const item = /^([ \t>]{0,20})(?:[-*+•]|\d{1,4}[.)])[ \t]/
const rule = /^[ \t]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/

function lineOf(text: string, start: number, labels: Labels): Line {
  const isRow = /^[ \t]{0,20}\|/.test(text)
  const found = item.exec(text)
  let level = heading.exec(text)?.[1]?.length ?? 0
  if (level === 0 && !isRow && boldTitle.test(text)) {
    const label = labels.of(text)
    if (label === null || label.kind === 'unknown') level = 7
  }
  return {
    start,
    end: start + text.length,
    level,
    indent: found ? (found[1] ?? '').length : text.length - text.trimStart().length,
    isItem: found !== null,
    isRow,
    isRule: rule.test(text),
  }
}

/** The lines with text, in order. A bold line is a title unless it is one of the labels. */
export function linesOf(text: string, labels: Labels): Line[] {
  const lines: Line[] = []
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const line = text.slice(start, end)
    if (line.trim() !== '') lines.push(lineOf(line, start, labels))
    start = end + 1
  }
  return lines
}

/** Parts the lines of one language into clauses. */
export class Clauses {
  readonly #breaks: RegExp
  readonly #conceded: RegExp

  readonly #concession: RegExp
  readonly #turn: RegExp

  constructor(lexicon: Lexicon) {
    const { abbreviations, contrasts, affirmedContrasts, concessions, turns } = lexicon
    // Repeats are bounded, so that the time stays linear on any text.
    this.#breaks = new RegExp(
      [
        String.raw`(?<!(?<![\p{L}\p{N}])(?:${abbreviations.join('|')}))[.!?…]{1,8}["'”’)\]*_]{0,8}(?=\s{1,9}[^\p{Ll}\s]|\s{0,9}$|\p{Lu})`,
        String.raw`[;|]|\s[—–-]{1,2}\s`,
        String.raw`\(\d[\d.,k+]{0,8}\)`,
        // "Anything but reliable" is no contrast.
        String.raw`,?(?<!(?<![\p{L}\p{N}])(?:${affirmedContrasts.join('|')}))\s(?=(?:${contrasts.join('|')})(?![\p{L}\p{N}]))`,
        // A label after a label: "Acme One: Pros: light".
        String.raw`:[\s*_]{0,4}(?=\p{Lu}[\p{L}'’ ]{2,30}:)`,
      ].join('|'),
      'gu',
    )
    this.#conceded = new RegExp(
      String.raw`^[^\p{L}\p{N}]{0,20}(?:${concessions.join('|')})\s[^,]{1,200},\s`,
      'iu',
    )
    this.#concession = new RegExp(
      String.raw`^\s{0,3}(?:${concessions.join('|')})(?![\p{L}\p{N}])`,
      'u',
    )
    this.#turn = new RegExp(String.raw`^\s{0,3}(?:${turns.join('|')})(?![\p{L}\p{N}])`, 'u')
  }

  /** Whether a clause goes on after its main part with what it concedes: "although it is dear". */
  isConcession(clause: string): boolean {
    return this.#concession.test(clause)
  }

  /** Whether a clause turns against the one before in its sentence: "but it breaks". */
  isTurn(clause: string): boolean {
    return this.#turn.test(clause)
  }

  /** Length of what a clause concedes before its main part: "Although it is dear, "; 0 where it concedes nothing. */
  concededLength(clause: string): number {
    return this.#conceded.exec(clause)?.[0].length ?? 0
  }

  /** The places of the clauses of a line: parted at sentences, contrasts, dashes, table cells and star ratings. */
  of(text: string, line: Line): [start: number, end: number][] {
    const part = text.slice(line.start, line.end)
    const clauses: [number, number][] = []
    const add = (from: number, to: number) => {
      const main = from + this.concededLength(part.slice(from, to))
      if (main > from) clauses.push([line.start + from, line.start + main])
      clauses.push([line.start + main, line.start + to])
    }
    let start = 0
    for (const { 0: found, index } of part.matchAll(this.#breaks)) {
      const end = index + found.length
      // The number of a list item is no clause.
      if (!/\p{L}/u.test(part.slice(start, end))) continue
      add(start, end)
      start = end
    }
    if (start < part.length) add(start, part.length)
    return clauses
  }
}
