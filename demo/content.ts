import { importArticles } from '../imports/content/articles.ts'
import { importDomainAuthority } from '../imports/content/domain-authority.ts'
import { importPageContents } from '../imports/content/page-contents.ts'
import { importPages } from '../imports/content/pages.ts'
import type { ImportStores } from '../imports/loads/runner.ts'
import type { DemoOptions } from './answers.ts'
import { pageText, paragraphsOn } from './page-texts.ts'
import { type Draw, drawFrom } from './random.ts'
import { addressOf, importedPaths, sitemapOf } from './site/paths.ts'
import { type DemoTopic, topics, wordsOf } from './topics.ts'
import { ownBrand } from './world.ts'

const dayMs = 24 * 60 * 60 * 1000

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

const daysBefore = (endDay: string, days: number) =>
  new Date(Date.parse(endDay) - days * dayMs).toISOString()

function articleOf(draw: Draw, topic: DemoTopic, at: number, endDay: string) {
  const about = wordsOf(topic)
  const age = draw.between(2, 300)
  const status = draw.chance(0.2) ? 'draft' : 'published'
  return {
    slug: `guide-${topic.slug}`,
    title: `How to choose ${about}`,
    urlPath: `/guides/${topic.slug}`,
    status,
    type: 'guide',
    topic: topic.name,
    targetKeyword: `best ${about}`,
    keywords: [...topic.criteria],
    metaDescription: `What matters in ${about}, and what does not.`,
    isPillar: at % 4 === 0,
    aiReadinessScore: draw.between(48, 93),
    tags: [topic.category],
    content: `# How to choose ${about}\n\n${paragraphsOn(draw, topic).join('\n\n')}`,
    createdAt: daysBefore(endDay, age + 20),
    updatedAt: daysBefore(endDay, Math.floor(age / 2)),
    publishedAt: status === 'published' ? daysBefore(endDay, age) : null,
  }
}

/** Guides in the newer store; in the older one the first three of them as they were, and two that were given up. */
function articles(draw: Draw, endDay: string) {
  const newer = topics.map((topic, at) => articleOf(draw, topic, at, endDay))
  const dated = { createdAt: daysBefore(endDay, 700), updatedAt: daysBefore(endDay, 600) }
  const before = newer.slice(0, 3).map((article) => ({ ...article, ...dated, isPillar: false }))
  const given = ['welcome', 'trade-fair'].map((slug) => {
    const title = slug === 'welcome' ? 'Welcome to our blog' : 'Meet us at the fair'
    return { ...dated, slug, title, status: 'archived', content: `${title}.` }
  })
  return { newer, older: [...before, ...given] }
}

/** A measurement a week, of a year. */
function authority(draw: Draw, endDay: string): string {
  const lines = Array.from({ length: 53 }, (_, week) => {
    const score = (31 + week * 0.19 + draw.next()).toFixed(1)
    const backlinks = 18_400 + week * 310 + draw.between(0, 240)
    return [daysBefore(endDay, (52 - week) * 7).slice(0, 10), score, backlinks, 900 + week * 9]
  })
  return ['date,score,backlinks,referringDomains', ...lines].join('\n')
}

/** Texts of every second page that answers may cite. */
function contents(endDay: string): string {
  const fetchedAt = `${endDay}T00:00:00Z`
  const lines = importedPaths.map((path) =>
    JSON.stringify({
      url: addressOf(path),
      title: `${ownBrand.name}: ${path}`,
      content: pageText(path).join('\n\n'),
      fetchedAt,
    }),
  )
  return lines.join('\n')
}

/**
 * Loads the demonstration's own content: guides, pages with a sitemap, texts of pages, and a year of its domain's
 * authority. Doing it again changes nothing.
 * @throws {Fault} 502 when the warehouse is away
 */
export async function loadDemoContent(
  stores: ImportStores,
  projectId: string,
  { seed, endDay }: DemoOptions,
): Promise<void> {
  const { db } = stores
  const draw = drawFrom(seed)
  const { newer, older } = articles(draw, endDay)
  const files = (pieces: readonly object[]) => [
    { name: null, open: () => bytesOf(JSON.stringify(pieces)) },
  ]
  await importArticles(db, { projectId, files: files(newer) })
  await importArticles(db, { projectId, store: 'legacy', files: files(older) })
  await importDomainAuthority(db, { projectId, bytes: bytesOf(authority(draw, endDay)) })
  await importPages(stores, { projectId, name: 'sitemap.xml', bytes: bytesOf(sitemapOf(endDay)) })
  await importPageContents(stores, { projectId, bytes: bytesOf(contents(endDay)) })
}
