import { folded } from '../document/text.ts'
import type { SiteFacts } from './facts.ts'
import type { Outcome } from './finding.ts'
import { hitsOf, type ReadContext } from './site-context.ts'

type LostTopic = SiteFacts['lostTopics'][number]

const wordsOf = (name: string) => folded(name).match(/[\p{L}\p{N}]{3,}/gu) ?? []

/** The words of title and main headings. */
const headOf = ({ document: { title, h1 } }: ReadContext) =>
  new Set(folded([title ?? '', ...h1].join(' ')).match(/[\p{L}\p{N}]+/gu) ?? [])

/** The page of a topic: its title and h1 hold each word of the name. Of several, the most crawled, then by URL. */
function pageOf(topic: LostTopic, pages: readonly { page: ReadContext; head: Set<string> }[]) {
  const words = wordsOf(topic.name)
  if (words.length === 0) return undefined
  const about = pages.filter(({ head }) => words.every((word) => head.has(word)))
  return about
    .map(({ page }) => page)
    .toSorted((a, b) => hitsOf(b.page) - hitsOf(a.page) || (a.page.url < b.page.url ? -1 : 1))[0]
}

/** Decides for each page whether it is about topics whose answers cite competitors alone. */
export function competitorTopics(
  site: SiteFacts,
  pages: readonly ReadContext[],
): (page: ReadContext) => Outcome {
  const heads = pages.map((page) => ({ page, head: headOf(page) }))
  const byPage = new Map<string, LostTopic[]>()
  for (const topic of site.lostTopics) {
    const url = pageOf(topic, heads)?.page.url
    if (url !== undefined) byPage.set(url, [...(byPage.get(url) ?? []), topic])
  }
  return ({ page }) => {
    const topics = byPage.get(page.url) ?? []
    if (topics.length === 0) return null
    return {
      n: topics.reduce((sum, { answers }) => sum + answers, 0),
      evidence: topics.map(({ id, name, answers }) => ({ id, text: name, count: answers })),
    }
  }
}
