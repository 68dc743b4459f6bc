/** A cell of CSV: quotes are doubled. */
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** A file of one column with a prompt a line. Empty lines stay, so that faults name the line of the reader. */
export const fileOf = (lines: readonly string[]): string =>
  ['text', ...lines.map((line) => line.trim() && cell(line.trim()))].join('\n')
