/** An answer as it is searched: NFKC, every address blotted out. */
export interface AnswerText {
  readonly text: string
  /** The place in the answer that an index of `text` comes from: its beginning or its end. */
  readonly origin: (index: number, edge: 'start' | 'end') => number
}

/** Stands for each sign of an address: no letter, no space, and nothing that people write. */
export const blot = '\u0001'

const title = String.raw`(?:"[^\n]{0,500}?"|'[^\n]{0,500}?'|\([^()\n]{0,500}\))`
const destination = String.raw`(?:<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)`
// Repeats are bounded or cannot overlap: the time stays linear on any text.
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
 * Addresses are what a link points to: the parenthesis after a label with its tooltip, reference
 * definitions and the labels that call them, `<https://…>`, and any URL with a scheme.
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

/** What changed its length: `from` to `to` of the answer is `start` to `end` of the text. */
interface Shift {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

// Vowels and finals of Hangul, and the half-width voicing marks, join what they follow as marks do.
const joining = String.raw`\p{M}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f`
const cluster = new RegExp(`.[${joining}]*`, 'gsu')
// Outside these, NFKC may change a sign: ASCII, letters of Latin and Cyrillic, quotation marks,
// Kana, Han, Hangul. Most of a text need not be taken apart.
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

/** NFKC, but ™, ℠, ´ and numbers that are no digits stay themselves, and soft hyphens go. */
export function composed(text: string, shifts: Shift[] = []): string {
  if (text.normalize('NFKC') === text && !text.includes(softHyphen)) return text
  let written = ''
  let read = 0
  for (const { 0: signs, index } of text.matchAll(uncertain)) {
    const end = index + signs.length
    // What comes before may be the letter of a mark.
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

/** Makes an answer's Markdown ready for the search for names. Linear in its length. */
export function answerText(markdown: string): AnswerText {
  const shifts: Shift[] = []
  const text = composed(withoutAddresses(markdown), shifts)
  return { text, origin: (index, edge) => originIn(shifts, index, edge) }
}
