/** A row of a result, by column name. */
export type Raw = Record<string, unknown>

/**
 * The rows of a JSONEachRow text. One parse of the whole is faster than one a line.
 * @throws {Error} when an integer is too large to be a number without loss
 */
export function parseRows(text: string): Raw[] {
  if (/[:,[]-?\d{16}/.test(text)) refuseUnsafeIntegers(text)
  // Line feeds within strings are escaped, so a bare one ends a row.
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Raw[]
}

/** Rows of a large result are parsed in parts of about this many bytes. */
export const partBytes = 256 * 1024

/**
 * The rows of a large JSONEachRow result, part by part: its text is never whole in memory.
 * @throws {Error} as {@link parseRows} does
 */
export function parseLargeRows(bytes: Buffer): Raw[] {
  const rows: Raw[] = []
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf('\n', Math.min(start + partBytes, bytes.length))
    const end = found === -1 ? bytes.length : found
    for (const row of parseRows(bytes.toString('utf8', start, end))) rows.push(row)
    start = end + 1
  }
  return rows
}

function refuseUnsafeIntegers(text: string): void {
  const numbers = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""')
  for (const [digits] of numbers.matchAll(/(?<=[:,[])-?\d{16,}(?![\d.eE])/g)) {
    if (!Number.isSafeInteger(Number(digits))) {
      throw new Error(`The integer ${digits} is too large for a number: select it as a String`)
    }
  }
}
