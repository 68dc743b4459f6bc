import pLimit from 'p-limit'
import type { ProviderPage } from '../../core/collecting/providers/reply.ts'
import { leadsTo } from '../../core/sites/redirectors.ts'
import type { Guard } from '../../site/guard/guard.ts'
import { type Chain, openChain } from '../../site/net/chain.ts'
import { limits } from '../../site/net/limits.ts'

const redirectMs = 10_000
const atOnce = 8

/** Pages by the redirects that hide them. */
export type Redirects = Readonly<Record<string, string>>

/** Whether only the host of the address knows the page. */
function isHidden({ url }: ProviderPage): boolean {
  const address = URL.parse(url)
  return address !== null && leadsTo(address) === null
}

/** The page that the redirect names; undefined when its host names none in time. */
async function targetOf(chain: Chain, url: string): Promise<string | undefined> {
  try {
    const exchange = await chain.request(new URL(url), 'GET', {})
    exchange.close()
    const [location] = exchange.header('location')
    const target = location === undefined ? null : URL.parse(location, url)
    const isPage = target !== null && /^https?:$/.test(target.protocol)
    return exchange.status >= 300 && exchange.status < 400 && isPage ? target.href : undefined
  } catch {
    return undefined
  }
}

/**
 * Asks the hosts of redirects for the pages behind them: a provider's redirects end after some days. The pages
 * themselves are not asked. A redirect without an answer stays unchanged.
 */
export async function redirectsOf(
  pages: readonly ProviderPage[],
  guard: Guard,
  signal?: AbortSignal,
): Promise<Redirects> {
  const hidden = pages.filter(isHidden)
  if (hidden.length === 0) return {}
  const own = { ...limits, headersMs: redirectMs, totalMs: redirectMs }
  const chain = openChain(guard, own, signal)
  const found: Record<string, string> = {}
  const limit = pLimit(atOnce)
  const resolve = async ({ url }: ProviderPage) => {
    const target = await targetOf(chain, url)
    if (target !== undefined) found[url] = target
  }
  try {
    await Promise.all(hidden.map((page) => limit(() => resolve(page))))
    return found
  } finally {
    await chain.close()
  }
}
