import { importArticles } from '../../imports/content/articles.ts'
import { importPageContents } from '../../imports/content/page-contents.ts'
import { importPages } from '../../imports/content/pages.ts'
import type { TestApi } from '../kit/api.ts'

/** A content piece, a page and a report of a project. */
export interface ContentRows {
  readonly articleId: string
  readonly pageId: string
  readonly reportId: string
}

/** The page, whose text is cached too. */
export const contentUrl = 'https://acme.com/guide'

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

/** Makes a content piece, a page with its cached text, and a completed report without content. */
export async function makeContentRows(api: TestApi, projectId: string): Promise<ContentRows> {
  const { db } = api
  const article = JSON.stringify({ slug: 'guide', title: 'A guide' })
  await importArticles(db, { projectId, files: [{ name: null, open: () => bytesOf(article) }] })
  await importPages(api, { projectId, name: 'pages', bytes: bytesOf(`url\n${contentUrl}\n`) })
  const text = { url: contentUrl, content: 'Text.', fetchedAt: '2025-05-10T12:00:00Z' }
  await importPageContents(api, { projectId, bytes: bytesOf(JSON.stringify(text)) })
  const [{ id: articleId }, { id: pageId }] = await Promise.all([
    db.article.findFirstOrThrow({ where: { projectId } }),
    db.page.findFirstOrThrow({ where: { projectId } }),
  ])
  const day = new Date('2025-05-10')
  const { id: reportId } = await db.report.create({
    data: {
      projectId,
      reportType: 'visibility',
      title: 'A report',
      from: day,
      to: day,
      asOf: {},
      status: 'completed',
      completedAt: day,
    },
  })
  return { articleId, pageId, reportId }
}
