import { createRequire } from 'node:module'
import type ts from 'typescript'

// An `import` has Node.js look through the whole compiler for its module format first: a second.
const compiler: typeof ts = createRequire(import.meta.url)('typescript')

/** A text that people read as one piece: a paragraph of Markdown, a comment, a description, an error. */
export interface Passage {
  readonly kind: 'text' | 'description' | 'comment'
  readonly text: string
  /** Where each part of the text begins in it, and on which line of the file. Ascending. */
  readonly parts: readonly { readonly offset: number; readonly line: number }[]
}

/** Reads all passages of a file; a file of an unknown kind has none. */
export function passagesOf(path: string, text: string): Passage[] {
  if (path.endsWith('.md')) return [ofLines('text', text.replace(/^---\n.*?\n---\n/s, blank), 1)]
  if (path.endsWith('.graphql')) {
    return matches(text, /"""(.*?)"""/gs).map(([inner, line]) =>
      ofLines('description', inner, line),
    )
  }
  if (path.endsWith('.sql')) return comments(text, /(?:^[ \t]*--[^\n]*\n?)+/gm, /--+/g)
  if (path.endsWith('.prisma')) return comments(text, /(?:^[ \t]*\/\/[^\n]*\n?)+/gm, /\/\/+/g)
  if (/[.][cm]?[jt]s$/.test(path)) return ofCode(path, text)
  return []
}

function comments(text: string, block: RegExp, mark: RegExp): Passage[] {
  return matches(text, block).map(([found, line]) =>
    ofLines('comment', found.replace(mark, blank), line),
  )
}

function matches(text: string, pattern: RegExp): [found: string, line: number][] {
  let [line, seen] = [1, 0]
  return [...text.matchAll(pattern)].map((match) => {
    line += text.slice(seen, match.index).split('\n').length - 1
    seen = match.index
    return [match[1] ?? match[0], line]
  })
}

/** Spaces in the place of what is no prose: offsets and lines stay. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function ofLines(kind: Passage['kind'], text: string, first: number): Passage {
  let offset = 0
  const parts = text.split('\n').map((line, i) => {
    const part = { offset, line: first + i }
    offset += line.length + 1
    return part
  })
  return { kind, text, parts }
}

function ofCode(path: string, text: string): Passage[] {
  const source = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest)
  const literals = new Map<number, number>()
  const found: Passage[] = []
  const read = path.startsWith('test/') ? () => [] : readable
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) literals.set(node.getStart(source), node.end)
    for (const [kind, value] of read(node)) found.push(...ofExpression(kind, value, source))
    compiler.forEachChild(node, visit)
  }
  visit(source)
  return [...ofComments(source, literals), ...found]
}

function isLiteral(node: ts.Node): boolean {
  return (
    compiler.isStringLiteralLike(node) ||
    compiler.isRegularExpressionLiteral(node) ||
    compiler.isTemplateHead(node) ||
    compiler.isTemplateMiddleOrTemplateTail(node)
  )
}

function* codeComments(text: string, literals: ReadonlyMap<number, number>) {
  const next = /["'`}/]/g
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const { index } = match
    const literal = literals.get(index)
    const isLine = text.startsWith('//', index)
    if (literal !== undefined) next.lastIndex = literal
    else if (isLine || text.startsWith('/*', index)) {
      const close = isLine ? text.indexOf('\n', index) : text.indexOf('*/', index) + 2
      const end = close < index ? text.length : close
      next.lastIndex = end
      yield { index, text: text.slice(index, end), isLine }
    }
  }
}

const pragma = /^\W*(biome-ignore|@ts-|eslint|<reference|v8 ignore|@vitest|@__PURE__|!)/

function ofComments(source: ts.SourceFile, literals: ReadonlyMap<number, number>): Passage[] {
  const { text } = source
  const found: { text: string; line: number; end: number }[] = []
  for (const comment of codeComments(text, literals)) {
    if (pragma.test(comment.text)) continue
    const clean = comment.text
      .replace(/^\/\*+|\*+\/$|^\/\/+/g, blank)
      .replace(/^[ \t]*\*/gm, blank)
      .replace(/@example[^@]*/g, blank)
    const before = found.at(-1)
    const between = before ? text.slice(before.end, comment.index) : 'x'
    const end = comment.index + comment.text.length
    if (before && comment.isLine && /^\n[ \t]*$/.test(between)) {
      before.text += `\n${clean}`
      before.end = end
    } else found.push({ text: clean, line: lineOf(source, comment.index), end })
  }
  return found.map((comment) => ofLines('comment', comment.text, comment.line))
}

