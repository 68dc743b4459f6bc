/**
 * A text for comparison: trimmed, without case, in one Unicode form. "Straße" equals "STRASSE". The warehouse compares
 * sub-queries in the same way.
 */
export function comparable(text: string): string {
  const form = (of: string) => of.normalize('NFKC')
  // Upper case spells out what lower case keeps, such as "ß".
  return form(form(text).toUpperCase().toLowerCase()).trim()
}
