import { beforeAll, describe, expect, test } from 'vitest'
import { type ArticleStore, importArticles } from '../imports/content/articles.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn } from './kit/changes.ts'
import { askingRest, outcomeOf } from './kit/prompts.ts'
import { sized } from './kit/soak.ts'

const api = useApi()

const words = (count: number) => 'word '.repeat(count).trim()

/**
 *   slug    content-v2                      legacy
 *   guide   published, 201 words, changed last   published
 *   news    draft, 200 words
 *   old     archived                             draft
 *   past                                         published, 1 word
 *   gone                                         archived
 */
const newer = [
  {
    slug: 'guide',
    title: 'A guide',
    status: 'Published',
    content: `# A guide\n${words(199)}`,
    type: 'guide',
    topic: 'Headphones',
    targetKeyword: 'best headphones',
    isPillar: true,
    keywords: ['anc', 'travel'],
    tags: 'a, b',
    aiReadinessScore: 71.5,
    urlPath: '/blog/guide',
    metaDescription: 'What to buy.',
    ogImage: 'https://acme.com/g.png',
    visibility: 'private',
    createdAt: '2025-01-01',
    updatedAt: '2025-06-01T12:00:00+02:00',
    publishedAt: '2025-02-01',
  },
  { slug: 'news', title: 'News', draft: true, content: words(200), updatedAt: '2025-05-01' },
  { slug: 'old', title: 'Old', status: 'archived', content: '', updatedAt: '2025-04-01' },
]
const older = [
  { slug: 'guide', title: 'The guide of old', content: words(5), updatedAt: '2026-01-01' },
  { slug: 'old', title: 'Old of old', draft: true, content: words(5), updatedAt: '2025-04-01' },
  { slug: 'past', title: 'Past', content: 'word', updatedAt: '2025-03-01' },
  { slug: 'gone', title: 'Gone', status: 'archived', content: 'word', updatedAt: '2025-03-01' },
]

let workspace: TestWorkspace
let key = ''
let project = ''

function load(
  of: string,
  text: string,
  store: ArticleStore = 'content-v2',
  name: string | null = null,
) {
  async function* bytes() {
    yield Buffer.from(text)
  }
  return importArticles(api.db, { projectId: of, store, files: [{ name, open: bytes }] })
}

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
  await load(project, JSON.stringify(newer))
  await load(project, older.map((line) => JSON.stringify(line)).join('\n'), 'legacy')
})

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

interface Listed {
  id: string
  slug: string
  source: string
  title: string
}

const list = async (query = '') => {
  const { body } = await rest('GET', `/articles${query}`)
  return body as unknown as { summary: object; articles: Listed[] }
}
const slugs = ({ articles }: { articles: Listed[] }) => articles.map(({ slug }) => slug)