const properties = new Set(['title', 'when', 'howToFix', 'message', 'summary', 'detail'])

/** Which argument of a call or a `new` is text for people. */
const positions = new Map([
  ['option', 1],
  ['requiredOption', 1],
  ['argument', 1],
  ['addHelpText', 1],
  ['example', 1],
  ['commandGroup', 2],
  ['Option', 1],
  ['Fault', 1],
  ['CliError', 1],
  ['invalid', 1],
  ['invalidBody', 0],
])

function kindOf(name: string): Passage['kind'] | undefined {
  if (name === 'description') return 'description'
  return properties.has(name) ? 'text' : undefined
}

function readable(node: ts.Node): [Passage['kind'], ts.Expression][] {
  if (compiler.isPropertyAssignment(node) || compiler.isVariableDeclaration(node)) {
    const kind = compiler.isIdentifier(node.name) ? kindOf(node.name.text) : undefined
    return kind && node.initializer ? [[kind, node.initializer]] : []
  }
  if (!(compiler.isCallExpression(node) || compiler.isNewExpression(node))) return []
  const { expression } = node
  const called = compiler.isPropertyAccessExpression(expression) ? expression.name : expression
  const name = compiler.isIdentifier(called) ? called.text : ''
  const argument = node.arguments?.[name === 'description' ? 0 : (positions.get(name) ?? -1)]
  return argument ? [[name === 'description' ? 'description' : 'text', argument]] : []
}

type Piece = readonly [text: string, line: number]

function ofExpression(
  kind: Passage['kind'],
  value: ts.Expression,
  source: ts.SourceFile,
): Passage[] {
  if (compiler.isConditionalExpression(value)) {
    return [value.whenTrue, value.whenFalse].flatMap((each) => ofExpression(kind, each, source))
  }
  const pieces = piecesOf(value, source, 0)
  if (!pieces.some(([text]) => /\s/.test(text) || kind === 'description')) return []
  let text = ''
  const parts = pieces.map(([piece, line]) => {
    const offset = text.length
    text += piece
    return { offset, line }
  })
  return [{ kind, text, parts }]
}

function lineOf(source: ts.SourceFile, offset: number): number {
  return source.getLineAndCharacterOfPosition(offset).line + 1
}

/** In the place of a value that is known at run time: a word of code. */
const unknown = '`…`'

function piecesOf(value: ts.Expression, source: ts.SourceFile, depth: number): Piece[] {
  const line = lineOf(source, value.getStart(source))
  const inner = (each: ts.Expression) => piecesOf(each, source, depth)
  if (compiler.isStringLiteralLike(value)) return [[value.text, line]]
  if (compiler.isParenthesizedExpression(value)) return inner(value.expression)
  if (compiler.isTemplateExpression(value)) {
    const spans = value.templateSpans.map((span) => unknown + span.literal.text)
    return [[value.head.text + spans.join(''), line]]
  }
  if (
    compiler.isBinaryExpression(value) &&
    value.operatorToken.kind === compiler.SyntaxKind.PlusToken
  ) {
    const [left, right] = [inner(value.left), inner(value.right)]
    return left.length > 0 || right.length > 0 ? [...left, ...right] : []
  }
  if (compiler.isIdentifier(value) && depth === 0) {
    const named = constant(value.text, source)
    return named ? piecesOf(named, source, 1) : []
  }
  return []
}

/** What a `const` at the top of the file is set to. */
function constant(name: string, source: ts.SourceFile): ts.Expression | undefined {
  for (const statement of source.statements) {
    if (!compiler.isVariableStatement(statement)) continue
    for (const { name: declared, initializer } of statement.declarationList.declarations) {
      if (compiler.isIdentifier(declared) && declared.text === name) return initializer
    }
  }
  return undefined
}
