/**
 * Versions of the rules that count answers, stored in each row of mentions and citations. Increase one when its rules
 * find other names, tones or pages in the same answer: `sightline doctor` then says which projects need a reanalysis.
 */
export const rulesVersion = {
  /**
   * Names and their ranks: 2 brought modes and phrases, 3 the words of other languages, 4 ranks of lists and tables.
   * Version 5 brought names that begin with "and" after a bracket or a quotation mark. Version 6 leaves out what a model
   * writes to itself before it answers, and brought international domains in their own letters. Version 7 leaves out
   * persons, amounts and phrases that begin as a name does, and finds words cut at the end of a line, headings in
   * capitals, and abbreviations without their full stops.
   */
  names: 7,
  /**
   * Tones: 2 brought clauses and a lexicon of the domain. Version 3 brought first places, what was and no longer is,
   * concessions, conditions about the reader, double negation, and titles such as "Skip" above a list. Version 4 brought
   * German, French, Spanish, Italian, Portuguese and Dutch, tables with a column for each brand, and blame set aside.
   * Version 5 brought more English phrases: "would recommend", "nobody's first choice", "has fallen behind". Version 6
   * blames who loses a comparison and praises mended faults, in all seven languages.
   */
  tone: 6,
  /**
   * Cited pages: 2 brought redirectors, one address for one page, and kinds of sites by addresses. Version 3 brought
   * titles that are international domains. Version 4 brought archives, readers and translations of pages, addresses
   * without a scheme, and leaves out the files of assistants and Google's lists of results. Version 5 counts a page once an
   * answer on all hosts of its site, and brought pages of phones behind a language, percent-encoding and the order of
   * parameters. Version 6 counts a page as cited that is cited on one of these hosts and read on another.
   */
  pages: 6,
} as const
