/**
 * The start of a text that a spreadsheet may read as a formula: `=`, `+`, `-`, `@` and their full-width forms.
 * Some spreadsheets skip white space before it. Apostrophes may precede it.
 */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/

/** Puts an apostrophe before a text that may be a formula, so that no spreadsheet calculates the cell. */
export function hardened(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** How the service writes CSV, as csv-stringify takes it: RFC 4180 with a byte-order mark. */
export const csvFormat = {
  bom: true,
  record_delimiter: 'windows' as const,
  // A lone CR or LF would end the record for some readers: such cells are quoted.
  quoted_match: /[\r\n]/,
}

/** Reverses `hardened`. Any other cell stays the same. */
export function unhardened(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
