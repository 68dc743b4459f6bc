import { blot, wall } from './characters.ts'
import type { SearchedText } from './edges.ts'
import { emptyFolded, fold } from './fold.ts'
import { withoutFurniture } from './furniture.ts'
import { maskedReasoning } from './reasoning.ts'

/** The text of an answer for the search for names: folded, without addresses, code and the platform's own lines. */
export interface AnswerText extends SearchedText {
  /** The answer as `readableText` gives it. */
  readonly readable: string
  /** Maps a place of the folded text to its span in the answer. */
  readonly spanOf: (place: { readonly start: number; readonly end: number }) => {
    readonly start: number
    readonly end: number
  }
}

const title = String.raw`(?:"[^\n]{0,500}?"|'[^\n]{0,500}?'|\([^()\n]{0,500}\))`
const destination = String.raw`(?:<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)`
// Repeats are bounded or cannot overlap, so that the time stays linear on any text.
const addresses = new RegExp(
  [
    String.raw`\]\(\s{0,20}${destination}(?:\s{1,20}${title})?\s{0,20}\)`,
    String.raw`\]\[(?<label>[^\]\[\n]{0,200})\]`,
    String.raw`<[a-z][a-z0-9+.\-]{1,31}:[^\s<>]*>`,
    String.raw`(?:https?|ftp):\/\/[\p{L}\p{M}\p{N}\-._~:\/?#@!$&'\(\)*+,;=%]+`,
  ].join('|'),
  'giu',
)
const definitions = new RegExp(
  String.raw`^[ \t>]*\[(?!\^)([^\]\n]{1,200})\]:[ \t]*(?:<[^<>\n]*>|(?=[^\s<>]*[:\/.#])[^\s<>]+)` +
    String.raw`(?:\s[ \t]*["'(].*["')])?[ \t]*$`,
  'gm',
)

/**
 * Masks link targets and URLs: the parenthesis after a label with its tooltip, `<https://…>`, any URL with a scheme.
 * Masks reference definitions too, and the labels that refer to them.
 */
function withoutAddresses(markdown: string): string {
  const labels = new Set([''])
  let text = markdown
  if (text.includes(']:')) {
    text = text.replace(definitions, (definition, label: string) => {
      labels.add(label.toLowerCase())
      return blot.repeat(definition.length)
    })
  }
  return text.replace(addresses, (address, label: string | undefined) =>
    label === undefined || labels.has(label.toLowerCase()) ? blot.repeat(address.length) : address,
  )
}

// Style tags stand within a word; any other tag parts the words at its sides.
const tag = /<(\/?)([a-z][a-z0-9]{0,20})(?:\s[^<>]{0,2000})?\/?>/gi
const styleTags = new Set(
  'a abbr b bdi cite code del em font i ins mark q s small span strong sub sup u'.split(' '),
)
const alternative = /\salt\s{0,9}=\s{0,9}(?:"([^"]{1,500})"|'([^']{1,500})')/di
const fence =
  /^[ \t>]{0,20}(`{3,9}|~{3,9})(?![`~])[^`\n]{0,200}\n[\s\S]*?(?:\n[ \t>]{0,20}\1|(?![\s\S]))/gm
const inlineCode = /(?<!`)(`{1,2})(?!`)[^`\n]{1,500}\1(?!`)/g
const mailAddress = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g
// The path after a host without a scheme: "example.com/sony-tv".
const barePath = /(?<=[\w-]\.[a-z]{2,24})\/[\w\-.~%/?#=&+]{1,2000}/gi

const blotted = (text: string) => blot.repeat(text.length)

/** A tag that parts words. Of an image, the text that stands for it stays. */
function withoutTag(whole: string, name: string): string {
  const { indices } = (name.toLowerCase() === 'img' && alternative.exec(whole)) || {}
  const [start, end] = indices?.[1] ?? indices?.[2] ?? [whole.length, whole.length]
  return wall + blotted(whole.slice(1, start)) + whole.slice(start, end) + blotted(whole.slice(end))
}

/** Masks what a reader does not read as words, character by character. */
function readable(markdown: string): string {
  let text = withoutAddresses(markdown)
  if (text.includes('`')) text = text.replace(fence, blotted).replace(inlineCode, blotted)
  if (text.includes('@')) text = text.replace(mailAddress, blotted)
  if (text.includes('<')) {
    text = text.replace(tag, (whole, _slash, name: string) =>
      styleTags.has(name.toLowerCase()) ? blotted(whole) : withoutTag(whole, name),
    )
  }
  return text.includes('/') ? text.replace(barePath, blotted) : text
}

// Sentences without a space between them, and a list item without one after its label.
const glue = /[a-z0-9)][.!?:][A-Z][a-z]/g
const glueForSure = 3
const charactersToGlue = 1500

/** Whether the tags of a page were removed from the answer without leaving spaces. */
function ranTogether(text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(glue)) count++
  return count >= glueForSure && count * charactersToGlue >= text.length
}

let last: { markdown: string; platform: string | undefined; text: string } | null = null

/** The answer with masks over what a reader does not read as words; each character keeps its place. */
export function readableText(markdown: string, platform?: string): string {
  // The search for names and the search for tones read the same answer one after the other.
  if (last?.markdown === markdown && last.platform === platform) return last.text
  const text = readable(withoutFurniture(maskedReasoning(markdown, blot), platform))
  last = { markdown, platform, text }
  return text
}

const folded = emptyFolded()

/**
 * Prepares the Markdown of an answer for the search for names. Time is linear in the length. The result lasts until
 * the next call.
 */
export function answerText(markdown: string, platform?: string): AnswerText {
  const text = readableText(markdown, platform)
  fold(text, folded)
  let answer: boolean | null = null
  return {
    readable: text,
    folded,
    isRunTogether() {
      answer ??= ranTogether(text)
      return answer
    },
    spanOf: ({ start, end }) => ({ start: folded.from[start] ?? 0, end: folded.to[end - 1] ?? 0 }),
  }
}
