import { randomBytes } from 'node:crypto'
import type { PrivateHost } from '../core/sites/private-hosts.ts'
import { normaliseUrl } from '../core/sites/urls.ts'
import type { Brand } from '../core/text/mentions.ts'
import { readFile } from './file.ts'
import { createGuard, type Resolve } from './guard/guard.ts'
import { createClient } from './net/client.ts'
import { failureOf } from './net/errors.ts'
import type { FollowOptions } from './net/follow.ts'
import { createHostTurns, type HostTurns } from './net/host-turns.ts'
import { type Limits, limits as usualLimits } from './net/limits.ts'
import { createPace } from './net/pace.ts'
import { siteOrigin } from './origin.ts'
import { ownHosts } from './own.ts'
import type { PageParser } from './page/parser.ts'
import { type PageResult, readPage } from './page/read.ts'
import type { FailedOutcome, FileReading, RobotsReading, TargetReading } from './reading.ts'
import type { Robots } from './robots/robots.ts'
import { robotsRules } from './robots/rules.ts'
import { type SitemapSite, siteSitemap } from './sitemap/site.ts'
import { readTarget } from './target.ts'

export interface SiteOptions {
  /** Registrable domains of the brand. No other host is asked, but for sitemaps that robots.txt names. */
  readonly ownDomains: readonly string[]
  readonly brand: Brand | null
  readonly now: Date
  /** Whether pages list their links to other sites. */
  readonly listsExternalLinks?: boolean
  /** `ALLOW_PRIVATE_HOSTS`. */
  readonly privateHosts: readonly PrivateHost[]
  /** Milliseconds between the starts of two requests to a host. */
  readonly delayOf: (host: string) => number
  readonly userAgent: string
  readonly parser: PageParser
  /** The turns that the audits of a process share; by default those of this site alone. */
  readonly hostTurns?: HostTurns
  /** robots.txt as an earlier part of the same audit read it; null for the first part. */
  readonly robots?: readonly RobotsReading[] | null
  /** From then on pages are skipped for the budget. */
  readonly deadline?: Date
  /** Ends all requests; calls then throw its reason. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
  readonly lookup?: Resolve
}

/**
 * A site as an audit asks it: by the rules of its robots.txt, at its pace, and never a private address.
 *
 * `isSpelled` false means that only a normalised URL is known, so the scheme is a guess: http is tried where no TLS
 * connection comes about.
 */
export interface Site extends SitemapSite {
  isOwn(address: string): boolean
  /** Never throws for a fault of the site: the outcome says it. */
  read(address: string, isSpelled?: boolean): Promise<PageResult>
  /** Asks for an answer without its body. */
  target(address: string, isSpelled?: boolean): Promise<TargetReading>
  /** robots.txt of an origin, read once. */
  robots(origin: string): Promise<Robots>
  /** All readings of robots.txt so far, for the next part of the audit. */
  robotsReadings(): Promise<RobotsReading[]>
  /** The origin of a domain: the first of https and http that answers, of the domain and its `www.`. */
  origin(domain: string): Promise<string>
  /** A page that cannot exist, at a random address. */
  probe(origin: string): Promise<PageResult>
  /** `/llms.txt`. */
  llms(origin: string): Promise<FileReading>
}

interface Reading {
  readonly hops: readonly unknown[]
  readonly outcome: { readonly kind: string; readonly cause?: string }
}

export function openSite(options: SiteOptions): Site {
  const { privateHosts, delayOf, userAgent, signal, parser, ownDomains, brand, now } = options
  const { listsExternalLinks = false } = options
  const limits = { ...usualLimits, ...options.limits }
  const known = options.robots ?? null
  const hostTurns = options.hostTurns ?? createHostTurns()
  const isOwn = ownHosts(ownDomains)
  const client = createClient({
    guard: createGuard(privateHosts, options.lookup),
    limits,
    pace: createPace({ delayOf, isResumed: known !== null, hostTurns, signal }),
    userAgent,
    signal,
  })
  const rules = robotsRules(client, isOwn, known ?? [])

  /** Own hosts, and those that `alsoAsked` names. */
  const checkOf =
    (alsoAsked: (url: URL) => boolean): FollowOptions<unknown>['check'] =>
    async (url, isTarget): Promise<FailedOutcome | null> => {
      const mayAsk = isOwn(url) || alsoAsked(url)
      if (isTarget && !mayAsk) return { kind: 'redirect_off_site', address: url.href }
      try {
        client.guard.judge(url)
      } catch (error) {
        return failureOf(error).outcome()
      }
      if (!mayAsk) return { kind: 'skipped', reason: 'no_own_host', detail: url.host }
      return rules.refusal(url)
    }
  const check = checkOf(() => false)

  const hasNoTls = async ({ hops, outcome }: Reading, url: URL): Promise<boolean> => {
    if (hops.length > 0 || url.protocol !== 'https:') return false
    if (outcome.kind === 'unreachable') {
      return outcome.cause === 'dns' || outcome.cause === 'connection'
    }
    if (outcome.kind !== 'robots_unreachable' && outcome.kind !== 'skipped') return false
    const { reading } = await rules.of(url.origin)
    return reading.status === null && reading.state !== 'certificate'
  }

  /** Reads as spelled; or over https, and over http where https cannot be reached. */
  async function guessed<T>(
    address: string,
    isSpelled: boolean,
    read: (url: URL) => Promise<{ whole: T; reading: Reading }>,
  ): Promise<T> {
    const url = new URL(address)
    const first = await read(url)
    if (isSpelled || !(await hasNoTls(first.reading, url))) return first.whole
    const plain = new URL(url.href.replace(/^https:/, 'http:'))
    const second = await read(plain)
    const isWorse = second.reading.outcome.kind === 'skipped'
    return isWorse ? first.whole : second.whole
  }

  const source = { client, parser, check, options: { ownDomains, brand, now, listsExternalLinks } }
  const page = async (url: URL) => {
    const whole = await readPage(source, url)
    return { whole, reading: whole.reading }
  }

  return {
    isOwn: (address) => URL.canParse(address) && isOwn(new URL(address)),
    async read(address, isSpelled = true) {
      if (options.deadline !== undefined && Date.now() >= options.deadline.getTime()) {
        const outcome = { kind: 'skipped', reason: 'budget', detail: '' } as const
        const url = normaliseUrl(address) ?? address
        return { reading: { address, url, hops: [], outcome }, page: null }
      }
      return guessed(address, isSpelled, page)
    },
    target: (address, isSpelled = true) =>
      guessed(address, isSpelled, async (url) => {
        const reading = await readTarget(client, url, check)
        return { whole: reading, reading }
      }),
    robots: rules.of,
    robotsReadings: rules.readings,
    origin: (domain) => siteOrigin(rules, domain),
    async probe(origin) {
      const path = `/sightline-probe-${randomBytes(8).toString('hex')}`
      return readPage(source, new URL(path, origin))
    },
    llms: (origin) => readFile(client, new URL('/llms.txt', origin), limits.llmsBytes, check),
    ...siteSitemap({ client, rules, isOwn, checkOf }),
  }
}