describe('the list of articles', () => {
  test('merges both stores, the newer one first, without what is archived', async () => {
    const { articles, summary, ...others } = await list()
    expect(articles.map(({ slug, source, title }) => [slug, source, title])).toEqual([
      ['guide', 'content-v2', 'A guide'],
      ['news', 'content-v2', 'News'],
      ['past', 'legacy', 'Past'],
    ])
    expect(summary).toEqual({ total: 3, byStatus: { published: 2, draft: 1 } })
    expect(others).toEqual({ project: { id: project, name: 'Acme', domain: 'acme.com' } })
    expect(await list('?status=all')).toEqual(await list())
  })

  test('has every field of the contract, null where it says nothing', async () => {
    const { articles } = await list()
    expect(articles[0]).toEqual({
      id: expect.any(String),
      title: 'A guide',
      slug: 'guide',
      urlPath: '/blog/guide',
      status: 'published',
      type: 'guide',
      topic: 'Headphones',
      source: 'content-v2',
      targetKeyword: 'best headphones',
      keywords: ['anc', 'travel'],
      tags: ['a', 'b'],
      // "A", "guide" and 199 words: two minutes, where 200 are one.
      wordCount: 201,
      readTime: 2,
      aiReadinessScore: 71.5,
      isPillar: true,
      metaDescription: 'What to buy.',
      ogImage: 'https://acme.com/g.png',
      visibility: 'private',
      createdAt: '2025-01-01T00:00:00.000Z',
      updatedAt: '2025-06-01T10:00:00.000Z',
      publishedAt: '2025-02-01T00:00:00.000Z',
    })
    expect(articles[1]).toMatchObject({
      urlPath: '/news',
      wordCount: 200,
      readTime: 1,
      type: 'article',
      visibility: 'public',
      topic: null,
      targetKeyword: null,
      keywords: [],
      tags: [],
      isPillar: false,
      metaDescription: null,
      ogImage: null,
      aiReadinessScore: null,
      publishedAt: null,
    })
  })

  test('counts before paging, and after the filter', async () => {
    const archived = await list('?status=Archived')
    // The archived one of the newer store hides the draft of the older one.
    expect(slugs(archived).sort()).toEqual(['gone', 'old'])
    expect(archived.summary).toEqual({ total: 2, byStatus: { archived: 2 } })
    const page = await list('?status=published&limit=1&offset=1')
    expect(slugs(page)).toEqual(['past'])
    expect(page.summary).toEqual({ total: 2, byStatus: { published: 2 } })
    const linkOf = async (query: string) =>
      (await rest('GET', `/articles${query}`)).headers.get('link')
    expect(await linkOf('?status=published&limit=1')).toMatch(
      /\/articles\?status=published&limit=1&offset=1>; rel="next"$/,
    )
    expect(await linkOf('?status=published&limit=1&offset=1')).toBeNull()
    expect(await list('?status=nonsense')).toMatchObject({
      summary: { total: 0, byStatus: {} },
      articles: [],
    })
  })

  test('says the same in GraphQL, as a field of the project too', async () => {
    const fields = `{ summary { total statusCounts { key count } } articles: nodes { slug readTime }
      totalCount pageInfo { hasNextPage } }`
    const { data } = await graph(`{ project(id: "${project}") { articles(first: 2) ${fields} } }`)
    const expected = {
      summary: {
        total: 3,
        statusCounts: [
          { key: 'published', count: 2 },
          { key: 'draft', count: 1 },
        ],
      },
      articles: [
        { slug: 'guide', readTime: 2 },
        { slug: 'news', readTime: 1 },
      ],
      totalCount: 3,
      pageInfo: { hasNextPage: true },
    }
    expect(data).toEqual({ project: { articles: expected } })
    const { data: several } = await graph(`{ project(id: "${project}") {
      articles(filter: { statuses: ["Draft", "archived"] }) { summary { statusCounts { key count } } } } }`)
    const statusCounts = [
      { key: 'archived', count: 2 },
      { key: 'draft', count: 1 },
    ]
    expect(several).toEqual({ project: { articles: { summary: { statusCounts } } } })
  })

  test('clamps a long page to 100, and refuses none, another project and CSV', async () => {
    const refusals = [
      ['?limit=5000', '200 ok'],
      ['?status=%00', '200 ok'],
      ['?status=', '400 invalid_argument status'],
      ['?limit=0', '400 invalid_argument limit'],
      ['?offset=-1', '400 invalid_argument offset'],
      ['?format=csv', '400 invalid_argument format'],
    ] as const
    for (const [query, outcome] of refusals) {
      expect(outcomeOf(await rest('GET', `/articles${query}`))).toBe(outcome)
    }
    const clamped = await graph(
      `{ project(id: "${project}") { articles(first: 5000) { nodes { slug } } } }`,
    )
    expect(clamped.errors).toBeUndefined()
  })
})

describe('one article', () => {
  test('comes with its text, and is not found by any other id', async () => {
    const [guide] = (await list()).articles
    const { body } = await rest('GET', `/articles/${guide?.id}`)
    expect(body).toEqual({ article: { ...guide, content: `# A guide\n${words(199)}` } })
    const { data } = await graph(
      `{ project(id: "${project}") { article(id: "${guide?.id}") { slug wordCount } } }`,
    )
    expect(data.project).toEqual({ article: { slug: 'guide', wordCount: 201 } })
    const foreign = await workspace.project()
    await load(foreign, '{"slug":"x","title":"X"}')
    const other = await api.db.article.findFirstOrThrow({ where: { projectId: foreign } })
    for (const id of [other.id, 'guide', '8c1e0000-0000-4000-8000-000000000000']) {
      expect(outcomeOf(await rest('GET', `/articles/${id}`))).toBe('404 not_found')
      const answer = await graph(`{ project(id: "${project}") { article(id: "${id}") { slug } } }`)
      expect(faultIn(answer)).toBe('not_found')
    }
  })
})

