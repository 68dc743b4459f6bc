import type { OneAnswerFragment } from '../../documents.ts'

type Answer = Pick<OneAnswerFragment, 'text' | 'places' | 'mentions' | 'citations'>

/** A piece of the text of an answer. */
export interface Piece {
  readonly start: number
  readonly text: string
  /** The brand that the piece names. */
  readonly mention?: Answer['mentions'][number]
  /** The place of the source among the citations, where the piece cites one. */
  readonly position?: number
}

/** A part of the text that names a brand or cites a source. */
export type Mark = Omit<Piece, 'text'> & { readonly end: number }

/** Addresses, and numbers in brackets that stand for a source, such as `[2]` and `[The Verge][2]`. */
const references = /https?:\/\/[^\s<>"'`)\]】]*[^\s<>"'`)\]】.,;:!?]|\[(\d{1,3})\](?!\()/g
/** A line of Markdown that says which address a number stands for. */
const definitions = /^\[(\d{1,3})\]:\s*(\S+)/gm

/** The page of an address: citations are without the parameters and fragments that texts may have. */
function pageOf(address: string): string {
  const url = URL.parse(address)
  return url ? `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}` : ''
}

function sourcesOf({ text, citations }: Answer): Mark[] {
  const byUrl = new Map(citations.map(({ url, position }) => [url, position]))
  const byPage = new Map(citations.toReversed().map(({ url, position }) => [pageOf(url), position]))
  const positions = new Set(citations.map(({ position }) => position))
  const positionOf = (url: string) => byUrl.get(url) ?? byPage.get(pageOf(url))
  const defined = new Map(
    [...text.matchAll(definitions)].map(([, number, url]) => [number, positionOf(url ?? '')]),
  )
  return [...text.matchAll(references)].flatMap((found) => {
    const [reference, number] = found
    const named = number === undefined ? positionOf(reference) : defined.get(number)
    const isPlain = number !== undefined && defined.size === 0 && positions.has(Number(number))
    const position = named ?? (isPlain ? Number(number) : undefined)
    const { index: start } = found
    return position === undefined ? [] : [{ start, end: start + reference.length, position }]
  })
}

/** The marks of an answer in the order of its text, none over another. */
export function marksOf(answer: Answer): readonly Mark[] {
  const { places, mentions } = answer
  if (places.length === 0 && answer.citations.length === 0) return []
  const byBrand = new Map(mentions.map((mention) => [mention.brand.id, mention]))
  const brands = places.flatMap(({ brand, start, end }): Mark[] => {
    const mention = byBrand.get(brand.id)
    return mention ? [{ start, end, mention }] : []
  })
  const all = [...brands, ...sourcesOf(answer)].toSorted((a, b) => a.start - b.start)
  let at = 0
  // A name within an address, and the second brand of one name, stay unmarked.
  return all.filter(({ start, end }) => {
    if (start < at) return false
    at = end
    return true
  })
}

/** The place of the first mark that ends behind an offset. */
function firstAfter(marks: readonly Mark[], offset: number): number {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.end ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** The first source that a part of the text cites. */
export function sourceIn(marks: readonly Mark[], from: number, to: number): number | undefined {
  for (let at = firstAfter(marks, from); ; at++) {
    const mark = marks[at]
    if (!mark || mark.start >= to) return undefined
    if (mark.position !== undefined) return mark.position
  }
}

/** A part of a text in pieces, with what its marks say. */
export function piecesIn(
  text: string,
  marks: readonly Mark[],
  from: number,
  to: number,
): readonly Piece[] {
  const pieces: Piece[] = []
  let at = from
  for (let next = firstAfter(marks, from); ; next++) {
    const mark = marks[next]
    if (!mark || mark.start >= to) break
    const { end, ...rest } = mark
    const start = Math.max(mark.start, from)
    if (start > at) pieces.push({ start: at, text: text.slice(at, start) })
    at = Math.min(end, to)
    pieces.push({ ...rest, start, text: text.slice(start, at) })
  }
  if (at < to) pieces.push({ start: at, text: text.slice(at, to) })
  return pieces
}

/** The text of an answer in pieces: brands where the analysis finds them, sources where the text cites them. */
export const piecesOf = (answer: Answer): readonly Piece[] =>
  piecesIn(answer.text, marksOf(answer), 0, answer.text.length)
