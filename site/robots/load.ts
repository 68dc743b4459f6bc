import { textOf } from '../net/body.ts'
import type { Client } from '../net/client.ts'
import { type Failure, failureOf } from '../net/errors.ts'
import { follow, locationOf } from '../net/follow.ts'
import type { IsOwn } from '../own.ts'
import type { RobotsReading } from '../reading.ts'

interface RobotsAnswer {
  readonly status: number
  readonly text: string
  readonly isTooLong: boolean
}

function refusalOf(client: Client, url: URL): Failure | null {
  try {
    client.guard.judge(url)
    return null
  } catch (error) {
    return failureOf(error)
  }
}

/**
 * Reads robots.txt of an origin: `http://acme.com:8080`.
 * @see RFC 9309, section 2.3.1
 */
export async function loadRobots(
  client: Client,
  origin: string,
  isOwn: IsOwn,
): Promise<RobotsReading> {
  const { limits } = client
  const address = `${origin}/robots.txt`
  const chain = client.open()
  const reading = (
    state: RobotsReading['state'],
    detail: string,
    { status, text, isTooLong }: Partial<RobotsAnswer> = {},
  ): RobotsReading => ({
    origin,
    address,
    state,
    status: status ?? null,
    detail,
    text: text ?? '',
    isTooLong: isTooLong ?? false,
  })
  try {
    const { hops, end } = await follow<RobotsAnswer>({
      start: new URL(address),
      maxHops: limits.robotsHops,
      async check(url, isTarget) {
        const refusal = refusalOf(client, url)
        if (isTarget && !isOwn(url)) return { kind: 'redirect_off_site', address: url.href }
        return refusal === null ? null : refusal.outcome()
      },
      step: (url) =>
        client.ask(chain, url, 'GET', async (exchange) => {
          const { status } = exchange
          const location = locationOf(exchange, url)
          if (location !== null) return { status, location }
          const isRead = status >= 200 && status < 300
          const body = isRead ? await textOf(exchange, limits.robotsBytes) : {}
          return { status, end: { status, text: '', isTooLong: false, ...body } }
        }),
    })
    const last = hops.at(-1)?.status
    const without = last === undefined ? {} : { status: last }
    if (end.kind === 'end') {
      const { status } = end.value
      if (status >= 200 && status < 300) return reading('read', '', end.value)
      const isForbidding = status === 429 || status >= 500
      return reading(isForbidding ? 'unreachable' : 'absent', `answers ${status}`, { status })
    }
    if (end.kind === 'redirect_off_site' || end.kind === 'redirect_loop') {
      return reading('absent', `redirects to ${end.address}`, without)
    }
    if (end.kind === 'skipped') {
      return hops.length === 0
        ? reading('refused', end.detail)
        : reading('absent', `redirects to a private address: ${end.detail}`, without)
    }
    if (end.kind === 'certificate') return reading('certificate', end.detail)
    return reading('unreachable', 'detail' in end ? end.detail : end.kind)
  } finally {
    await chain.close()
  }
}
