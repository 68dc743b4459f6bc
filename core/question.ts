import { hash } from 'node:crypto'

/** Quotation marks and apostrophes that writers and keyboards use for one another. */
const doubleQuotes = /[“”„‟«»‹›「」『』〝〞〟]|''/gu
const singleQuotes = /[‘’‚‛ʼ′`´]/gu
/** Invisible: zero-width space, byte order mark, soft hyphen. */
const invisible = /[\u200B\uFEFF\u00AD]/gu
/** What a question may end with: marks of several scripts, quotes and space. A full-width mark is its narrow one by now. */
const atEnd = /[\s?.!;。؟۔।՞'"]+$/u
const atStart = /^[\s¿¡'"]+/u

/** One letter for letters that differ only by case in some language: the Turkish i, the German ß, the Greek final s. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
}

/**
 * The form in which two texts are the same question: without case, spacing, kind of quotes, and the mark at the end.
 * Words are not compared by meaning, and accents count: "pêche" is not "péché".
 */
export function questionForm(text: string): string {
  const plain = folded(text.normalize('NFKC'))
    .normalize('NFC')
    .replace(invisible, '')
    .replace(singleQuotes, "'")
    .replace(doubleQuotes, '"')
    .replace(/\s+/gu, ' ')
    .trim()
  const bare = plain.replace(atEnd, '').replace(atStart, '')
  // A text of nothing but marks keeps them.
  return bare === '' ? plain : bare
}

/** Makes the id of an imported prompt: SHA-256 of its trimmed text in hex. */
export function textHash(text: string): string {
  return hash('sha256', text.trim(), 'hex')
}

/** The key of a question within a project: SHA-256 of its form in hex. Texts with the same key are one prompt. */
export function questionKey(text: string): string {
  return hash('sha256', questionForm(text), 'hex')
}
