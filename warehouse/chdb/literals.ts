import { exception } from './exception.ts'
import { type ParamType, paramType } from './param-types.ts'
import type { Statement } from './statement.ts'

const escapes: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A string literal. Only the quote and the backslash could end it, and both are escaped. */
export function quote(text: string): string {
  if (!/[\\'\0\b\f\n\r\t]/.test(text)) return `'${text}'`
  return `'${text.replace(/[\\'\0\b\f\n\r\t]/g, (char) => escapes[char] ?? char)}'`
}

const unescaped: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '/': '/',
}

/** Undoes the escapes of ClickHouse's text formats; an unknown one stands for itself. */
export function undoEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(x[0-7][0-9A-Fa-f]|[\s\S])/g, (whole, code: string) =>
    code.length === 3
      ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
      : (unescaped[code] ?? whole),
  )
}

const opening = /\s*\[\s*(\]\s*)?/y
const element = /\s*(?:'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|([^\s'[\],]+))/y
const separator = /\s*(?:(,)|\]\s*)/y

function match(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at
  return form.exec(text)
}

/** The literal of an array whose text begins at `at`, and where it ends; undefined when it does not fit. */
function readArray(
  type: ParamType,
  text: string,
  at: number,
): { literal: string; end: number } | undefined {
  const open = match(opening, text, at)
  if (open === null) return undefined
  let end = opening.lastIndex
  if (open[1] !== undefined) return { literal: '[]', end }
  const literals: string[] = []
  for (;;) {
    const inner = type.element && readArray(type.element, text, end)
    const found = inner ?? readElement(type, match(element, text, end))
    if (found === undefined) return undefined
    literals.push(found.literal)
    const next = match(separator, text, found.end)
    if (next === null) return undefined
    end = separator.lastIndex
    if (next[1] === undefined) return { literal: `[${literals.join(',')}]`, end }
  }
}

/** An element of an array: quoted text, or a bare word such as a number or NULL. */
function readElement(
  type: ParamType,
  found: RegExpExecArray | null,
): { literal: string; end: number } | undefined {
  if (type.fit === undefined || found === null) return undefined
  const [, inQuotes, bare = ''] = found
  const end = found.index + found[0].length
  if (inQuotes === undefined && bare.toUpperCase() === 'NULL') {
    return type.nullable ? { literal: 'NULL', end } : undefined
  }
  if (inQuotes === undefined && type.sql.includes('String')) return undefined
  const fitted = type.fit(inQuotes === undefined ? bare : undoEscapes(inQuotes))
  return fitted === undefined ? undefined : { literal: quote(fitted), end }
}

function inside(type: ParamType, text: string): string | undefined {
  if (type.element !== undefined) {
    const array = readArray(type.element, text, 0)
    return array?.end === text.length ? array.literal : undefined
  }
  if (text === '\\N') return type.nullable ? 'NULL' : undefined
  // A bare tab or line feed ends a value in the escaped form.
  if (/[\t\n]/.test(text)) return undefined
  const fitted = type.fit?.(undoEscapes(text))
  return fitted === undefined ? undefined : quote(fitted)
}

/**
 * The SQL literal of one query parameter: string literals or NULL, within a CAST to a type that is not theirs. No value can
 * change the statement around it.
 * @param text the value in ClickHouse's escaped text form, as clients send it
 * @throws {Exception} 457 when the value is not of the type, or the type is not supported
 */
export function literal(name: string, typeText: string, text: string): string {
  const type = paramType(name, typeText)
  const body = inside(type, text)
  if (body === undefined) {
    throw exception(457, `Value of the query parameter '${name}' cannot be parsed as ${type.sql}`)
  }
  // The engine spends a tenth of a small statement on each CAST: none where the literal has the type itself.
  const isTyped = type.sql === 'String' || (type.sql === 'Array(String)' && body !== '[]')
  if (isTyped) return body
  // Ids come by the thousand. One literal for each takes the engine three times as long as one for all.
  const value = type.sql === 'Array(UUID)' ? quote(body) : body
  return `_CAST(${value},${quote(type.sql)})`
}

/**
 * The statement's text with its placeholders replaced.
 * @throws {Exception} 456 when a parameter is missing, 457 when a value does not fit
 */
export function bind(statement: Statement, params: ReadonlyMap<string, string>): string {
  const literals = new Map<string, string>()
  let sql = ''
  let at = 0
  for (const { start, end, name, type } of statement.placeholders) {
    const value = params.get(name)
    if (value === undefined) throw exception(456, `Substitution \`${name}\` is not set`)
    const key = `${name}:${type}`
    const made = literals.get(key) ?? literal(name, type, value)
    literals.set(key, made)
    // The spaces separate the quotes of the literal from text next to the placeholder.
    sql += `${statement.text.slice(at, start)} ${made} `
    at = end
  }
  return at === 0 ? statement.text : sql + statement.text.slice(at)
}
