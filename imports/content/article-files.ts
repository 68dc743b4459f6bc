import type { parseDocument } from 'yaml'
import { Flaw, isObject, parseJson, parseObject, rowOrReason } from '../files/flaw.ts'
import { type Line, linesOf } from '../files/lines.ts'
import { type Expected, hasName, requireLook } from '../files/looks.ts'
import { firstCharacter, peek } from '../files/peek.ts'
import type { Entry } from '../loads/runner.ts'
import { type ArticleRow, readArticle } from './article-fields.ts'

/** A file of articles. The name of a file in a folder is its path in that folder. */
export interface ArticleFile {
  readonly name: string | null
  readonly open: () => AsyncIterable<Uint8Array>
}

type Article = Entry<ArticleRow>
type ReadYaml = typeof parseDocument

const wholeBytes = 64 * 1024 * 1024
const documentBytes = 4 * 1024 * 1024
const headBytes = 256
const utf8 = new TextDecoder('utf-8', { fatal: true })
const markdownName = /\.(?:md|mdx|markdown)$/i
const jsonName = /\.(?:json|jsonl|ndjson)$/i

/** Whether a file of a folder holds articles. */
export const isArticleFile = (name: string) => markdownName.test(name) || jsonName.test(name)

/** @throws {Flaw} when the text is longer, or not UTF-8 */
async function wholeText(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) throw new Flaw(`The file is longer than ${maxBytes / 1024 / 1024} MiB.`)
  }
  try {
    return utf8.decode(Buffer.concat(parts))
  } catch {
    throw new Flaw('The file is not valid UTF-8.')
  }
}

/** Bounds the time of parsing. Front matter without an end runs to the end of the file. */
const maxFrontMatter = 16 * 1024

interface Markdown {
  readonly fields: Readonly<Record<string, unknown>>
  readonly content: string
}

/** @throws {Flaw} */
function splitFrontMatter(text: string, readYaml: ReadYaml): Markdown {
  if (!/^---(?!-)/.test(text)) return { fields: {}, content: text }
  const end = text.indexOf('\n---', 3)
  const block = text.slice(3, end < 0 ? undefined : end)
  if (block.length > maxFrontMatter) {
    throw new Flaw('The front matter is longer than 16 KiB, or has no end.')
  }
  const [, language = '', body = ''] = /^([^\r\n]*)(.*)$/s.exec(block) ?? []
  const fields = parseFrontMatter(language.trim(), body, readYaml) ?? {}
  if (!isObject(fields))
    throw new Flaw('The front matter must have fields, such as `title: A post`.')
  return { fields, content: end < 0 ? '' : text.slice(end + '\n---'.length) }
}

/** @throws {Flaw} */
function parseFrontMatter(language: string, body: string, readYaml: ReadYaml): unknown {
  try {
    if (language === 'json') return JSON.parse(body)
    if (!['', 'yaml', 'yml'].includes(language)) {
      throw new Error('it must be YAML or JSON')
    }
    const document = readYaml(body, { customTags: ['timestamp'], merge: true })
    const [problem] = [...document.errors, ...document.warnings]
    if (problem) throw problem
    return document.toJS()
  } catch (error) {
    // Further lines of a YAML error show the place in the text.
    const [message = ''] = (error as Error).message.toWellFormed().split('\n')
    throw new Flaw(`The front matter is not valid: ${message.replace(/[.:]$/, '')}.`)
  }
}

/** `2024-05-01-my-post.md` in `blog` gives `blog/my-post`, `blog/my-post/index.md` too. */
function slugOf(name: string): string {
  const parts = name
    .replaceAll('\\', '/')
    .replace(/\.[a-z]+$/i, '')
    .split('/')
  const last = (parts.pop() ?? '').replace(/^\d{4}-\d{2}-\d{2}-(?=.)/, '')
  return (last === 'index' && parts.length > 0 ? parts : [...parts, last]).join('/')
}

/** @throws {Flaw} */
function readMarkdown(text: string, name: string | null, readYaml: ReadYaml): ArticleRow {
  const { fields, content } = splitFrontMatter(text, readYaml)
  const heading = /^#[ \t]+(\S.*)$/m.exec(content)?.[1]?.trim()
  const slug = name === null ? undefined : slugOf(name)
  return readArticle({ ...fields, content: content.trim() }, { slug, title: heading })
}

function entryOf(number: number, read: () => ArticleRow): Article {
  const found = rowOrReason(number, read)
  return 'row' in found ? { ...found, size: found.row.content.length } : found
}

function readLine(line: Line, number: number): Article | null {
  if (typeof line === 'string' && line.trim() === '') return null
  const text = number === 1 && typeof line === 'string' ? line.replace(/^\ufeff/, '') : line
  return entryOf(number, () => readArticle(parseObject(text)))
}

/** An array, or one object over several lines. */
const isOneValue = /^\ufeff?\s*(?:\[|\{[ \t]*\r?\n)/

async function* readJsonFile(
  head: Buffer,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Article, void> {
  if (!isOneValue.test(head.toString('utf8'))) {
    let number = 0
    for await (const line of linesOf(bytes)) {
      const entry = readLine(line, ++number)
      if (entry) yield entry
    }
    return
  }
  const value = parseJson('file', await wholeText(bytes, wholeBytes))
  for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
    yield entryOf(index + 1, () => {
      if (!isObject(item)) throw new Flaw('The item is not a JSON object.')
      return readArticle(item)
    })
  }
}

const expected: Expected = {
  command: 'import articles',
  field: 'content',
  takes: 'Markdown with front matter, or JSON with `title` and `slug`',
  also: (look) => {
    const { form, command } = look
    if (form === 'json')
      return hasName(look, 'title', 'slug') || (command === null && look.names.length === 0)
    return form !== 'log' && form !== 'w3c' && form !== 'zip'
  },
}

function isMarkdown(name: string | null, head: Buffer): boolean {
  if (name !== null && isArticleFile(name)) return markdownName.test(name)
  return !['[', '{', ''].includes(firstCharacter(head))
}

/**
 * The articles of a file: Markdown with front matter holds one; JSON holds one for each line, or for each item of its
 * array.
 * @throws {Fault} `invalid_argument` for a file without a name that holds something else
 */
export async function* articlesOf({ name, open }: ArticleFile): AsyncGenerator<Article, void> {
  try {
    const { head, all } = await peek(open(), headBytes)
    if (name === null) requireLook(head, expected)
    if (!isMarkdown(name, head)) yield* readJsonFile(head, all)
    else {
      const text = await wholeText(all, documentBytes)
      // Only Markdown needs it: not the API, which imports this file too.
      const { parseDocument } = await import('yaml')
      yield entryOf(1, () => readMarkdown(text, name, parseDocument))
    }
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    yield { number: 1, reason: error.message }
  }
}
