/** The crawlers of the demonstration, by the agents that they really send, and how they behave there. */
export interface DemoCrawler {
  readonly agent: string
  /** Requests on a weekday: at the first day, and at the last. */
  readonly daily: readonly [number, number]
  /** Factor of the requests at a weekend. */
  readonly weekend: number
  /** Which pages it asks for: whatever it finds, what a user asks about, or what is linked most. */
  readonly reads: 'everything' | 'what users ask' | 'what is linked'
}

const webkit = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; '
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'

export const crawlers: readonly DemoCrawler[] = [
  {
    agent: `${webkit}GPTBot/1.3; +https://openai.com/gptbot)`,
    daily: [6, 8],
    weekend: 1,
    reads: 'everything',
  },
  {
    agent: `${mac} Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot`,
    daily: [4, 7],
    weekend: 0.9,
    reads: 'what is linked',
  },
  {
    agent: `${webkit}ChatGPT-User/1.0; +https://openai.com/bot)`,
    daily: [5, 13],
    weekend: 0.5,
    reads: 'what users ask',
  },
  {
    agent: `${webkit}ClaudeBot/1.0; +claudebot@anthropic.com)`,
    daily: [7, 5],
    weekend: 1,
    reads: 'everything',
  },
  {
    agent: `${webkit}Claude-User/1.0; +Claude-User@anthropic.com)`,
    daily: [1, 3],
    weekend: 0.4,
    reads: 'what users ask',
  },
  {
    agent: `${webkit}PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`,
    daily: [4, 5],
    weekend: 0.9,
    reads: 'what is linked',
  },
  {
    agent: `${webkit}Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)`,
    daily: [2, 4],
    weekend: 0.5,
    reads: 'what users ask',
  },
  {
    agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    daily: [6, 6],
    weekend: 1,
    reads: 'what is linked',
  },
  {
    agent: `${webkit}bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36`,
    daily: [4, 4],
    weekend: 1,
    reads: 'what is linked',
  },
  {
    agent: `${mac} Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)`,
    daily: [2, 2],
    weekend: 1,
    reads: 'what is linked',
  },
  {
    agent:
      'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    daily: [3, 5],
    weekend: 1,
    reads: 'everything',
  },
  {
    agent: `${mac} Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)`,
    daily: [3, 2],
    weekend: 1,
    reads: 'everything',
  },
  {
    agent:
      'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
    daily: [3, 1],
    weekend: 1,
    reads: 'everything',
  },
  {
    agent: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
    daily: [1, 1],
    weekend: 1,
    reads: 'everything',
  },
]
