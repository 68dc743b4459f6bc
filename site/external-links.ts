import {
  type ExternalLinkReason,
  type ExternalLinkState,
  stateOfStatus,
} from '../core/sites/external-links.ts'
import type { PrivateHost } from '../core/sites/private-hosts.ts'
import { createGuard, type Resolve } from './guard/guard.ts'
import { createClient } from './net/client.ts'
import { failureOf } from './net/errors.ts'
import { createHostTurns, type HostTurns } from './net/host-turns.ts'
import { type Limits, limits as usualLimits } from './net/limits.ts'
import { createPace } from './net/pace.ts'
import type { FailedOutcome, TargetReading } from './reading.ts'
import { robotsRules } from './robots/rules.ts'
import { readTarget } from './target.ts'

export interface ExternalLinkOptions {
  /** `ALLOW_PRIVATE_HOSTS`. */
  readonly privateHosts: readonly PrivateHost[]
  /** Milliseconds between the starts of two requests to a host. */
  readonly delayOf: (host: string) => number
  readonly userAgent: string
  readonly hostTurns?: HostTurns
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
  readonly lookup?: Resolve
}

/** What an address of another site answered. */
export interface ExternalAnswer {
  readonly state: Exclude<ExternalLinkState, 'queued'>
  /** Of the last answer; null without one. */
  readonly httpStatus: number | null
  readonly reason: ExternalLinkReason | null
  /** The cause in words, such as the line of robots.txt; null where status or reason say all. */
  readonly detail: string | null
  /** Where redirects lead to; null without a redirect. */
  readonly finalAddress: string | null
}

/** Asks addresses of other sites. Each origin's own robots.txt decides whether we may. */
export interface ExternalLinks {
  ask(address: string): Promise<ExternalAnswer>
}

/** Other sites owe us nothing: one more try, and less patience than with the own site. */
const patience: Partial<Limits> = { headersMs: 10_000, totalMs: 15_000, retryMs: [1_000] }

type Failed = Pick<ExternalAnswer, 'state' | 'reason' | 'detail'> & { readonly status?: number }

function stateOfFailure(outcome: FailedOutcome): Failed {
  switch (outcome.kind) {
    case 'unreachable': {
      const reason = outcome.cause === 'encoding' ? 'protocol' : outcome.cause
      return { state: 'broken', reason, detail: outcome.detail }
    }
    case 'certificate':
      return { state: 'broken', reason: 'certificate', detail: outcome.detail }
    case 'redirect_loop':
      return { state: 'broken', reason: 'redirect_loop', detail: outcome.address }
    case 'robots_blocked':
      return {
        state: 'not_checked',
        reason: 'robots',
        detail: `${outcome.robots} line ${outcome.line}`,
      }
    case 'robots_unreachable':
      return { state: 'not_checked', reason: 'robots', detail: `${outcome.robots} does not answer` }
    case 'skipped':
      return {
        state: 'not_checked',
        reason: outcome.reason === 'robots' ? 'robots' : 'private_address',
        detail: outcome.detail,
      }
    case 'redirect_off_site':
      throw new Error('links to other sites may lead to any site')
  }
}

function answerOf({ address, hops, outcome }: TargetReading): ExternalAnswer {
  const last = outcome.kind === 'answered' ? outcome.address : hops.at(-1)?.to
  const finalAddress = last === undefined || last === address ? null : last
  if (outcome.kind !== 'answered') {
    return { ...stateOfFailure(outcome), httpStatus: null, finalAddress }
  }
  const state = stateOfStatus(outcome.status) as ExternalAnswer['state']
  return { state, httpStatus: outcome.status, reason: null, detail: null, finalAddress }
}

/**
 * Opens the way to other sites: HEAD, then GET where HEAD fails, at the pace of each host, never a private address.
 * robots.txt of an origin is read once, and speaks for its own addresses alone.
 */
export function openExternalLinks(options: ExternalLinkOptions): ExternalLinks {
  const { privateHosts, delayOf, userAgent, signal } = options
  const hostTurns = options.hostTurns ?? createHostTurns()
  const client = createClient({
    guard: createGuard(privateHosts, options.lookup),
    limits: { ...usualLimits, ...patience, ...options.limits },
    pace: createPace({ delayOf, isResumed: false, hostTurns, signal }),
    userAgent,
    signal,
  })
  const rules = robotsRules(client, () => true, [])

  async function check(url: URL): Promise<FailedOutcome | null> {
    try {
      client.guard.judge(url)
    } catch (error) {
      return failureOf(error).outcome()
    }
    const { reading } = await rules.of(url.origin)
    // A host that does not answer at all fails by itself, with the cause that readers want.
    const isSilent = reading.state === 'unreachable' && reading.status === null
    return isSilent ? null : rules.refusal(url)
  }

  return {
    ask: async (address) => answerOf(await readTarget(client, new URL(address), check)),
  }
}
