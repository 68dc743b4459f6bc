import { blot, composed } from './answer-text.ts'

interface NamedBrand {
  readonly names: readonly { readonly text: string; readonly caseSensitive: boolean }[]
  readonly domains: readonly string[]
}

/** One spelling of a name, and the brands, by their place in the list, that have it. */
export interface Name {
  readonly length: number
  readonly brands: ReadonlySet<number>
  /** The expression of this name alone. */
  readonly source: string
  /** The names that this one begins with, longest first. */
  readonly shorter: readonly Name[]
}

/**
 * All names of one kind in one expression, whose group n is set when it found name n, the longest
 * that stands there. It does not ask whether that is a whole word.
 */
export interface NameTable {
  readonly finder: RegExp
  readonly names: readonly Name[]
  /** Where the name ends if it stands at `start` as a whole word, else null. */
  readonly endOf: (name: Name, text: string, start: number) => number | null
}

interface Node {
  readonly next: Map<string, Node>
  readonly brands: Set<number>
  length: number
}

const unspaced = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('')
// Marks that change only the looks of a sign, as an emoji's, and the apostrophe among the letters.
const loose = String.raw`\ufe00-\ufe0f\u20e3\u{e0100}-\u{e01ef}\u02bc`
const wordSign = String.raw`[[\p{L}\p{M}\p{Nd}\p{Nl}]--[${unspaced}${loose}]]`
const wordBegins = new RegExp(`(?<!${wordSign})|(?=[${unspaced}])`, 'vy')
// A mark, and the long sound of Kana, belong to the sign before them in every script.
const wordEnds = new RegExp(
  `(?![[\\p{M}ー]--[${loose}]])(?:(?<=[${unspaced}])|(?!${wordSign}))`,
  'vy',
)

/** Whether what begins at `start` and ends before `end` is a whole word, or several. */
export function isWhole(text: string, start: number, end: number): boolean {
  wordBegins.lastIndex = start
  wordEnds.lastIndex = end
  return wordBegins.test(text) && wordEnds.test(text)
}

// Beside the white space of a name Markdown may put emphasis, brackets and a blotted address.
const emphasis = String.raw`[*_~\x60\[\]]{0,4}`
const ornament = `${emphasis}${blot}{0,2000}${emphasis}`
const space = String.raw`(?:[^\S\n]{1,50}(?:\n[^\S\n]{0,50})?|\n[^\S\n]{0,50})`
const apostrophe = String.raw`\\?['’‘ʼ‛´\x60]`
const hyphen = String.raw`\\?[\-‐‑‒–−]`

/** The steps of a name's expression: a character, a sign with its other forms, or white space. */
function steps(name: string, caseSensitive: boolean): string[] {
  return (name.match(/\s+|\S/gu) ?? []).map((part) => {
    if (/\s/.test(part)) return ornament + space + ornament
    if (/['’‘ʼ‛´`]/.test(part)) return apostrophe
    if (/[-‐‑‒–−]/.test(part)) return hyphen
    if (part === '&') return String.raw`\\?&(?:amp;)?`
    // Markdown may write any ASCII sign behind a backslash.
    if (/[!-/:-@[-`{-~]/.test(part)) return `\\\\?${part.replace(/[$()*+./?[\\\]^{|}]/, '\\$&')}`
    const lower = part.toLowerCase()
    return caseSensitive || lower.length !== part.length ? part : lower
  })
}

function insert(root: Node, way: readonly string[], length: number, brand: number): void {
  let node = root
  for (const step of way) {
    const next = node.next.get(step) ?? { next: new Map(), brands: new Set(), length }
    node.next.set(step, next)
    node = next
  }
  node.length = length
  node.brands.add(brand)
}

// The expression holds no Unicode classes: they are slow to compile.
function tableOf(root: Node, flags: string): NameTable {
  const names: Name[] = []
  const walk = (node: Node, source: string, shorter: readonly Name[]): string => {
    const { brands, length } = node
    const name = brands.size === 0 ? null : { length, brands, shorter, source }
    const longer = name === null ? shorter : [name, ...shorter]
    const choices = [...node.next].map(([step, next]) => step + walk(next, source + step, longer))
    if (name !== null) {
      names.push(name)
      choices.push('()')
    }
    return choices.length === 1 ? (choices[0] ?? '') : `(?:${choices.join('|')})`
  }
  const finder = new RegExp(walk(root, '', []), `${flags}g`)
  const alone = new Map<Name, RegExp>()
  const endOf = (name: Name, text: string, start: number) => {
    const pattern = alone.get(name) ?? new RegExp(name.source, `${flags}y`)
    alone.set(name, pattern)
    pattern.lastIndex = start
    return pattern.test(text) && isWhole(text, start, pattern.lastIndex) ? pattern.lastIndex : null
  }
  return { finder, names, endOf }
}

/**
 * The names, aliases and bare domains of the brands that are case-sensitive, or that are not.
 * @returns null when there are none
 */
export function nameTable(brands: readonly NamedBrand[], caseSensitive: boolean): NameTable | null {
  const root: Node = { next: new Map(), brands: new Set(), length: 0 }
  for (const [at, { names, domains }] of brands.entries()) {
    const domainNames = domains.map((text) => ({ text, caseSensitive: false }))
    for (const name of [...names, ...domainNames]) {
      const text = composed(name.text).trim()
      if (text === '' || name.caseSensitive !== caseSensitive) continue
      insert(root, steps(text, caseSensitive), text.length, at)
    }
  }
  return root.next.size === 0 ? null : tableOf(root, caseSensitive ? 'u' : 'iu')
}
