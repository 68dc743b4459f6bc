/**
 * A text as it is compared with others: in one case and one Unicode form, so that full-width letters,
 * ligatures and "STRASSE" make no difference, and trimmed.
 * @see The Unicode Standard, section 3.13, toNFKC_Casefold
 */
export function caseFold(text: string): string {
  return `trimBoth(normalizeUTF8NFKCCasefold(${text}))`
}

/** Of spellings that fold alike, each counted as `times`, the one that is found most; ties by text. */
export const commonestSpelling = 'argMax(spelling, (times, spelling))'
