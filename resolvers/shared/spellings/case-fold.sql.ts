/**
 * A text for comparison: trimmed, case-folded and in one Unicode form. "Straße" equals "STRASSE", and full-width
 * letters and ligatures equal plain ones.
 * @see The Unicode Standard, section 3.13, toNFKC_Casefold
 */
export function caseFold(text: string): string {
  return `trimBoth(normalizeUTF8NFKCCasefold(${text}))`
}

/** The most frequent of the spellings that fold alike, by `times`; ties by text. */
export const commonestSpelling = 'argMax(spelling, (times, spelling))'
