import hosts from '../data/ai-hosts.json' with { type: 'json' }

const platformOf = new Map(
  Object.entries(hosts).flatMap(([platform, names]) => names.map((name) => [name, platform])),
)

/**
 * The AI platform whose host web analytics names as the source of a session.
 * @param source a host in any case, or one of its subdomains: `chatgpt.com`, `www.perplexity.ai`
 * @returns null for any other text: a search engine of the same company is not an assistant
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
