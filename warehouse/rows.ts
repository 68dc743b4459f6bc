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

function refuseUnsafeIntegers(text: string): void {
  const numbers = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""')
  for (const [digits] of numbers.matchAll(/(?<=[:,[])-?\d{16,}(?![\d.eE])/g)) {
    if (!Number.isSafeInteger(Number(digits))) {
      throw new Error(`The integer ${digits} is too large for a number: select it as a String`)
    }
  }
}
