/**
 * Versions of the rules that count answers, stored in each row of mentions. Increase one when its rules find other
 * names, or other tones, in the same answer: `sightline doctor` then says which projects need a reanalysis.
 */
export const rulesVersion = {
  /** Names, furniture and edges of words: 2 brought modes and phrases, 3 the words of other languages. */
  names: 3,
  /** Tones: 2 brought clauses and a lexicon of the domain. */
  tone: 2,
} as const
