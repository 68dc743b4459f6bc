/** A cell of CSV: quotes are doubled. */
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** A file of one column with a prompt a line. Empty lines stay, so that faults name the line of the reader. */
export const fileOf = (lines: readonly string[]): string =>
  ['text', ...lines.map((line) => line.trim() && cell(line.trim()))].join('\n')

/** A file with a line for each row, and a cell for each of its columns. */
export const fileOfColumns = <Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string>>[],
): string =>
  [
    columns.join(','),
    ...rows.map((row) => columns.map((column) => cell(row[column].trim())).join(',')),
  ].join('\n')
