const field = /"(?<quoted>(?:[^"]|"")*)"|(?<bare>[^",\r\n]*)/y
const separator = /,|\r\n/y

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray {
  form.lastIndex = at
  const match = form.exec(text)
  if (match === null)
    throw new Error(`not CSV at ${at}: ${JSON.stringify(text.slice(at, at + 30))}`)
  return match
}

/**
 * The records of a CSV text by the strict grammar of RFC 4180. Records end in CRLF alone, and quotes enclose a
 * whole field. A CR, LF, comma or quote outside quotes is an error.
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const { 0: source, groups } = matchAt(field, text, at)
    record.push(groups?.quoted?.replaceAll('""', '"') ?? groups?.bare ?? '')
    at += source.length
    const [mark] = at === text.length ? ['\r\n'] : matchAt(separator, text, at)
    at += mark.length
    if (mark === ',' && at < text.length) continue
    if (mark === ',') record.push('')
    records.push(record)
    record = []
  }
  return records
}