describe('an import of articles', () => {
  test('twice is once, and what changed is replaced', async () => {
    const of = await workspace.project()
    const text = JSON.stringify(newer)
    expect(await load(of, text)).toEqual({ read: 3, loaded: 3, skipped: 0, rejected: [] })
    const rows = () =>
      api.db.article.findMany({ where: { projectId: of }, orderBy: { slug: 'asc' } })
    const before = await rows()
    expect(await load(of, text)).toMatchObject({ loaded: 0, skipped: 3 })
    expect(await rows()).toEqual(before)
    expect(await load(of, '{"slug":"news","title":"Other"}')).toMatchObject({ loaded: 1 })
    const [, news] = await rows()
    const { id, createdAt } = before[1] ?? {}
    expect(news).toMatchObject({ id, createdAt, title: 'Other', status: 'published' })
  })

  test('reads Markdown: front matter, its heading, its path; and never runs any of it', async () => {
    const of = await workspace.project()
    const text = `\ufeff---\ntitle: "Über uns"\ndate: 2025-01-02\ntags:\n  - a\nseo_description: Who\n---\n\nOne two.\n`
    await load(of, text, 'legacy', 'team/2024-05-01-about.md')
    await load(of, '# Just a *heading*\n\nand text', 'legacy', 'docs/index.md')
    const found = await api.db.article.findMany({
      where: { projectId: of },
      orderBy: { slug: 'asc' },
      omit: { id: true, updatedAt: true },
    })
    expect(found).toMatchObject([
      { slug: 'docs', urlPath: '/docs', title: 'Just a *heading*', wordCount: 5 },
      {
        slug: 'team/about',
        title: 'Über uns',
        tags: ['a'],
        metaDescription: 'Who',
        createdAt: new Date('2025-01-02'),
        content: 'One two.',
        wordCount: 2,
      },
    ])
    const js = '---js\n{ title: (globalThis.wasRun = "yes"), slug: "x" }\n---\nText'
    const { rejected } = await load(of, js, 'legacy', 'x.md')
    expect(rejected).toEqual([
      { line: 1, reason: expect.stringContaining('x.md: The front matter is not valid') },
    ])
    expect(globalThis).not.toHaveProperty('wasRun')
  })

  test('tells what cannot be read, and loads the rest', async () => {
    const of = await workspace.project()
    const lines = [
      '\ufeff{"slug":"a","title":"A"}',
      '',
      'not json',
      '[1]',
      '{"title":"No slug"}',
      '{"slug":"b","title":7,"aiReadinessScore":101,"publishedAt":"soon"}',
      '{"slug":"c","title":"C","createdAt":"9999-12-31T23:59:59-14:00"}',
      '{"slug":"c","title":"C","createdAt":"0000-01-01"}',
      '{"slug":"c","title":"C\\u0000","keywords":"x","isPillar":"maybe"}',
      '{"slug":"d","title":"D \\ud800 and NUL \\u0000","content":"\\u0000"}',
      '{"slug":"e","title":"cut o',
    ]
    const { rejected, ...counts } = await load(of, lines.join('\n'))
    expect(counts).toEqual({ read: 10, loaded: 2, skipped: 0 })
    expect(
      rejected.map(({ line, reason }) => [
        line,
        reason
          .match(/^(The line is not [^:.]*)|`(\w+)`/)
          ?.slice(1)
          .find(Boolean),
      ]),
    ).toEqual([
      [3, 'The line is not valid JSON'],
      [4, 'The line is not a JSON object'],
      [5, 'slug'],
      [6, 'aiReadinessScore'],
      [7, 'createdAt'],
      [8, 'createdAt'],
      [9, 'isPillar'],
      [11, 'The line is not valid JSON'],
    ])
    const latin1 = Buffer.from('---\ntitle: Caf\u00e9\nslug: x\n---\n', 'latin1')
    const cases: [Buffer, string][] = [
      [Buffer.from(`---\n${'\n'.repeat(3_000_000)}`), 'The front matter is longer than 16 KiB'],
      [latin1, 'is not valid UTF-8'],
      [Buffer.from('---\ntitle: [\n---\nx'), 'The front matter is not valid: '],
      [Buffer.from('[{"slug":"z"'), 'is not valid JSON'],
    ]
    for (const [bytes, reason] of cases) {
      async function* open() {
        yield bytes
      }
      const files = [{ name: null, open }]
      const {
        rejected: [first],
      } = await importArticles(api.db, { projectId: of, files })
      expect(first?.reason).toContain(reason)
    }
  })

  test('reads one object over several lines, and words where no space is between', async () => {
    const of = await workspace.project()
    const one = { slug: 'a', title: 'A', content: "耳机 don't – well-known 3 ***" }
    expect(await load(of, JSON.stringify(one, null, 2))).toMatchObject({ read: 1, loaded: 1 })
    const { wordCount } = await api.db.article.findFirstOrThrow({ where: { projectId: of } })
    expect(wordCount).toBe(4)
  })

  const many = sized({ normal: 2_000, soak: 100_000 })

  test(`takes ${many} lines in the memory of some batches`, async () => {
    const of = await workspace.project()
    const body = words(40)
    async function* open() {
      for (let i = 0; i < many; i++) {
        const title = i % 1000 === 7 ? '' : `Title ${i % 2000}`
        yield Buffer.from(`${JSON.stringify({ slug: `s${i % 2000}`, title, content: body })}\n`)
      }
    }
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    let most = 0
    const onProgress = () => {
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    const files = [{ name: null, open }]
    const result = await importArticles(api.db, { projectId: of, files, onProgress })
    expect(result).toMatchObject({ read: many, loaded: 1998, skipped: many * 0.999 - 1998 })
    expect(result.rejected).toHaveLength(many / 1000)
    expect(result.rejected[0]).toEqual({ line: 8, reason: '`title` is empty.' })
    expect(most).toBeLessThan(300 * 1024 * 1024)
  })

  test('is a mutation of the scope admin', async () => {
    const of = await workspace.project()
    const ask = (args: string) =>
      graph(
        `mutation { importArticles(projectId: "${of}", ${args})
          { read loaded skipped rejected { line reason } } }`,
      )
    const content = JSON.stringify('[{"slug":"a","title":"A"},{"title":"B"}]')
    expect((await ask(`content: ${content}, store: "legacy"`)).data).toEqual({
      importArticles: {
        read: 2,
        loaded: 1,
        skipped: 0,
        rejected: [{ line: 2, reason: '`slug` is required.' }],
      },
    })
    expect(faultIn(await ask(`content: "", store: "other"`))).toBe('invalid_argument store')
  })
})

test('AI readiness is that of the newest audit of the own page at the path, else as imported', async () => {
  const of = await workspace.project()
  const pieces = ['guide', 'news'].map((slug) => ({
    slug,
    title: slug,
    urlPath: `/${slug}/`,
    aiReadinessScore: 40,
  }))
  await load(of, JSON.stringify(pieces))
  const base = { projectId: of, slug: 'guide', type: 'guide', title: '', description: '' }
  const own = await api.db.page.create({ data: { ...base, url: 'https://www.acme.com/guide' } })
  const foreign = await api.db.page.create({ data: { ...base, url: 'https://notacme.com/news' } })
  const scores = (aiReadiness: number) => ({ overall: 1, technical: 1, content: 1, aiReadiness })
  for (const [score, status] of [
    [70, 'completed'],
    [81.5, 'completed'],
    [90, 'failed'],
  ] as const) {
    const pages = [own, foreign].map(({ id: pageId, url }) => {
      return { pageId, url, address: url, status: 'completed' as const, scores: scores(score) }
    })
    const audit = { projectId: of, status, pageCount: 2, isWholeSite: true }
    await api.db.audit.create({ data: { ...audit, pages: { create: pages } } })
  }
  const response = await api.get(`/api/mcp/projects/${of}/articles`, key)
  const { articles } = (await response.json()) as {
    articles: { id: string; slug: string; aiReadinessScore: number }[]
  }
  const found = articles.map(({ slug, aiReadinessScore }) => [slug, aiReadinessScore]).sort()
  expect(found).toEqual([
    ['guide', 81.5],
    ['news', 40],
  ])
  const guide = articles.find(({ slug }) => slug === 'guide')?.id
  const one = await api.get(`/api/mcp/projects/${of}/articles/${guide}`, key)
  expect(await one.json()).toMatchObject({ article: { aiReadinessScore: 81.5 } })
})
