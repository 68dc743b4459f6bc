import { z } from 'zod'
import { countWords } from '../../core/text/words.ts'
import { checkShape } from '../files/flaw.ts'

/** A stored content piece; null for absent values. */
export interface ArticleRow {
  readonly slug: string
  readonly title: string
  readonly urlPath: string
  readonly status: string
  readonly type: string
  readonly topic: string | null
  readonly targetKeyword: string | null
  readonly keywords: readonly string[]
  readonly wordCount: number
  readonly metaDescription: string | null
  readonly ogImage: string | null
  readonly visibility: string
  readonly isPillar: boolean
  readonly aiReadinessScore: number | null
  readonly tags: readonly string[]
  readonly content: string
  readonly createdAt: string | null
  readonly updatedAt: string | null
  readonly publishedAt: string | null
}

/** The names of each field, the contract's name first; case, `_`, `-` and spaces do not count. */
const names = {
  title: ['title'],
  slug: ['slug'],
  urlPath: ['urlpath', 'path', 'permalink', 'url'],
  status: ['status', 'state'],
  draft: ['draft'],
  type: ['type', 'contenttype', 'layout'],
  topic: ['topic', 'category'],
  targetKeyword: ['targetkeyword', 'focuskeyword', 'primarykeyword'],
  keywords: ['keywords', 'secondarykeywords'],
  wordCount: ['wordcount'],
  metaDescription: ['metadescription', 'seodescription', 'description', 'excerpt'],
  ogImage: ['ogimage', 'image', 'cover'],
  visibility: ['visibility'],
  isPillar: ['ispillar', 'pillar'],
  aiReadinessScore: ['aireadinessscore'],
  tags: ['tags'],
  content: ['content', 'body', 'markdown'],
  createdAt: ['createdat', 'created', 'date'],
  updatedAt: ['updatedat', 'updated', 'lastmod', 'modified'],
  publishedAt: ['publishedat', 'published', 'publishdate', 'pubdate'],
} as const

const tidy = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

const text = (most: number) =>
  z
    .union([z.string(), z.number(), z.boolean()], {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be a text'),
    })
    .transform((value) => tidy(String(value)).trim())
    .pipe(z.string().max(most, `must have at most ${most} characters`))

const filled = (most: number) => text(most).pipe(z.string().min(1, 'is empty'))

/** A list, or a text such as "a, b". */
const list = z
  .union([z.string().transform((value) => value.split(',')), z.array(z.unknown())], {
    error: 'must be a list of texts',
  })
  .pipe(z.array(text(200)).max(200, 'must have at most 200 entries'))
  .transform((values) => values.filter((value) => value !== ''))

const yes = z.union(
  [z.boolean(), z.stringbool({ truthy: ['true', 'yes', '1'], falsy: ['false', 'no', '0'] })],
  { error: 'must be true or false' },
)

const isoTime = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], {
  error: 'must be an ISO 8601 date or timestamp, such as 2025-05-24T15:56:04Z',
})

const lastMs = Date.UTC(9999, 11, 31)

/** YAML reads a date as a `Date`. */
const time = z
  .union([z.date().transform((date) => date.toISOString()), z.string()], {
    error: 'must be an ISO 8601 date or timestamp, such as 2025-05-24T15:56:04Z',
  })
  .transform((value) => value.trim().replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T'))
  .pipe(isoTime)
  .transform((value, context) => {
    const isLocal = value.length > 10 && !/(?:Z|[+-]\d{2}:\d{2})$/.test(value)
    const at = new Date(isLocal ? `${value}Z` : value)
    if (!(at.getTime() >= 0 && at.getTime() < lastMs)) {
      context.addIssue('must be in the years 1970 to 9999')
      return z.NEVER
    }
    return at.toISOString()
  })

const shape = z.object({
  title: filled(500),
  slug: filled(500),
  urlPath: text(2000).optional(),
  status: filled(50)
    .transform((status) => status.toLowerCase())
    .optional(),
  draft: yes.optional(),
  type: filled(100).optional(),
  topic: text(200).optional(),
  targetKeyword: text(200).optional(),
  keywords: list.default([]),
  wordCount: z.number().int().min(0).max(0x7fffffff).optional(),
  metaDescription: text(2000).optional(),
  ogImage: text(2000).optional(),
  visibility: filled(50).optional(),
  isPillar: yes.default(false),
  aiReadinessScore: z.number().min(0).max(100).optional(),
  tags: list.default([]),
  content: z.string().transform(tidy).default(''),
  createdAt: time.optional(),
  updatedAt: time.optional(),
  publishedAt: time.optional(),
})

type Field = keyof typeof names

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')

/** The fields under the contract's names, without null values. */
function known(given: Readonly<Record<string, unknown>>): Partial<Record<Field, unknown>> {
  const byName = new Map(
    Object.entries(given).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[plain(name), value] as const],
    ),
  )
  const found = Object.entries(names).flatMap(([field, aliases]) => {
    const alias = aliases.find((name) => byName.has(name))
    return alias === undefined ? [] : [[field, byName.get(alias)] as const]
  })
  return Object.fromEntries(found)
}

const lastOfPath = (path: unknown) =>
  typeof path === 'string' ? path.split(/[?#]/, 1)[0]?.split('/').findLast(Boolean) : undefined

/**
 * A content piece from front matter or JSON.
 * @param fallback values for absent fields
 * @throws {Flaw}
 */
export function readArticle(
  given: Readonly<Record<string, unknown>>,
  fallback: { readonly slug?: string | undefined; readonly title?: string | undefined } = {},
): ArticleRow {
  const fields = known(given)
  const slug = fields.slug ?? fallback.slug ?? lastOfPath(fields.urlPath)
  const title = fields.title ?? fallback.title
  const { draft, wordCount, ...article } = checkShape(shape, { ...fields, slug, title })
  return {
    ...article,
    urlPath: article.urlPath || `/${article.slug}`,
    status: article.status ?? (draft ? 'draft' : 'published'),
    type: article.type ?? 'article',
    visibility: article.visibility ?? 'public',
    topic: article.topic || null,
    targetKeyword: article.targetKeyword || null,
    metaDescription: article.metaDescription || null,
    ogImage: article.ogImage || null,
    aiReadinessScore: article.aiReadinessScore ?? null,
    // A list of articles without texts may still give their lengths.
    wordCount: article.content === '' ? (wordCount ?? 0) : countWords(article.content),
    createdAt: article.createdAt ?? null,
    updatedAt: article.updatedAt ?? null,
    publishedAt: article.publishedAt ?? null,
  }
}
