import { exception } from './exception.ts'

/** URL parameters of the HTTP interface that are not settings of a query. */
const notSettings = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'quota_key',
  'role',
  'stacktrace',
  'buffer_size',
  'wait_end_of_query',
  'compress',
  'decompress',
  'session_timeout',
  'session_check',
  'http_method',
  // One insert is one block here already: waiting for others to join it would only delay it.
  'async_insert',
  'wait_for_async_insert',
])

/**
 * The settings among the URL parameters, as names and values; the values are text, as the engine reads them.
 * @throws {Exception} 115 for a name that cannot be a setting, 48 for HTTP sessions
 */
export function readSettings(url: URLSearchParams): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [name, value] of url) {
    if (notSettings.has(name) || name.startsWith('param_')) continue
    if (name === 'session_id') throw exception(48, 'HTTP sessions are not supported')
    if (!/^[a-z][a-z0-9_]{0,99}$/.test(name)) {
      throw exception(115, `Unknown setting '${name.slice(0, 100)}'`)
    }
    settings[name] = value
  }
  return settings
}
