import type { Bot } from '../../core/bots/bots.ts'

const always = [
  'OAI-SearchBot',
  'ChatGPT-User',
  'Claude-SearchBot',
  'Claude-User',
  'PerplexityBot',
  'Perplexity-User',
  'Googlebot',
  'bingbot',
  'Applebot',
]

/** Crawlers that read pages to train models. */
export const trainingCrawlers: readonly string[] = [
  'GPTBot',
  'ClaudeBot',
  'Google-Extended',
  'Applebot-Extended',
  'CCBot',
  'Meta-ExternalAgent',
  'Amazonbot',
  'Bytespider',
]

/** Platforms whose answers use the index of a crawler that the registry gives to none of them. */
const alsoServed: Record<string, readonly string[]> = {
  Googlebot: ['google_ai_mode', 'google_ai_overviews', 'gemini'],
}

/** A crawler that reads pages for answers, and the platforms of these answers. */
export interface AnswerCrawler {
  readonly name: string
  readonly platforms: readonly string[]
}

/**
 * Crawlers that read pages for answers: the best known, and crawlers of the registry for search and assistants
 * whose platform has answers in the project.
 */
export function answerCrawlers(
  bots: readonly Bot[],
  answers: Readonly<Record<string, number>>,
): AnswerCrawler[] {
  const byName = new Map(bots.map((bot) => [bot.name, bot]))
  const served = bots.filter(
    ({ category, platform }) =>
      (category === 'ai_search' || category === 'ai_assistant') && (answers[platform] ?? 0) > 0,
  )
  const names = new Set([...always, ...served.map(({ name }) => name)])
  return [...names].map((name) => ({
    name,
    platforms: alsoServed[name] ?? [byName.get(name)?.platform ?? ''],
  }))
}
