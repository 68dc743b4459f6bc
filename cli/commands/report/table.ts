import { columns, count } from '../../text.ts'

type Fields = Readonly<Record<string, unknown>>

/** Longer cells are cut: the whole text is in `--json` and `--csv`. */
const longestCell = 60

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number') return Number.isInteger(value) ? count(value) : String(value)
  const text = (Array.isArray(value) ? value.map(cell).join(', ') : String(value)).replace(
    /\s+/g,
    ' ',
  )
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text
}

const isList = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.some(isFields)

/** The fields of an object, those of inner objects by paths such as `metrics.usage`. Lists of objects are left out. */
function flat(fields: Fields, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${name}`
    if (isFields(value)) return flat(value, `${path}.`)
    return isList(value) ? [[path, `${value.length}`]] : [[path, value]]
  })
}

function rowsOf(list: readonly Fields[]): string {
  const rows = list.map((row) => new Map(flat(row)))
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const lines = rows.map((row) => names.map((name) => cell(row.get(name))))
  return columns([names, ...lines], '')
}

/** The body of a report for people: its facts as lines, and then each of its lists as a table. */
export function tableOf(body: Fields): string {
  const parts: string[] = []
  const facts: string[][] = []
  const lists: [string, readonly Fields[]][] = []
  const read = (fields: Fields, prefix: string) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = `${prefix}${name}`
      if (isFields(value)) read(value, `${path}.`)
      else if (isList(value)) lists.push([path, value])
      else facts.push([path, cell(value)])
    }
  }
  read(body, '')
  if (facts.length > 0) parts.push(columns(facts, ''))
  for (const [path, list] of lists) parts.push(`${path}\n${rowsOf(list)}`)
  return parts.join('\n\n')
}
