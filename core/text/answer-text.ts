/** The text of an answer for the search for names: NFKC, with every URL masked. */
export interface AnswerText {
  readonly text: string
  /** Maps an index of `text` to an index of the answer: the start or the end of the same character. */
  readonly origin: (index: number, edge: 'start' | 'end') => number
}

/** Masks each character of a URL: not a letter, not a space, and never part of real text. */
export const blot = '\u0001'

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

/** A part that changed its length: `from` to `to` of the answer is `start` to `end` of the text. */
interface Shift {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

// Vowels and finals of Hangul, in each of their spellings, and half-width voicing marks join the character before, as
// marks do.
const joining = String.raw`\p{M}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7ff\uff9e-\uffdc`
const cluster = new RegExp(`.[${joining}]*`, 'gsu')
// Characters that NFKC never changes: ASCII, letters of Latin and Cyrillic, quotation marks, Kana, Han, Hangul.
// Most text holds only these, and skips the slow path.
const settled =
  String.raw`\0-\x7f\xc0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0400-\u0481\u048a-\u052f` +
  String.raw`\u2018-\u2022\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7a3`
const uncertain = new RegExp(`[^${settled}]+`, 'gu')
// NFKC would turn "Sony™" and "Sony¹" into other words, and put a space into "De´Longhi".
const kept = /^[\p{No}™℠´]/u
const softHyphen = '\u00ad'

function composeCluster(part: string): string {
  if (part.startsWith(softHyphen)) return part.slice(1).normalize('NFKC')
  return kept.test(part) ? part : part.normalize('NFKC')
}

/** NFKC, except that ™, ℠, ´ and numbers other than digits stay; soft hyphens are removed. */
export function composed(text: string, shifts: Shift[] = []): string {
  if (text.normalize('NFKC') === text && !text.includes(softHyphen)) return text
  let written = ''
  let read = 0
  for (const { 0: signs, index } of text.matchAll(uncertain)) {
    const end = index + signs.length
    // The character before may be the base of a mark.
    const begin = Math.max(index - 1, read)
    written += text.slice(read, begin)
    read = begin
    for (const [part] of text.slice(begin, end).matchAll(cluster)) {
      const plain = composeCluster(part)
      const start = written.length
      written += plain
      read += part.length
      if (plain.length === part.length) continue
      shifts.push({ start, end: written.length, from: read - part.length, to: read })
    }
  }
  return written + text.slice(read)
}

function originIn(shifts: readonly Shift[], index: number, edge: 'start' | 'end'): number {
  let low = 0
  let high = shifts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shifts[middle]?.start ?? 0) <= index) low = middle + 1
    else high = middle
  }
  const shift = shifts[low - 1]
  if (shift === undefined) return index
  if (index >= shift.end) return index - shift.end + shift.to
  if (index === shift.start) return shift.from
  return edge === 'start' ? shift.from : shift.to
}

/** Prepares the Markdown of an answer for the search for names. Time is linear in the length. */
export function answerText(markdown: string): AnswerText {
  const shifts: Shift[] = []
  const text = composed(withoutAddresses(markdown), shifts)
  return { text, origin: (index, edge) => originIn(shifts, index, edge) }
}
