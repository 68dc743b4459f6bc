import { bodyOf } from '../net/body.ts'
import type { Exchange } from '../net/chain.ts'
import type { Client } from '../net/client.ts'
import { failureOf } from '../net/errors.ts'
import { type FollowOptions, follow, locationOf } from '../net/follow.ts'
import { TooLarge } from '../net/unpack.ts'
import type { FailedOutcome } from '../reading.ts'
import { SitemapFault } from './fault.ts'
import type { SitemapFile } from './sitemap.ts'

function reasonOf(outcome: FailedOutcome): string {
  switch (outcome.kind) {
    case 'redirect_loop':
      return 'redirects in a loop'
    case 'redirect_off_site':
      return `redirects to ${outcome.address}, which is not of the site`
    case 'robots_blocked':
      return `is forbidden by line ${outcome.line} of ${outcome.robots}`
    case 'robots_unreachable':
      return `is not requested because ${outcome.robots} does not answer`
    case 'skipped':
      return outcome.reason === 'robots'
        ? `is forbidden by ${outcome.detail}`
        : `cannot be requested: ${outcome.detail}`
    default:
      return `cannot be reached: ${outcome.detail}`
  }
}

async function* bytesOf(
  name: string,
  exchange: Exchange,
  maxBytes: number,
  close: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of bodyOf(exchange, maxBytes)) yield chunk
  } catch (error) {
    if (error instanceof TooLarge) throw new SitemapFault(name, 'is longer than 50 MiB')
    throw new SitemapFault(name, `cannot be read: ${failureOf(error).message}`)
  } finally {
    exchange.close()
    await close()
  }
}

/**
 * Opens a sitemap of a site as a stream. Whoever opens it reads it: the connection ends with the bytes.
 * @throws {SitemapFault} unless the answer is 200
 */
export async function openSitemap(
  client: Client,
  address: string,
  check: FollowOptions<unknown>['check'],
): Promise<SitemapFile> {
  const start = URL.parse(address)
  if (start === null) throw new SitemapFault(address, 'is no address')
  const chain = client.open()
  const { end } = await follow<Exchange>({
    start,
    maxHops: client.limits.hops,
    check,
    async step(url) {
      const exchange = await client.stream(chain, url)
      const location = locationOf(exchange, url)
      if (location === null) return { status: exchange.status, end: exchange }
      exchange.close()
      return { status: exchange.status, location }
    },
  })
  if (end.kind !== 'end') {
    await chain.close()
    throw new SitemapFault(address, reasonOf(end))
  }
  if (end.value.status !== 200) {
    end.value.close()
    await chain.close()
    throw new SitemapFault(address, `answers ${end.value.status}`)
  }
  const maxBytes = client.limits.sitemapBytes + 1
  return { name: address, bytes: bytesOf(address, end.value, maxBytes, () => chain.close()) }
}
