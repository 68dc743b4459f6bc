import { type LineReader, timeOf, valueOrEmpty } from './request.ts'

const header = '#Fields:'
const requiredFields = ['date', 'time', 'cs-method', 'cs-uri-stem', 'sc-status', 'cs(User-Agent)']

/** A field of a line by its name; empty for an absent one. */
export type FieldOf = (name: string) => string

/** What the lines of a W3C log share, whoever writes it. */
export interface W3cLine {
  /** Unix time in milliseconds. */
  readonly at: number
  readonly method: string
  readonly status: number
  readonly of: FieldOf
}

/**
 * The extended format of the W3C: a header names the fields. Joined files have several headers, and a server writes
 * another one when its settings change, or it starts again.
 * @param separator what stands between two values; names in the header are separated by white space
 * @see https://www.w3.org/TR/WD-logfile.html
 */
export function readW3c(
  separator: string,
  requestOf: (line: W3cLine) => ReturnType<LineReader['read']>,
): LineReader {
  let fields: readonly string[] = []
  const readHeader = (line: string) => {
    if (!line.startsWith(header)) return
    const named = line.slice(header.length).trim().split(/\s+/)
    fields = requiredFields.every((name) => named.includes(name)) ? named : []
  }
  return {
    read(line) {
      if (line.startsWith('#')) {
        readHeader(line)
        return 'nothing'
      }
      const values = line.split(separator)
      if (fields.length === 0 || values.length !== fields.length) return 'malformed'
      const found = lineOf(new Map(fields.map((name, i) => [name, values[i] ?? ''])))
      return found === undefined ? 'malformed' : requestOf(found)
    },
    skim(lines) {
      const at = lines.lastIndexOf(`\n${header}`) + 1
      const end = lines.indexOf('\n', at)
      readHeader(lines.toString('utf8', at, end < 0 ? undefined : end).trimEnd())
    },
  }
}

function lineOf(fields: ReadonlyMap<string, string>): W3cLine | undefined {
  const of = (name: string) => valueOrEmpty(fields.get(name))
  const at = timeOf(`${of('date')}T${of('time')}Z`)
  const status = of('sc-status')
  if (at === undefined || !/^\d{3}$/.test(status)) return undefined
  return { at, method: of('cs-method'), status: Number(status), of }
}
