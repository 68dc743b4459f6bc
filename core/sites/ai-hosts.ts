import hosts from '../data/ai-hosts.json' with { type: 'json' }

const platformOf = new Map(
  Object.entries(hosts).flatMap(([platform, names]) => names.map((name) => [name, platform])),
)

/**
 * The AI platform that sends visitors from a host, as web analytics names the source of a session: `chatgpt.com`,
 * in any case, or a host below it, such as `www.perplexity.ai`.
 * @returns null for any other text: a search engine of the same company is no assistant
 */
export function platformOfSource(source: string): string | null {
  let host = source.trim().toLowerCase().replace(/\.$/, '')
  for (;;) {
    const platform = platformOf.get(host)
    if (platform !== undefined) return platform
    const dot = host.indexOf('.')
    if (dot < 0) return null
    host = host.slice(dot + 1)
  }
}
