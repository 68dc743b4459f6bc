import { isUtf8 } from 'node:buffer'
import type { FailedOutcome, Hop } from '../reading.ts'
import type { Exchange } from './chain.ts'
import { Failure } from './errors.ts'

/** One answer: a redirect, or the end of the chain. */
export type Step<T> =
  | { readonly status: number; readonly location: string }
  | { readonly status: number; readonly end: T }

export interface FollowOptions<T> {
  readonly start: URL
  readonly maxHops: number
  /** Says why an address must not be requested; null where it may. Only redirect targets may be off site. */
  check(url: URL, isTarget: boolean): Promise<FailedOutcome | null>
  /** @throws {Failure} */
  step(url: URL): Promise<Step<T>>
}

export interface Followed<T> {
  readonly hops: readonly Hop[]
  readonly end: { readonly kind: 'end'; readonly url: URL; readonly value: T } | FailedOutcome
}

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * The address of a redirect, null for another answer.
 * @throws {Failure} `protocol` where a redirect names none
 */
export function locationOf(exchange: Exchange, url: URL): string | null {
  if (!redirects.has(exchange.status)) return null
  const [raw = ''] = exchange.header('location')
  // Headers are read as Latin-1, and browsers take addresses in them for UTF-8.
  const bytes = Buffer.from(raw, 'latin1')
  const location = isUtf8(bytes) ? bytes.toString() : raw
  const target = location === '' ? null : URL.parse(location, url)
  if (target === null) {
    throw new Failure('protocol', `status ${exchange.status} without a usable Location`)
  }
  target.hash = ''
  return target.href
}

/** Follows redirects, each hop checked before it is requested. A chain that meets its own address ends as a loop. */
export async function follow<T>(options: FollowOptions<T>): Promise<Followed<T>> {
  const hops: Hop[] = []
  const seen = new Set<string>()
  let url = new URL(options.start)
  url.hash = ''
  for (;;) {
    const refusal = await options.check(url, hops.length > 0)
    if (refusal !== null) return { hops, end: refusal }
    seen.add(url.href)
    try {
      const step = await options.step(url)
      if ('end' in step) return { hops, end: { kind: 'end', url, value: step.end } }
      hops.push({ address: url.href, status: step.status, to: step.location })
      if (seen.has(step.location) || hops.length > options.maxHops) {
        return { hops, end: { kind: 'redirect_loop', address: step.location } }
      }
      url = new URL(step.location)
    } catch (error) {
      if (error instanceof Failure) return { hops, end: error.outcome() }
      throw error
    }
  }
}
