/**
 * What a spreadsheet might take for the beginning of a formula, behind any apostrophes: `=`, `+`, `-`, `@`, their
 * full-width forms, and the white space that some skip.
 */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/

/** A text as a cell that no spreadsheet calculates: an apostrophe goes before what might be a formula. */
export function hardened(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The text that was hardened to this cell; any other cell is itself. */
export function unhardened(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
