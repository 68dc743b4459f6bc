/** A text as PostgreSQL stores it: without the character zero, and without halves of characters. */
export const storedText = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed()

/** JSON of a value that pages may have written. */
export function storedJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return String(each)
    return typeof each === 'string' ? storedText(each) : each
  })
}
