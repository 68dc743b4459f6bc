import { randomUUID } from 'node:crypto'

const escapes: Record<string, string> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  "'": "\\'",
  '\\': '\\\\',
}

function escaped(text: string): string {
  return /[\t\n\r'\\]/.test(text)
    ? text.replace(/[\t\n\r'\\]/g, (char) => escapes[char] ?? '')
    : text
}

/** Whole seconds since 1970, with milliseconds where there are some: the engine reads them in any time zone. */
function seconds(date: Date): string {
  const ms = date.getTime()
  const whole = String(Math.floor(ms / 1000)).padStart(10, '0')
  return ms % 1000 === 0 ? whole : `${whole}.${String(date.getUTCMilliseconds()).padStart(3, '0')}`
}

function bare(value: unknown): string | undefined {
  if (Number.isNaN(value)) return 'nan'
  if (value === Number.POSITIVE_INFINITY) return '+inf'
  if (value === Number.NEGATIVE_INFINITY) return '-inf'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return seconds(value)
  return undefined
}

function inArray(value: unknown): string {
  if (typeof value === 'string') return `'${escaped(value)}'`
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (Array.isArray(value)) return `[${value.map(inArray).join(',')}]`
  return bare(value) ?? refuse(value)
}

function refuse(value: unknown): never {
  throw new Error(`A query parameter cannot be ${Object.prototype.toString.call(value)}`)
}

/**
 * A value of a parameter in ClickHouse's escaped text form.
 * @see https://clickhouse.com/docs/interfaces/http#cli-queries-with-parameters
 */
function formatParam(value: unknown): string {
  if (typeof value === 'string') return escaped(value)
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? '1' : '0'
  return Array.isArray(value) ? inArray(value) : (bare(value) ?? refuse(value))
}

/**
 * A statement and its parameters as a form: lists of ids do not fit into a URL. No value can end its part, because
 * nobody can guess the boundary.
 */
export function toForm(
  sql: string,
  params: readonly (readonly [string, unknown])[],
): { readonly body: string; readonly type: string } {
  const boundary = `sightline-${randomUUID()}`
  const head = (name: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
  let body = `${head('query')}${sql}\r\n`
  for (const [name, value] of params) {
    if (!/^\w+$/.test(name)) throw new Error(`A query parameter cannot have the name "${name}"`)
    // Statements are put together, and each names some of the values that may be needed.
    if (!sql.includes(`{${name}:`)) continue
    body += `${head(`param_${name}`)}${formatParam(value)}\r\n`
  }
  return { body: `${body}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` }
}
