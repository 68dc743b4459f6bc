import type { Job } from './engine.ts'
import { exception } from './exception.ts'
import { bind } from './literals.ts'
import { readSettings } from './query-settings.ts'
import type { QueryRequest } from './request.ts'
import { readStatement } from './statement.ts'

const readsByGet = new Set(['SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'EXPLAIN', 'EXISTS'])

let count = 0

/**
 * To chDB an empty line ends the rows, and what follows is another statement: the rows before it would be stored
 * and the rest not. ClickHouse passes over empty lines between rows of JSON.
 * @throws {Exception} 48 where an empty line may be a value
 */
function withoutEmptyLines(format: string, rows: Buffer): Buffer {
  if (!rows.includes('\n\n') && rows[0] !== 0x0a) return rows
  if (!format.startsWith('JSON')) throw exception(48, `An empty line within ${format}`)
  return Buffer.from(rows.toString('latin1').replace(/^\n+|(?<=\n)\n+/g, ''), 'latin1')
}

/**
 * Makes a statement of a request, with its parameters as literals.
 * @throws {Exception} for whatever is wrong with the request
 */
export function toJob(request: QueryRequest, signal: AbortSignal): Job {
  const { url, data, params, queryId } = request
  // A body beside a statement in the URL is the rows of that insert, or else the rest of the text.
  const hasRows = data.length > 0 && /\bFORMAT\s+\w+\s*$/i.test(request.sql)
  const statement = readStatement(
    hasRows || data.length === 0 ? request.sql : `${request.sql}\n${data}`,
  )
  const { verb, format, text } = statement
  if (request.method !== 'POST' && !readsByGet.has(verb)) {
    throw exception(164, 'Cannot execute query in readonly mode: send it by POST')
  }
  const insertFormat = verb === 'INSERT' ? format : undefined
  const bound =
    insertFormat === undefined
      ? bind(statement, params)
      : bind({ ...statement, text: text.slice(0, insertFormat.start) }, params)
  count += 1
  return {
    id: `q${count} ${/^[\w.:-]{1,100}$/.test(queryId) ? queryId : ''}`,
    verb,
    sql: bound,
    settingsJoin: statement.settingsAfterFormat ? ',' : 'SETTINGS',
    settings: readSettings(url),
    database: url.get('database') || undefined,
    format: format?.name ?? (url.get('default_format') || 'TabSeparated'),
    rows: insertFormat && {
      format: insertFormat.name,
      bytes: withoutEmptyLines(
        insertFormat.name,
        hasRows ? data : Buffer.from(text.slice(insertFormat.end)),
      ),
    },
    signal,
  }
}
