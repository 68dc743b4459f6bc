import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'

const mostLinks = 50

/** Addresses of own pages that `/llms.txt` links to, each once: the first 50. */
export function llmsLinks(text: string, address: string, ownDomains: readonly string[]): string[] {
  const found = new Set<string>()
  for (const [, target = ''] of text.matchAll(
    /\]\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)/g,
  )) {
    const href = URL.parse(target, address)?.href.replace(/#.*$/s, '')
    if (href === undefined || normaliseUrl(href) === null) continue
    if (ownDomains.includes(domainOf(hostOf(href)))) found.add(href)
    if (found.size === mostLinks) break
  }
  return [...found]
}

/** The fault of the form of `/llms.txt`; null for a text that begins with `# name`. */
export function llmsFault(text: string): string | null {
  const content = text.replace(/^\uFEFF/, '').trimStart()
  if (content.startsWith('<')) return 'it is HTML'
  return /^#[ \t]+\S/.test(content) ? null : 'its first line is no `# name`'
}
