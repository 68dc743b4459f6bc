/** What a character is to a name: bits of `Folded.kind`. */
export const kinds = {
  letter: 1,
  digit: 2,
  /** A letter in upper case. */
  upper: 4,
  /** A letter of a script without spaces between words. */
  unspaced: 8,
  hangul: 16,
  /** A mark that belongs to the character before it, in every script. */
  mark: 32,
} as const

/** What stands between two characters of a name: bits of `Folded.gap`. */
export const gaps = {
  space: 1,
  hyphen: 2,
  apostrophe: 4,
  /** Emphasis, brackets of a label, a masked address. */
  markup: 8,
  /** An end of a word that no name goes across: an empty line, the tag of a block. */
  break: 16,
  newline: 32,
  /** A sign that ends a word, and may stand within a name: `_`, `™`. */
  edge: 64,
} as const

/** Stands for an address, a tag of a text style, code: nothing that a reader reads. */
export const blot = '\u0001'
/** Stands for the tag of a block: the texts before and after it are apart. */
export const wall = '\u0002'

/** The folded form of one character: what is compared, or the gap that the character makes. */
export interface Folding {
  readonly codes: readonly number[]
  readonly kinds: readonly number[]
  readonly gap: number
}

const nothing: Folding = { codes: [], kinds: [], gap: 0 }
const gapOf = (gap: number): Folding => ({ codes: [], kinds: [], gap })

const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

// Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic with its stretching sign.
const accent =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/
// Zero-width and bidi marks, soft hyphen, variation selectors.
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u
const apostrophe = /['’‘‛ʼʻ′´`＇]/
const hyphen = /[-‐‑‒–−﹣－]/
const markup = /[*~[\]\\]/
const ending = /[_™℠®©]|\u20e3/
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u
const hangul = /\p{Script=Hangul}/u
// Vowels and finals of a syllable, and the sign of a long vowel, cannot begin a word.
const joined = /[\u1160-\u11ff\ud7b0-\ud7ff\u30fc]/

function gapFolding(sign: string): Folding | null {
  if (sign === blot) return gapOf(gaps.markup)
  if (sign === wall) return gapOf(gaps.break)
  if (sign === '\n' || sign === '\u2028' || sign === '\u2029') return gapOf(gaps.newline)
  if (/\s/.test(sign)) return gapOf(gaps.space)
  if (invisible.test(sign)) return nothing
  if (sign === '`') return gapOf(gaps.apostrophe | gaps.markup)
  if (apostrophe.test(sign)) return gapOf(gaps.apostrophe)
  if (hyphen.test(sign)) return gapOf(gaps.hyphen)
  if (markup.test(sign)) return gapOf(gaps.markup)
  return ending.test(sign) ? gapOf(gaps.edge) : null
}

function kindOf(sign: string, isUpper: boolean): number {
  if (/\p{M}/u.test(sign) || joined.test(sign)) {
    return kinds.mark | (hangul.test(sign) ? kinds.hangul : 0)
  }
  if (/[\p{Nd}\p{Nl}]/u.test(sign)) return kinds.digit
  if (!/\p{L}/u.test(sign)) return 0
  const script = unspaced.test(sign) ? kinds.unspaced : hangul.test(sign) ? kinds.hangul : 0
  return kinds.letter | script | (isUpper ? kinds.upper : 0)
}

/**
 * Folds one character: compatibility forms, case, accents, and letters that have a plainer spelling. The form of
 * a character is the same in every text: syllables of Hangul and voiced Kana come apart into their letters.
 */
export function foldCharacter(sign: string): Folding {
  const gap = gapFolding(sign)
  if (gap !== null) return gap
  // NFKD would turn "Sony¹" and "Sony②" into other words.
  if (/\p{No}/u.test(sign)) return { codes: [sign.codePointAt(0) ?? 0], kinds: [0], gap: 0 }
  const folding = { codes: [] as number[], kinds: [] as number[], gap: 0 }
  const parts = sign === 'й' || sign === 'Й' ? [sign] : sign.normalize('NFKD')
  for (const part of parts) {
    if (accent.test(part)) continue
    const inner = part === sign ? null : gapFolding(part)
    if (inner !== null) folding.gap |= inner.gap
    else {
      const lower = part.toLowerCase()
      const isUpper = lower !== part
      for (const letter of spelled[lower] ?? lower) {
        if (accent.test(letter)) continue
        folding.codes.push(letter.codePointAt(0) ?? 0)
        folding.kinds.push(kindOf(letter, isUpper))
      }
    }
  }
  return folding
}
