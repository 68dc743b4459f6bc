/** Parts of the statements of a search. Each takes the terms that a result has. */

/**
 * A text for a search: in one Unicode form, without case, "ß" as "ss", and one form of the Greek "s". PostgreSQL's
 * `lower` alone keeps these apart.
 */
export const searched = (text: string) =>
  `replace(translate(lower(normalize(${text}, NFKC)), 'ς', 'σ'), 'ß', 'ss')`

/** Whether a text of the catalog has all terms of `$2`. */
export const hasTerms = (text: string) =>
  `(SELECT bool_and(strpos(${searched(text)}, ${searched('term')}) > 0) FROM unnest($2::text[]) AS term)`

/** Whether a text of the warehouse has all `count` terms, each bound by itself. */
export const hasBoundTerms = (text: string, count: number) =>
  Array.from(
    { length: count },
    (_, i) => `positionCaseInsensitiveUTF8(${text}, {term${i}:String}) > 0`,
  ).join(' AND ')
