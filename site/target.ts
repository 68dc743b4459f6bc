import { normaliseUrl } from '../core/sites/urls.ts'
import type { Exchange } from './net/chain.ts'
import type { Client } from './net/client.ts'
import { Failure } from './net/errors.ts'
import { type FollowOptions, follow, locationOf } from './net/follow.ts'
import type { TargetReading } from './reading.ts'

const refusesHead = (status: number) => (status >= 400 && status < 500) || status === 501

/**
 * Asks whether an address answers, without its body: by HEAD, and by GET where HEAD fails, or answers 4xx or 501.
 * @see RFC 9110, section 9.3.2
 */
export async function readTarget(
  client: Client,
  address: URL,
  check: FollowOptions<unknown>['check'],
): Promise<TargetReading> {
  const chain = client.open()
  const stepOf = (url: URL) => async (exchange: Exchange) => {
    const { status } = exchange
    const location = locationOf(exchange, url)
    return location === null ? { status, end: status } : { status, location }
  }
  try {
    const { hops, end } = await follow<number>({
      start: address,
      maxHops: client.limits.hops,
      check,
      async step(url) {
        const use = stepOf(url)
        try {
          const found = await client.ask(chain, url, 'HEAD', use)
          if (!refusesHead(found.status)) return found
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          if (error.kind === 'refused' || error.kind === 'certificate') throw error
          // HEAD had all its tries.
          return client.askOnce(chain, url, 'GET', use)
        }
        return client.ask(chain, url, 'GET', use)
      },
    })
    return {
      address: address.href,
      url: normaliseUrl(address.href) ?? address.href,
      hops,
      outcome:
        end.kind === 'end'
          ? {
              kind: 'answered',
              status: end.value,
              address: end.url.href,
              url: normaliseUrl(end.url.href) ?? end.url.href,
            }
          : end,
    }
  } finally {
    await chain.close()
  }
}
