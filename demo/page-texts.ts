import { hash } from 'node:crypto'
import { type Draw, drawFrom } from './random.ts'
import { type DemoTopic, topics, wordsOf } from './topics.ts'
import { ownBrand, shortName } from './world.ts'

/** A text on a topic, in paragraphs. */
export function paragraphsOn(draw: Draw, topic: DemoTopic): string[] {
  const about = wordsOf(topic)
  const sentences = [
    `Whoever looks for ${about} should begin with what they are for.`,
    ...topic.criteria.map(
      (criterion) => `With ${about}, ${criterion} matters more than the price.`,
    ),
    `We compared ${about} for a month, at home and on the road.`,
    `${shortName(ownBrand)} makes ${about} that can be repaired, and says so.`,
  ]
  return Array.from({ length: draw.between(4, 24) }, () =>
    draw.some(sentences, sentences.length, () => 1).join(' '),
  )
}

const numberOf = (path: string) => Number.parseInt(hash('sha256', path, 'hex').slice(0, 8), 16)

/** The topic of a page of the own brand: the one that its path names, else any. */
export function topicOf(path: string): DemoTopic {
  const named =
    topics.find(({ slug }) => path.endsWith(slug)) ??
    topics.find(({ category }) => path.includes(`/${category}/`)) ??
    topics[numberOf(path) % topics.length]
  if (named === undefined) throw new RangeError('the demonstration has no topic')
  return named
}

/** The text of a page of the own brand: always the same for the same path. */
export function pageText(path: string): readonly string[] {
  return paragraphsOn(drawFrom(numberOf(path)), topicOf(path))
}
