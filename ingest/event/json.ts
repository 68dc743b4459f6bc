/** A value as JSON, with U+FFFD for U+0000 and halves of surrogate pairs: not every reader accepts them. */
export function safeJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\u')) return json
  return json.replace(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (written) =>
    written.length > 2 ? '\ufffd' : written,
  )
}
