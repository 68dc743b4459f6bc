import { answerText } from './answer-text.ts'
import { isWhole, type Name, type NameTable, nameTable } from './brand-names.ts'

export interface Brand {
  readonly id: string
  readonly isOwn: boolean
  readonly names: readonly { readonly text: string; readonly caseSensitive: boolean }[]
  /** Registrable domains, without `www.`. */
  readonly domains: readonly string[]
}

/** A span of the original answer in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A brand that an answer names. Rank 1 is named first; brands named at the same position share a rank. */
export interface Mention {
  readonly brandId: string
  readonly isOwn: boolean
  readonly occurrences: number
  readonly rank: number
  readonly firstAt: number
  readonly spans: readonly Span[]
}

export interface BrandMatcher {
  /** Brands that the Markdown of an answer names, by rank. Time is linear in the length of the answer. */
  find(markdown: string): Mention[]
}

interface Candidate extends Span {
  readonly name: Name
  readonly table: NameTable
}

/** Prefixes of a candidate's name that are whole words at the same position, longest first. */
function shorterNames({ start, name, table }: Candidate, text: string): Candidate[] {
  return name.shorter.flatMap((shorter) => {
    const end = table.endOf(shorter, text, start)
    return end === null ? [] : [{ start, end, name: shorter, table }]
  })
}

/** At each position, the longest name of the table that is a whole word there. */
function longestNames(table: NameTable, text: string): Candidate[] {
  const found: Candidate[] = []
  const { finder, names } = table
  finder.lastIndex = 0
  for (let match = finder.exec(text); match !== null; match = finder.exec(text)) {
    const start = match.index
    const end = start + match[0].length
    finder.lastIndex = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
    // Each name ends with its own empty group.
    const name = names[match.indexOf('', 1) - 1]
    if (name === undefined) continue
    const candidate = { start, end, name, table }
    const longest = isWhole(text, start, end) ? candidate : shorterNames(candidate, text)[0]
    if (longest !== undefined) found.push(longest)
  }
  return found
}

const overlaps = (candidates: readonly Candidate[]) =>
  candidates.some((candidate, at) => at > 0 && candidate.start < (candidates[at - 1]?.end ?? 0))

/** Of overlapping names the longer stays; of equal length the first, or both at the same position. */
function withoutOverlaps(candidates: readonly Candidate[], text: string): Candidate[] {
  const all = candidates.flatMap((candidate) => [candidate, ...shorterNames(candidate, text)])
  all.sort((a, b) => b.name.length - a.name.length || a.start - b.start)
  const taken = new Uint8Array(text.length)
  const kept: Candidate[] = []
  for (const candidate of all) {
    const { start, end, name } = candidate
    const before = kept.at(-1)
    const twin = before?.start === start && before.name.length === name.length
    if (!twin && taken.subarray(start, end).includes(1)) continue
    taken.fill(1, start, end)
    kept.push(candidate)
  }
  return kept.sort((a, b) => a.start - b.start)
}

/** Spans by brand, in the order of the text. Two equal names of one brand count once per position. */
function spansByBrand(
  candidates: readonly Candidate[],
  origin: (index: number, edge: 'start' | 'end') => number,
): Map<number, Span[]> {
  const spans = new Map<number, Span[]>()
  for (const { start, end, name } of candidates) {
    const span = { start: origin(start, 'start'), end: origin(end, 'end') }
    for (const brand of name.brands) {
      const soFar = spans.get(brand)
      if (soFar === undefined) spans.set(brand, [span])
      else if (soFar.at(-1)?.start !== span.start) soFar.push(span)
    }
  }
  return spans
}

function ranked(mentions: readonly Omit<Mention, 'rank'>[]): Mention[] {
  const order = mentions.toSorted(
    (a, b) => a.firstAt - b.firstAt || (a.brandId < b.brandId ? -1 : 1),
  )
  return order.map((mention) => ({
    ...mention,
    rank: 1 + order.findIndex((other) => other.firstAt === mention.firstAt),
  }))
}

/**
 * Makes a matcher of the brands that a project tracks. Reuse the matcher: compiling 20 brands takes milliseconds.
 * An answer names a brand when its name, an alias or its bare domain is a whole word.
 * Of two overlapping names the longer wins; a name of two brands counts for both.
 * The order of the brands makes no difference.
 * @see the contract's metrics, "A brand is named"
 */
export function compileBrands(brands: readonly Brand[]): BrandMatcher {
  const tables = [false, true].map((caseSensitive) => nameTable(brands, caseSensitive))
  return {
    find(markdown) {
      const { text, origin } = answerText(markdown)
      const found = tables
        .flatMap((table) => (table === null ? [] : longestNames(table, text)))
        .sort((a, b) => a.start - b.start)
      const candidates = overlaps(found) ? withoutOverlaps(found, text) : found
      const mentions = [...spansByBrand(candidates, origin)].flatMap(([at, spans]) => {
        const brand = brands[at]
        const firstAt = spans[0]?.start
        if (brand === undefined || firstAt === undefined) return []
        const { id: brandId, isOwn } = brand
        return [{ brandId, isOwn, occurrences: spans.length, firstAt, spans }]
      })
      return ranked(mentions)
    },
  }
}
