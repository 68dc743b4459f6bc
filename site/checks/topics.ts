import { folded } from '../document/text.ts'
import type { SiteFacts } from './facts.ts'
import type { Outcome } from './finding.ts'
import { hitsOf, type ReadContext } from './site-context.ts'

type LostTopic = SiteFacts['lostTopics'][number]

const wordsOf = (name: string) => folded(name).match(/[\p{L}\p{N}]{3,}/gu) ?? []

/** The words of title and main headings. */
const headOf = ({ document: { title, h1 } }: ReadContext) =>
  new Set(folded([title ?? '', ...h1].join(' ')).match(/[\p{L}\p{N}]+/gu) ?? [])

interface Best {
  readonly url: string
  readonly hits: number
}

/** The page of a topic is the most crawled one whose title and h1 hold each word of its name; ties by URL. */
const isBetter = (page: Best, than: Best | undefined) =>
  than === undefined || page.hits > than.hits || (page.hits === than.hits && page.url < than.url)

/** Finds the pages about topics whose answers cite competitors alone. Ask nothing before all pages are added. */
export function createTopicPages({ lostTopics }: SiteFacts) {
  const topics = lostTopics
    .map((topic) => ({ topic, words: wordsOf(topic.name) }))
    .filter(({ words }) => words.length > 0)
  const best = new Map<LostTopic, Best>()
  return {
    add(page: ReadContext): void {
      if (topics.length === 0) return
      const head = headOf(page)
      const one = { url: page.page.url, hits: hitsOf(page.page) }
      for (const { topic, words } of topics) {
        const isAbout = words.every((word) => head.has(word))
        if (isAbout && isBetter(one, best.get(topic))) best.set(topic, one)
      }
    },
    outcome({ page }: ReadContext): Outcome {
      const own = topics.map(({ topic }) => topic).filter((it) => best.get(it)?.url === page.url)
      if (own.length === 0) return null
      return {
        n: own.reduce((sum, { answers }) => sum + answers, 0),
        evidence: own.map(({ id, name, answers }) => ({ id, text: name, count: answers })),
      }
    },
  }
}
