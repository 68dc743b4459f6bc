/** What JSON writes in another way: quotes, backslashes, controls, and halves of surrogate pairs. */
const escaped = /["\\\p{Cc}\p{Cs}]/u

/** A value as JSON, with U+FFFD for U+0000 and halves of surrogate pairs: not every reader accepts them. */
export function safeJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\u')) return json
  return json.replace(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (written) =>
    written.length > 2 ? '\ufffd' : written,
  )
}

/**
 * A column of a row with the comma before it; nothing for an undefined value, which keeps the default of its column.
 * Most texts need no escapes, and then `JSON.stringify` takes far longer than the quotes do.
 * @param start comma, name, colon and quote, such as `,"path":"`
 */
export function textColumn(start: string, text: string | undefined): string {
  if (text === undefined) return ''
  return escaped.test(text) ? start + safeJson(text).slice(1) : `${start}${text}"`
}

/** Like `textColumn`, of a map of texts. */
export const mapColumn = (start: string, map: object | undefined): string =>
  map === undefined ? '' : start + safeJson(map)

/** Remembers the last result of a function of a text: the events of a body have much in common. */
export function rememberingLast<Result>(work: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: work(text) }
    return last.result
  }
}
