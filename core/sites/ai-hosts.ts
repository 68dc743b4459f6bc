import hosts from '../data/ai-hosts.json' with { type: 'json' }

const platformOf = new Map(
  Object.entries(hosts).flatMap(([platform, names]) => names.map((name) => [name, platform])),
)

/** Words that assistants, and links in their answers, put into `utm_source`. */
const platformOfName = new Map([
  ['chatgpt', 'chatgpt'],
  ['openai', 'chatgpt'],
  ['perplexity', 'perplexity'],
  ['copilot', 'copilot'],
  ['claude', 'claude'],
  ['gemini', 'gemini'],
  ['grok', 'grok'],
  ['deepseek', 'deepseek'],
])

/**
 * The AI platform that web analytics names as the source of a session.
 * @param source in any case: a host, one of its subdomains, or the platform itself, as `utm_source` has it:
 *   `chatgpt.com`, `www.perplexity.ai`, `openai`
 * @returns null for any other text: a search engine of the same company is not an assistant
 */
export function platformOfSource(source: string): string | null {
  let host = source.trim().toLowerCase().replace(/\.$/, '')
  const named = platformOfName.get(host)
  if (named !== undefined) return named
  for (;;) {
    const platform = platformOf.get(host)
    if (platform !== undefined) return platform
    const dot = host.indexOf('.')
    if (dot < 0) return null
    host = host.slice(dot + 1)
  }
}
