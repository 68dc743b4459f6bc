/** Bodies of events as senders make them, and HTTP requests with these bodies. */

export interface Shape {
  readonly eventsPerBody: number
  /** Share of events from AI crawlers, 0 to 1. */
  readonly crawlers: number
}

const crawlers = [
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
]

const systems = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
]
const browsers = systems.flatMap((system) =>
  Array.from(
    { length: 30 },
    (_, version) =>
      `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + version}.0.0.0 Safari/537.36`,
  ),
)

const distinctBodies = 20

function eventAt(index: number, userAgent: string | undefined, now: number): object {
  return {
    event_name: 'server_request',
    timestamp: now - (index % 3_600_000),
    method: 'GET',
    path: `/products/headphones/${index % 997}?ref=${index}`,
    url: `https://www.example.com/products/headphones/${index % 997}?ref=${index}`,
    status_code: index % 50 === 0 ? 404 : 200,
    response_time_ms: 12 + (index % 80),
    user_agent: userAgent,
    ip_address: `203.0.113.${index % 256}`,
    referrer: '',
    country: 'US',
  }
}

/** 20 distinct JSON bodies of one shape. */
export function bodiesOf({ eventsPerBody, crawlers: share }: Shape, siteToken: string): Buffer[] {
  const now = Date.now()
  return Array.from({ length: distinctBodies }, (_, body) => {
    const events = Array.from({ length: eventsPerBody }, (_, event) => {
      const index = body * eventsPerBody + event
      const isCrawler = index % 10 < share * 10
      const agents = isCrawler ? crawlers : browsers
      return eventAt(index, agents[(index * 7) % agents.length], now)
    })
    return Buffer.from(JSON.stringify({ site_token: siteToken, events }))
  })
}

export function requestOf(body: Buffer, key: string): Buffer {
  const head = [
    'POST /v1/events HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}
