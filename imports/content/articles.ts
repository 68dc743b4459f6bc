import { idOf } from '../../core/ids.ts'
import type { Catalog } from '../../prisma/client.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportResult,
  runCatalogImport,
} from '../loads/runner.ts'
import type { ArticleRow } from './article-fields.ts'
import { type ArticleFile, articlesOf } from './article-files.ts'
import { type RecordTable, upsert } from './records.sql.ts'
import { loadRecords } from './records.ts'

/** The stores of content pieces; the first is the newer one. */
export const articleStores = ['content-v2', 'legacy'] as const
export type ArticleStore = (typeof articleStores)[number]

export interface ArticleImport extends ImportOptions {
  /** `content-v2` unless given. */
  readonly store?: ArticleStore
  readonly files: AsyncIterable<ArticleFile> | Iterable<ArticleFile>
}

const table: RecordTable = {
  name: 'Article',
  key: ['source', 'slug'],
  columns: {
    id: 'uuid',
    source: 'text',
    slug: 'text',
    title: 'text',
    urlPath: 'text',
    status: 'text',
    type: 'text',
    topic: 'text',
    targetKeyword: 'text',
    keywords: 'text[]',
    wordCount: 'int',
    metaDescription: 'text',
    ogImage: 'text',
    visibility: 'text',
    isPillar: 'boolean',
    aiReadinessScore: 'float8',
    tags: 'text[]',
    content: 'text',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
    publishedAt: 'timestamptz',
  },
  kept: { createdAt: 'now()' },
  stamped: { updatedAt: 'now()' },
}
const statement = upsert(table)

async function* entriesOf(files: ArticleImport['files']): AsyncGenerator<Entry<ArticleRow>, void> {
  let number = 0
  for await (const file of files) {
    number++
    for await (const entry of articlesOf(file)) {
      if (file.name === null) yield entry
      else if ('row' in entry) yield { ...entry, number }
      else yield { number, reason: `${file.name}: ${itemPrefix(entry)}${entry.reason}` }
    }
  }
}

const itemPrefix = ({ number }: { number: number }) => (number > 1 ? `${number}: ` : '')

/**
 * Loads content pieces into one of the two stores. A piece replaces the piece with the same slug, and is skipped when
 * it changes nothing.
 * @throws {Fault} `not_found`
 */
export function importArticles(db: Catalog, options: ArticleImport): Promise<ImportResult> {
  const { store = 'content-v2' } = options
  const recorded = { ...options, kind: 'articles' } as const
  return runCatalogImport(db, recorded, (run, { id }, importId) =>
    loadRecords(run, {
      entries: entriesOf(options.files),
      keyOf: ({ slug }) => slug,
      write: (rows) => {
        const records = rows.map((row) => ({
          id: idOf(id, 'article', store, row.slug),
          source: store,
          ...row,
        }))
        return db.$executeRawUnsafe(statement, id, JSON.stringify(records), importId)
      },
    }),
  )
}
