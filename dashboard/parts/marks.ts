import type { OneAnswerFragment } from '../documents.ts'

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

type Mark = Omit<Piece, 'text'> & { readonly end: number }

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

/** The text of an answer in pieces: brands where the analysis finds them, sources where the text cites them. */
export function piecesOf(answer: Answer): Piece[] {
  const { text, places, mentions } = answer
  if (places.length === 0 && answer.citations.length === 0) return [{ start: 0, text }]
  const byBrand = new Map(mentions.map((mention) => [mention.brandId, mention]))
  const brands = places.flatMap(({ brandId, start, end }): Mark[] => {
    const mention = byBrand.get(brandId)
    return mention ? [{ start, end, mention }] : []
  })
  const marks = [...brands, ...sourcesOf(answer)].toSorted((a, b) => a.start - b.start)
  const pieces: Piece[] = []
  let at = 0
  for (const { end, ...mark } of marks) {
    // A name within an address, and the second brand of one name.
    if (mark.start < at) continue
    if (mark.start > at) pieces.push({ start: at, text: text.slice(at, mark.start) })
    pieces.push({ ...mark, text: text.slice(mark.start, end) })
    at = end
  }
  if (at < text.length) pieces.push({ start: at, text: text.slice(at) })
  return pieces
}
