import { LRUCache } from 'lru-cache'
import { exception } from './exception.ts'

/** `{name:Type}` in a statement, with the place where it stands. */
interface Placeholder {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly type: string
}

/** What the server has to know about a statement; it is cut into tokens, never understood. */
export interface Statement {
  /** The text up to its closing semicolon, which is left out. */
  readonly text: string
  readonly placeholders: readonly Placeholder[]
  /** The first word in capitals: SELECT, INSERT, CREATE …; empty when it begins otherwise. */
  readonly verb: string
  /** The FORMAT clause, if it has one outside of all brackets. */
  readonly format:
    | { readonly name: string; readonly start: number; readonly end: number }
    | undefined
  /** Whether a SETTINGS clause follows the FORMAT clause. */
  readonly settingsAfterFormat: boolean
}

interface Token {
  readonly start: number
  readonly end: number
  /** In capitals. */
  readonly word: string | undefined
  /** One character that is neither word nor quote. */
  readonly mark: string | undefined
  readonly placeholder: Placeholder | undefined
}

const quoted = (mark: string) =>
  `${mark}[^${mark}\\\\]*(?:(?:\\\\[\\s\\S]|${mark}${mark})[^${mark}\\\\]*)*${mark}`

// In the order of the engine's own lexer: blanks and comments, quotes, words.
const tokenForm = new RegExp(
  [
    String.raw`(?<blank>\s+|--[^\n]*|//[^\n]*|#[ !][^\n]*)`,
    `${quoted("'")}|${quoted('"')}|${quoted('`')}|‘[^’]*’|“[^”]*”`,
    String.raw`(?<here>\$\w*\$)[\s\S]*?\k<here>`,
    String.raw`\{\s*(?<name>[A-Za-z_]\w*)\s*:\s*(?<type>[^{}]*?)\s*\}`,
    String.raw`(?<word>[\w$]+)`,
    String.raw`(?<mark>/\*|[\s\S])`,
  ].join('|'),
  'uy',
)

/** The index behind a comment that opens at `start`; comments nest. */
function skipComment(sql: string, start: number): number {
  const edge = /\/\*|\*\//g
  edge.lastIndex = start
  let depth = 0
  for (let match = edge.exec(sql); match !== null; match = edge.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  throw exception(62, 'Syntax error: a comment is not closed')
}

/** The tokens that are neither blank nor comment. @throws {Exception} 62 for an open quote or comment */
function* tokens(sql: string): Generator<Token> {
  for (let start = 0, end = 0; start < sql.length; start = end) {
    tokenForm.lastIndex = start
    const { blank, name, type, word, mark } = tokenForm.exec(sql)?.groups ?? {}
    end = mark === '/*' ? skipComment(sql, start) : tokenForm.lastIndex
    if (blank !== undefined || mark === '/*') continue
    if (mark !== undefined && `'"\`‘“`.includes(mark)) {
      throw exception(62, `Syntax error: the quote ${mark} is not closed`)
    }
    const isPlaceholder = name !== undefined && type !== undefined
    const placeholder = isPlaceholder ? { start, end, name, type } : undefined
    yield { start, end, word: word?.toUpperCase(), mark, placeholder }
  }
}

/**
 * Cuts one statement into tokens, as the engine's lexer does.
 * @throws {Exception} 62 when it is empty, has an open quote or comment, or is followed by another
 */
export function readStatement(sql: string): Statement {
  const known = recent.get(sql)
  if (known !== undefined) return known
  const statement = cut(sql)
  if (sql.length < 20_000) recent.set(sql, statement)
  return statement
}

// The service sends the same few texts many times, with different parameters.
const recent = new LRUCache<string, Statement>({ max: 500 })

function cut(sql: string): Statement {
  const placeholders: Placeholder[] = []
  let verb: string | undefined
  let format: Statement['format']
  let formatStart: number | undefined
  let settingsAfterFormat = false
  let depth = 0
  let end: number | undefined
  for (const token of tokens(sql)) {
    const { word, mark, placeholder } = token
    if (mark === ';') {
      end ??= token.start
      continue
    }
    if (end !== undefined) throw exception(62, 'Syntax error: Multi-statements are not allowed')
    verb ??= word ?? ''
    if (placeholder !== undefined) placeholders.push(placeholder)
    if (mark === '(') depth += 1
    if (mark === ')') depth -= 1
    if (formatStart !== undefined && word !== undefined) {
      format = { name: sql.slice(token.start, token.end), start: formatStart, end: token.end }
      settingsAfterFormat = false
      // What follows is rows, not SQL.
      if (verb === 'INSERT') break
    }
    formatStart = depth === 0 && word === 'FORMAT' ? token.start : undefined
    settingsAfterFormat ||= depth === 0 && format !== undefined && word === 'SETTINGS'
  }
  if (verb === undefined) throw exception(62, 'Syntax error: Empty query')
  return { text: sql.slice(0, end), placeholders, verb, format, settingsAfterFormat }
}

/** The statements of a script, without their semicolons. */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let start = 0
  let isEmpty = true
  const take = (end: number) => {
    if (!isEmpty) statements.push(script.slice(start, end).trim())
    start = end + 1
    isEmpty = true
  }
  for (const { mark, start: at } of tokens(script)) {
    if (mark === ';') take(at)
    else isEmpty = false
  }
  take(script.length)
  return statements
}
