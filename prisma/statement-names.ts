import { createHash } from 'node:crypto'

/** Statements of a service are fewer. Those with lists of values differ by the length of the list. */
const MOST_NAMES = 500
/** Longer ones insert many rows, and rarely come twice. */
const LONGEST_STATEMENT = 8_000

/**
 * Names under which the connections of one client keep prepared statements, so PostgreSQL parses and plans each once.
 * @returns gives '' for a statement that is not kept, so the memory of connections stays bounded
 */
export function statementNames(): (sql: string) => string {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size >= MOST_NAMES || sql.length > LONGEST_STATEMENT) return ''
    const name = createHash('sha256').update(sql).digest('base64url')
    names.set(sql, name)
    return name
  }
}
