import matter from 'gray-matter'
import { type Line, linesOf } from '../files/lines.ts'
import { firstCharacter, peek } from '../files/peek.ts'
import type { Entry } from '../loads/runner.ts'
import { type ArticleRow, readArticle } from './article-fields.ts'

/** A file of articles. Those of a folder have their path in it as their name. */
export interface ArticleFile {
  readonly name: string | null
  readonly open: () => AsyncIterable<Uint8Array>
}

type Article = Entry<ArticleRow>

const wholeBytes = 64 * 1024 * 1024
const documentBytes = 4 * 1024 * 1024
const headBytes = 256
const utf8 = new TextDecoder('utf-8', { fatal: true })
const markdownName = /\.(?:md|mdx|markdown)$/i
const jsonName = /\.(?:json|jsonl|ndjson)$/i

/** Which files of a folder hold articles. */
export const isArticleFile = (name: string) => markdownName.test(name) || jsonName.test(name)

class Unreadable extends Error {}

/** @throws {Unreadable} where there is more, or no UTF-8 */
async function wholeText(bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size > mostBytes) throw new Unreadable(`is longer than ${mostBytes / 1024 / 1024} MiB`)
  }
  try {
    return utf8.decode(Buffer.concat(parts))
  } catch {
    throw new Unreadable('is not valid UTF-8')
  }
}

const refuse = () => {
  throw new Error('front matter may be YAML or JSON, and nothing that would be run')
}
const safeEngines = { javascript: refuse, js: refuse, coffee: refuse }

/** The library takes time quadratic in it. */
const longestFrontMatter = 16 * 1024

/** Front matter that does not end goes on to the end of the file. */
function refuseLongFrontMatter(text: string): void {
  if (!text.startsWith('---')) return
  const end = text.indexOf('\n---', 3)
  if ((end < 0 ? text.length : end) > longestFrontMatter) {
    throw new Error('is longer than 16 KiB, or has no end')
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

function readMarkdown(text: string, name: string | null): ArticleRow | { reason: string } {
  try {
    refuseLongFrontMatter(text)
    const { data, content } = matter(text, { engines: safeEngines })
    const heading = /^#[ \t]+(\S.*)$/m.exec(content)?.[1]?.trim()
    const slug = name === null ? undefined : slugOf(name)
    return readArticle({ ...data, content: content.trim() }, { slug, title: heading })
  } catch (error) {
    // YAML tells the place on lines of its own.
    const [message = ''] = (error as Error).message.split('\n')
    return { reason: `front matter: ${message}` }
  }
}

const entryOf = (number: number, found: ArticleRow | { reason: string }): Article =>
  'reason' in found
    ? { number, reason: found.reason }
    : { number, row: found, size: found.content.length }

function readJson(value: unknown): ArticleRow | { reason: string } {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject
    ? readArticle(value as Record<string, unknown>)
    : { reason: 'is not a JSON object' }
}

function parse(text: string): { value: unknown } | { reason: string } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { reason: `is not valid JSON: ${(error as Error).message.toWellFormed()}` }
  }
}

function readLine(line: Line, number: number): Article | null {
  if (typeof line !== 'string') return { number, reason: line.unreadable }
  if (line.trim() === '') return null
  const parsed = parse(line)
  return entryOf(number, 'reason' in parsed ? parsed : readJson(parsed.value))
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
  const parsed = parse(await wholeText(bytes, wholeBytes))
  if ('reason' in parsed) yield { number: 1, reason: parsed.reason }
  else {
    const items = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
    for (const [index, item] of items.entries()) {
      yield entryOf(index + 1, readJson(item))
    }
  }
}

function isMarkdown(name: string | null, head: Buffer): boolean {
  if (name !== null && isArticleFile(name)) return markdownName.test(name)
  return !['[', '{', ''].includes(firstCharacter(head))
}

/**
 * The articles of a file: Markdown with front matter is one; JSON has one an item of its array, or one a line.
 * What cannot be read is told with the number of its line or item.
 */
export async function* articlesOf({ name, open }: ArticleFile): AsyncGenerator<Article, void> {
  try {
    const { head, all } = await peek(open(), headBytes)
    if (!isMarkdown(name, head)) yield* readJsonFile(head, all)
    else yield entryOf(1, readMarkdown(await wholeText(all, documentBytes), name))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    yield { number: 1, reason: error.message }
  }
}
