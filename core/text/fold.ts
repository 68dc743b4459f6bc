import { type Folding, foldCharacter, gaps, kinds } from './characters.ts'

/**
 * A text as names compare it: letters, digits and signs, without case, accents, spaces and marks. Index n of each
 * array is about the same character. The next call of `fold` reuses the arrays.
 */
export interface Folded {
  length: number
  code: Uint32Array
  /** Bits of `kinds`. */
  kind: Uint8Array
  /** Bits of `gaps`: what stands before the character. */
  gap: Uint8Array
  /** Where the character begins in the text, and where it ends. */
  from: Int32Array
  to: Int32Array
  /** What stands after the last character. */
  endGap: number
}

const and = 38
const foldings = new Map<number, Folding>()
// The common cases, by code unit: a character that folds to one character, and a gap.
const known = new Uint8Array(0x10000)
const isPlain = 1
const isGap = 2
const plainCode = new Uint16Array(0x10000)
const plainKind = new Uint8Array(0x10000)

function foldingOf(point: number): Folding {
  const found = foldings.get(point)
  if (found !== undefined) return found
  const folding = foldCharacter(String.fromCodePoint(point))
  if (point <= 0xffff || foldings.size < 10_000) foldings.set(point, folding)
  const [only = 0, ...others] = folding.codes
  if (point > 0xffff || point === and || others.length > 0 || only > 0xffff) return folding
  if (folding.codes.length === 0) {
    known[point] = folding.gap === 0 || folding.gap === gaps.newline ? 0 : isGap
    plainKind[point] = folding.gap
  } else if (folding.gap === 0) {
    known[point] = isPlain
    plainCode[point] = only
    plainKind[point] = folding.kinds[0] ?? 0
  }
  return folding
}

const entities: readonly (readonly [string, string])[] = [
  ['&amp;', '&'],
  ['&nbsp;', ' '],
  ['&#39;', "'"],
  ['&apos;', "'"],
  ['&rsquo;', "'"],
  ['&quot;', '"'],
]

function room(folded: Folded, size: number): void {
  if (folded.code.length >= size) return
  const grown = <A extends Uint32Array | Uint8Array | Int32Array>(old: A, fresh: A): A => {
    fresh.set(old)
    return fresh
  }
  folded.code = grown(folded.code, new Uint32Array(size))
  folded.kind = grown(folded.kind, new Uint8Array(size))
  folded.gap = grown(folded.gap, new Uint8Array(size))
  folded.from = grown(folded.from, new Int32Array(size))
  folded.to = grown(folded.to, new Int32Array(size))
}

export function emptyFolded(): Folded {
  const size = 64
  return {
    length: 0,
    code: new Uint32Array(size),
    kind: new Uint8Array(size),
    gap: new Uint8Array(size),
    from: new Int32Array(size),
    to: new Int32Array(size),
    endGap: 0,
  }
}

const spaces = gaps.space | gaps.newline | gaps.break

/** How many of the first `n` characters say "&" at their end: the word "and", or a "+" between spaces. */
function andAtEnd({ code, gap, kind }: Folded, n: number): number {
  const isApart = (at: number) => at === 0 || ((gap[at] ?? 0) & spaces) !== 0
  if (code[n - 1] === 43) return isApart(n - 1) ? 1 : 0
  if (code[n - 1] !== 100 || code[n - 2] !== 110 || code[n - 3] !== 97) return 0
  if (gap[n - 2] !== 0 || gap[n - 1] !== 0) return 0
  // A sign ends a word, as in "(and", and so does a letter of a script without spaces.
  const before = kind[n - 4] ?? 0
  const isWord = isWordKind(before) && (before & kinds.unspaced) === 0
  return isApart(n - 3) || !isWord ? 3 : 0
}

/** Writes "&" for an "and" at the end of the first `n` characters. @returns how many characters there are now */
function joinAnd(folded: Folded, n: number): number {
  const taken = andAtEnd(folded, n)
  if (taken === 0) return n
  const at = n - taken
  folded.code[at] = and
  folded.kind[at] = 0
  folded.to[at] = folded.to[n - 1] ?? 0
  return at + 1
}

/** The character at `at` with the end of its spelling, which may be an entity of HTML. */
function characterAt(text: string, at: number): { point: number; end: number } {
  const point = text.codePointAt(at) ?? 0
  const entity = point === and ? entities.find(([written]) => text.startsWith(written, at)) : null
  if (entity) return { point: entity[1].charCodeAt(0), end: at + entity[0].length }
  return { point, end: at + (point > 0xffff ? 2 : 1) }
}

/** Folds a text into `folded`. Time is linear in the length. */
export function fold(text: string, folded: Folded): Folded {
  room(folded, text.length + 64)
  folded.length = 0
  let { code, kind, gap, from, to } = folded
  let [n, pending] = [0, 0]
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at)
    const how = known[unit]
    if (how === isGap) {
      pending |= plainKind[unit] ?? 0
      at++
      continue
    }
    if (how === isPlain) {
      if ((pending & spaces) !== 0 && n > 0 && (code[n - 1] === 100 || code[n - 1] === 43)) {
        n = joinAnd(folded, n)
      }
      code[n] = plainCode[unit] ?? 0
      kind[n] = plainKind[unit] ?? 0
      gap[n] = pending
      from[n] = at++
      to[n++] = at
      pending = 0
      continue
    }
    const { point, end } = characterAt(text, at)
    const folding = foldingOf(point)
    if (folding.codes.length === 0) {
      // A second line end makes an empty line.
      const isEmptyLine = folding.gap === gaps.newline && (pending & gaps.newline) !== 0
      pending |= isEmptyLine ? gaps.break : folding.gap
      // An accent or another invisible sign belongs to the character before it.
      if (folding.gap === 0 && n > 0 && pending === 0) to[n - 1] = end
    } else {
      const need = n + folding.codes.length + text.length - at
      if (need > code.length) {
        room(folded, Math.max(need, code.length * 2))
        ;({ code, kind, gap, from, to } = folded)
      }
      if ((pending & spaces) !== 0 && n > 0) n = joinAnd(folded, n)
      for (const [index, one] of folding.codes.entries()) {
        code[n] = one
        kind[n] = folding.kinds[index] ?? 0
        gap[n] = index === 0 ? pending | folding.gap : 0
        from[n] = at
        to[n++] = end
      }
      pending = 0
    }
    at = end
  }
  folded.length = n
  folded.endGap = pending
  return folded
}

/** Whether a character is a letter, a digit, or a mark of a letter. */
export const isWordKind = (kind: number): boolean =>
  (kind & (kinds.letter | kinds.digit | kinds.mark)) !== 0
