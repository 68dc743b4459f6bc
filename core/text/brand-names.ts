import { blot, composed } from './answer-text.ts'

interface NamedBrand {
  readonly names: readonly { readonly text: string; readonly caseSensitive: boolean }[]
  readonly domains: readonly string[]
}

/** One spelling of a name, and the brands with that spelling, by their index in the list. */
export interface Name {
  readonly length: number
  readonly brands: ReadonlySet<number>
  /** Regular expression of this name alone. */
  readonly source: string
  /** Names that are prefixes of this name, longest first. */
  readonly shorter: readonly Name[]
}

/**
 * All names of one kind in one regular expression: group n is set when name n matches; the longest wins.
 * The expression does not check for whole words.
 */
export interface NameTable {
  readonly finder: RegExp
  readonly names: readonly Name[]
  /** End of the name when it stands at `start` as a whole word, else null. */
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
// Marks that change only the look of a character, such as an emoji, and the modifier-letter apostrophe.
const loose = String.raw`\ufe00-\ufe0f\u20e3\u{e0100}-\u{e01ef}\u02bc`
const wordSign = String.raw`[[\p{L}\p{M}\p{Nd}\p{Nl}]--[${unspaced}${loose}]]`
const wordBegins = new RegExp(`(?<!${wordSign})|(?=[${unspaced}])`, 'vy')
// A mark and the Kana long-vowel sign belong to the character before in every script.
const wordEnds = new RegExp(
  `(?![[\\p{M}ー]--[${loose}]])(?:(?<=[${unspaced}])|(?!${wordSign}))`,
  'vy',
)

/** Whether the text from `start` to before `end` is one or more whole words. */
export function isWhole(text: string, start: number, end: number): boolean {
  wordBegins.lastIndex = start
  wordEnds.lastIndex = end
  return wordBegins.test(text) && wordEnds.test(text)
}

// Around the white space in a name Markdown may put emphasis, brackets and a masked URL.
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
    // Markdown may escape any ASCII punctuation with a backslash.
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

// No Unicode classes in the expression: they are slow to compile.
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
 * Names, aliases and bare domains of the brands that are case-sensitive, or of the brands that are not.
 * @returns null without such brands
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
