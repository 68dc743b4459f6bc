import type { Line } from '../tone/lines.ts'

/** Numbers that an answer itself gives: those of a numbered list, or those of a table with a column of ranks. */
export const rankBases = ['list', 'table', 'text'] as const
export type RankBasis = (typeof rankBases)[number]

/** A part of the answer that has a number: an item's title, or the cell of a row that names somebody. */
export interface Numbered {
  readonly start: number
  readonly end: number
  readonly rank: number
}

/** A list or a table that ranks. */
export interface Ranking {
  readonly basis: Exclude<RankBasis, 'text'>
  readonly start: number
  /** The highest number. */
  readonly last: number
  readonly places: readonly Numbered[]
}

interface Item {
  readonly line: Line
  /** Where the text of the item begins, after its number. */
  readonly start: number
  readonly number: number
}

/** "3. Acme", "### 3. **Acme**", "**#3: Acme**", "3) Acme". */
const numberSign =
  /^[ \t>]{0,20}(?:#{1,6}[ \t]{1,9})?(?:[-*+][ \t]{1,9})?(?:\*\*|__)?(?:(\d{1,3})(?:\*\*|__)?[.):]|(?:#|No\. ?)(\d{1,3})(?:\*\*|__)?[.):]?)(?:\*\*|__)?[ \t]/iu
/** Words that begin a step, a question or advice: a list of them ranks nobody. */
const step =
  /^[^\p{L}]{0,9}(?:add|are|ask|book|call|can|check|click|connect|contact|create|determine|do|does|download|enter|go|how|identify|install|is|log|make|measure|open|read|register|schedule|set|should|sign|start|tap|test|verify|visit|what|when|where|which|who|why)\b/iu

function itemOf(text: string, line: Line): Item | null {
  const found = numberSign.exec(text.slice(line.start, line.end))
  if (!found) return null
  const number = Number(found[1] ?? found[2])
  return { line, start: line.start + found[0].length, number }
}

/** A line that may begin with the number of a list, or a table: most answers have neither. */
export const mayRank = /^[ \t>#*_+-]{0,40}(?:\d{1,3}(?:\*\*|__)?[.):]|(?:#|No\. ?)\d)|\|/imu

/** Whether a line begins with the number of a list. */
export function isNumbered(text: string, line: Line): boolean {
  return numberSign.test(text.slice(line.start, line.end))
}

interface Run {
  readonly items: Item[]
  /** 1 for a list, -1 for a countdown, 0 for a list whose items all have the number 1 or that has one item. */
  by: number
}

/** Whether an item goes on with a list. Markdown counts "1. 1. 1." on lines that follow each other itself. */
function continues({ items, by }: Run, { number }: Item, previous: Line | undefined): boolean {
  const last = items.at(-1)
  if (!last) return false
  const change = number - last.number
  if (change === 0) return number === 1 && by === 0 && last.line === previous
  if (by === 0) return Math.abs(change) === 1 && items.every((item) => item === last)
  return change === by
}

/** Runs of items whose numbers follow each other: of headings of one level, and of lines that are not indented further. */
function runsOf(text: string, lines: readonly Line[]): Run[] {
  const runs: Run[] = []
  const open = new Map<number, Run>()
  let outermost = Number.POSITIVE_INFINITY
  for (const [at, line] of lines.entries()) {
    const item = itemOf(text, line)
    if (!item) continue
    const isHeading = line.level > 0 && line.level < 7
    // The items within an item are its details.
    if (!isHeading && line.indent > outermost) continue
    if (!isHeading) outermost = line.indent
    const depth = isHeading ? line.level : 0
    const run = open.get(depth)
    if (run && continues(run, item, lines[at - 1])) {
      run.by = item.number - (run.items.at(-1)?.number ?? 0)
      run.items.push(item)
    } else {
      const begun: Run = { items: [item], by: 0 }
      open.set(depth, begun)
      runs.push(begun)
    }
  }
  return runs
}

/** What ends the title of an item: a dash, a parenthesis, the end of a sentence. */
const titleEnd = /\s[–—-]{1,2}\s|[(|]|(?<!\b(?:vs|Dr|Mr|St|No|Inc|Co))[.!?](?=\s|$)/u
/** Labels that award the place to who follows: "Best overall: Acme". */
const award =
  /\b(?:best|top|pick|choice|runner|winner|overall|budget|premium|value|favou?rite|leader|most|great)/iu

/** The part of an item that names who has the place. */
function titleOf(text: string, { start, line }: Item): [start: number, end: number] {
  const part = text.slice(start, line.end)
  const colon = part.search(/:(?=\s|\*|$)/u)
  const cut = part.search(titleEnd)
  const end = cut < 0 ? part.length : cut
  if (colon < 0 || colon > end) return [start, start + end]
  if (!award.test(part.slice(0, colon))) return [start, start + colon]
  const rest = part.slice(colon + 1)
  const after = rest.search(titleEnd)
  return [start + colon + 1, after < 0 ? line.end : start + colon + 1 + after]
}

const highest = (places: readonly Numbered[]) =>
  places.reduce((most, { rank }) => Math.max(most, rank), 0)

function rankingOf(text: string, { items, by }: Run): Ranking | null {
  const steps = items.filter(({ start, line }) => step.test(text.slice(start, line.end))).length
  if (items.length < 2 || 2 * steps >= items.length) return null
  const lowest = items.reduce((least, { number }) => Math.min(least, number), Number.MAX_VALUE)
  const places = items.map((item, at) => {
    const [start, end] = titleOf(text, item)
    const rank = by === 0 ? at + 1 : by < 0 ? item.number - lowest + 1 : item.number
    return { start, end, rank }
  })
  return { basis: 'list', start: items[0]?.line.start ?? 0, last: highest(places), places }
}

const rankHeader =
  /^[\s*_]{0,9}(?:#|№|rank(?:ing)?|place|pos(?:ition|\.)?|n(?:o|r)\.?|platz|rang|puesto|posici[oó]n)[\s*_]{0,9}$/iu
const rule = /^[\s|:-]+$/u

/** The cells of a row, with their places. */
function cellsOf(text: string, { start, end }: Line): [start: number, end: number][] {
  const cells: [number, number][] = []
  let from = start
  for (let at = start; at <= end; at++) {
    const isEnd = at === end || (text[at] === '|' && text[at - 1] !== '\\')
    if (!isEnd) continue
    if (at > from || cells.length > 0) cells.push([from, at])
    from = at + 1
  }
  return cells
}

/** The tables that have a column of ranks. */
function tablesOf(text: string, lines: readonly Line[]): Ranking[] {
  const tables: Ranking[] = []
  let at = 0
  while (at < lines.length) {
    const end = tableEnd(text, lines, at)
    const head = lines[at]
    if (head && end > at) {
      const places = placesOf(text, head, lines.slice(at + 2, end))
      const table = { basis: 'table', start: head.start, last: highest(places), places } as const
      if (places.length > 0) tables.push(table)
    }
    at = Math.max(at + 1, end)
  }
  return tables
}

/** The line after a table that begins at a line; the line itself where none begins. */
function tableEnd(text: string, lines: readonly Line[], at: number): number {
  const [head, below] = [lines[at], lines[at + 1]]
  if (!head?.isRow || !below?.isRow || !rule.test(text.slice(below.start, below.end))) return at
  let end = at + 2
  while (lines[end]?.isRow) end++
  return end
}

/** The rows that have a number in the column of ranks; none without such a column. */
function placesOf(text: string, head: Line, rows: readonly Line[]): Numbered[] {
  const isRank = ([from, to]: [number, number]) => rankHeader.test(text.slice(from, to))
  const column = cellsOf(text, head).findIndex(isRank)
  if (column < 0) return []
  return rows.flatMap((row) => {
    const cell = cellsOf(text, row)[column]
    const number = cell && /\d{1,3}/.exec(text.slice(...cell))
    return number ? [{ start: row.start, end: row.end, rank: Number(number[0]) }] : []
  })
}

/** The lists and tables of an answer that rank, in the order of the text. Time is linear in the length. */
export function rankingsOf(text: string, lines: readonly Line[]): Ranking[] {
  const lists = runsOf(text, lines).flatMap((run) => rankingOf(text, run) ?? [])
  return [...lists, ...tablesOf(text, lines)].sort((a, b) => a.start - b.start)
}
