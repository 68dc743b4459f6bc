import type { Bot, BotMatcher } from '../../core/bots/bots.ts'
import { type VerifyCrawler, verifyCrawler } from '../../core/bots/crawler-ranges.ts'
import { signerOf } from '../../core/bots/web-bot-auth.ts'
import type { AgentKeysSource } from '../bots/agent-keys.ts'
import {
  anonymousAddress,
  countryOf,
  cut,
  hostOf,
  longest,
  numberOf,
  optionalText,
  pathOf,
  referrerDomainOf,
  referrerOf,
} from './fields.ts'
import { safeJson } from './json.ts'
import { customPropertiesOf, edgeCountryOf, headersOf, queryParametersOf } from './maps.ts'

export const dropReasons = ['not_a_crawler', 'malformed', 'timestamp_out_of_range'] as const

export type DropReason = (typeof dropReasons)[number]

export interface HitContext {
  /** A UUID. */
  readonly projectId: string
  readonly source: 'tracker' | 'cdn' | 'log'
  readonly bots: Pick<BotMatcher, 'match'>
  /** By default by the ranges that come with Sightline. */
  readonly verify?: VerifyCrawler | undefined
  /** Keys of the agents that sign their requests; absent where nobody signs. */
  readonly agents?: Pick<AgentKeysSource, 'keysOf' | 'crawlerOf'> | undefined
  /** Unix time in milliseconds. */
  readonly now: number
}

export type Hit =
  | { readonly line: string; readonly dropped?: undefined }
  | { readonly line?: undefined; readonly dropped: DropReason }

type Fields = Readonly<Record<string, unknown>>

const hourMs = 3_600_000
const oldestMs = 400 * 24 * hourMs
const mostUInt32 = 2 ** 32 - 1

const notACrawler: Hit = { dropped: 'not_a_crawler' }
const malformed: Hit = { dropped: 'malformed' }
const outOfRange: Hit = { dropped: 'timestamp_out_of_range' }

/**
 * Parses one event of the tracker into a row of `crawler_hits`: a line of JSONEachRow with its line feed. The
 * timestamp must lie between 400 days ago and one hour ahead. Never throws: any JSON gives a valid row or a reason to
 * drop the event.
 */
export function hitLine(event: unknown, context: HitContext): Hit {
  if (typeof event !== 'object' || event === null) return malformed
  const given = event as Fields
  // The first check, since most events end here.
  const userAgent = typeof given.user_agent === 'string' ? given.user_agent : ''
  const agent = context.agents && agentOf(given, context.agents)
  const crawler = agent && context.agents?.crawlerOf(agent)
  // An agent may have the user agent of a browser, and its name is proven.
  const bot = (crawler && context.bots.match(crawler)) || context.bots.match(userAgent)
  if (bot === undefined) return Array.isArray(event) ? malformed : notACrawler

  const request = requestOf(given)
  if (request === undefined) return malformed
  const { now, source } = context
  const age = now - request.timestamp
  if (age > oldestMs || age < -hourMs) return outOfRange
  // A clock of a sender that is ahead: nothing was seen in the future. Lines of a log stay the same each time they are read.
  if (age < 0 && source === 'tracker') request.timestamp = now
  return {
    line: `${safeJson(rowOf(given, { request, bot, userAgent, agent: crawler && agent, context }))}\n`,
  }
}

/** The known agent that signed the request of an event; undefined for none. */
function agentOf(given: Fields, { keysOf }: NonNullable<HitContext['agents']>): string | undefined {
  const headers = given.headers as Fields | null | undefined
  if (typeof headers !== 'object' || headers === null) return undefined
  const signatureAgent = headers['signature-agent'] ?? headers['Signature-Agent']
  if (!isText(signatureAgent)) return undefined
  const signature = headers.signature ?? headers.Signature
  const signatureInput = headers['signature-input'] ?? headers['Signature-Input']
  const { method, url, path } = given
  if (!isText(signature) || !isText(signatureInput)) return undefined
  if (!isText(method) || !isText(url) || !isText(path)) return undefined
  const at = Math.floor(numberOf(given.timestamp) / 1000)
  const signed = { signature, signatureInput, signatureAgent, method, url, path: pathOf(path), at }
  return signerOf(signed, keysOf)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The required fields; undefined when one is missing or invalid. */
function requestOf(given: Fields) {
  const { event_name, method, path, url } = given
  if (!isText(event_name) || !isText(method) || !isText(path) || !isText(url)) return undefined
  const timestamp = Math.floor(numberOf(given.timestamp))
  const status = numberOf(given.status_code)
  const durationMs = numberOf(given.response_time_ms)
  if (!Number.isFinite(timestamp)) return undefined
  if (!Number.isInteger(status) || status < 100 || status > 999) return undefined
  // A clock that is set while a request runs may give less than nothing.
  if (!(durationMs > -0.5 && durationMs <= mostUInt32)) return undefined
  const tookMs = Math.max(0, durationMs)
  return { eventName: event_name, method, path, url, timestamp, status, tookMs }
}

interface CrawlerHit {
  readonly request: NonNullable<ReturnType<typeof requestOf>>
  readonly bot: Bot
  readonly userAgent: string
  /** Who signed the request. */
  readonly agent: string | undefined
  readonly context: HitContext
}

/** The columns of a hit. One that is undefined is left out of the JSON, and keeps the default of its column. */
function rowOf(given: Fields, { request, bot, userAgent, agent, context }: CrawlerHit) {
  const { projectId, source, verify = verifyCrawler } = context
  const headers = headersOf(given.headers)
  const referrer = isText(given.referrer) ? referrerOf(given.referrer) : undefined
  // The whole address is checked here, and stored nowhere.
  const verification = agent ? 'verified' : verify(bot.name, given.ip_address)
  return {
    project_id: projectId,
    source,
    bot_id: bot.id,
    bot_name: bot.name,
    bot_vendor: bot.vendor,
    bot_category: bot.category,
    platform: bot.platform,
    user_agent: cut(userAgent, longest.userAgent),
    timestamp: request.timestamp,
    status_code: request.status,
    response_time_ms: request.tookMs,
    verification: verification === 'claimed' ? undefined : verification,
    signed_by: agent && hostOf(agent, undefined),
    event_name: cut(request.eventName, longest.eventName),
    method: cut(request.method, longest.method).toUpperCase(),
    host: hostOf(request.url, headers?.host),
    path: pathOf(request.path),
    ip_address: anonymousAddress(given.ip_address),
    referrer,
    referrer_domain: referrerDomainOf(given.referrer_domain, referrer),
    country: countryOf(given.country) ?? countryOf(edgeCountryOf(headers)),
    region: optionalText(given.region, longest.place),
    city: optionalText(given.city, longest.place),
    utm_source: optionalText(given.utm_source, longest.campaign),
    utm_medium: optionalText(given.utm_medium, longest.campaign),
    utm_campaign: optionalText(given.utm_campaign, longest.campaign),
    utm_term: optionalText(given.utm_term, longest.campaign),
    utm_content: optionalText(given.utm_content, longest.campaign),
    headers,
    query_parameters: queryParametersOf(given.query_parameters),
    custom_properties: customPropertiesOf(given.custom_properties),
  }
}
