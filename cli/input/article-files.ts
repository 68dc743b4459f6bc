import { opendir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type ArticleFile, isArticleFile } from '../../imports/content/article-files.ts'
import { type InputFile, openInputFile } from './input-file.ts'

/** A file or a folder of articles. */
export interface ArticleInput extends Pick<InputFile, 'sizeBytes' | 'readBytes' | 'close'> {
  readonly files: AsyncIterable<ArticleFile> | Iterable<ArticleFile>
}

/** The files of a folder and its subfolders, by name, without hidden ones. */
async function* filesIn(folder: string): AsyncGenerator<string, void> {
  const entries = []
  for await (const entry of await opendir(folder)) {
    if (!entry.name.startsWith('.')) entries.push(entry)
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile() && isArticleFile(entry.name)) yield path
  }
}

async function* articleFilesIn(folder: string): AsyncGenerator<ArticleFile, void> {
  for await (const path of filesIn(folder)) {
    const file = await openInputFile(path)
    yield { name: relative(folder, path), open: () => file.open() }
  }
}

/**
 * Opens a file of articles, a folder of Markdown and JSON, or standard input for "-".
 * @throws {CliError} `file_not_readable`
 */
export async function openArticles(path: string): Promise<ArticleInput> {
  const stats = path === '-' ? undefined : await stat(path).catch(() => undefined)
  if (stats?.isDirectory()) {
    const nothingToClose = () => undefined
    return {
      files: articleFilesIn(path),
      sizeBytes: undefined,
      readBytes: () => 0,
      close: nothingToClose,
    }
  }
  const file = await openInputFile(path)
  const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(path)
  const name = isMarkdown ? (path.split(/[/\\]/).at(-1) ?? path) : null
  return { ...file, files: [{ name, open: () => file.open() }] }
}
