import type { Bot, BotMatcher } from '../../core/bots/bots.ts'
import { type VerifyCrawler, verifyCrawler } from '../../core/bots/crawler-ranges.ts'
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
import { mapColumn, rememberingLast, safeJson, textColumn } from './json.ts'
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
  const bot = context.bots.match(userAgent)
  if (bot === undefined) return Array.isArray(event) ? malformed : notACrawler

  const request = requestOf(given)
  if (request === undefined) return malformed
  const { now, source } = context
  const age = now - request.timestamp
  if (age > oldestMs || age < -hourMs) return outOfRange
  // A clock of a sender that is ahead: nothing was seen in the future. Lines of a log stay the same each time they are read.
  if (age < 0 && source === 'tracker') request.timestamp = now
  return { line: lineOf(given, { request, bot, userAgent, context }) }
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

const nameColumn = rememberingLast((name) =>
  textColumn(',"event_name":"', cut(name, longest.eventName)),
)
const methodColumn = rememberingLast((method) =>
  textColumn(',"method":"', cut(method, longest.method).toUpperCase()),
)

interface CrawlerHit {
  readonly request: NonNullable<ReturnType<typeof requestOf>>
  readonly bot: Bot
  readonly userAgent: string
  readonly context: HitContext
}

/** The row of a hit, put together by hand: `JSON.stringify` of an object with all columns takes three times as long. */
function lineOf(given: Fields, { request, bot, userAgent, context }: CrawlerHit): string {
  const { verify = verifyCrawler } = context
  const headers = headersOf(given.headers)
  const referrer = isText(given.referrer) ? referrerOf(given.referrer) : undefined
  // The whole address is checked here, and stored nowhere.
  const verification = verify(bot.name, given.ip_address)
  const proof = verification === 'claimed' ? undefined : verification
  const country = countryOf(given.country) ?? countryOf(edgeCountryOf(headers))
  const numbers = `,"timestamp":${request.timestamp},"status_code":${request.status},"response_time_ms":${request.tookMs}`
  const texts =
    textColumn(',"verification":"', proof) +
    nameColumn(request.eventName) +
    methodColumn(request.method) +
    textColumn(',"host":"', hostOf(request.url, headers?.host)) +
    textColumn(',"path":"', pathOf(request.path)) +
    textColumn(',"ip_address":"', anonymousAddress(given.ip_address)) +
    textColumn(',"referrer":"', referrer) +
    textColumn(',"referrer_domain":"', referrerDomainOf(given.referrer_domain, referrer)) +
    textColumn(',"country":"', country) +
    optionalColumn(',"region":"', given.region, longest.place) +
    optionalColumn(',"city":"', given.city, longest.place) +
    optionalColumn(',"utm_source":"', given.utm_source, longest.campaign) +
    optionalColumn(',"utm_medium":"', given.utm_medium, longest.campaign) +
    optionalColumn(',"utm_campaign":"', given.utm_campaign, longest.campaign) +
    optionalColumn(',"utm_term":"', given.utm_term, longest.campaign) +
    optionalColumn(',"utm_content":"', given.utm_content, longest.campaign)
  const maps =
    mapColumn(',"headers":', headers) +
    mapColumn(',"query_parameters":', queryParametersOf(given.query_parameters)) +
    mapColumn(',"custom_properties":', customPropertiesOf(given.custom_properties))
  return `${knownColumns(bot, userAgent, context)}${numbers}${texts}${maps}}\n`
}

const optionalColumn = (start: string, value: unknown, most: number): string =>
  value === undefined ? '' : textColumn(start, optionalText(value, most))

interface KnownColumns extends Pick<HitContext, 'projectId' | 'source'> {
  readonly userAgent: string
  readonly text: string
}

/** By bot, since most bots have one agent, and a body one project. */
const known = new WeakMap<Bot, KnownColumns>()

/** The start of a row: the columns that the hits of an agent share within a project. */
function knownColumns(bot: Bot, userAgent: string, { projectId, source }: HitContext): string {
  const last = known.get(bot)
  if (last?.userAgent === userAgent && last.projectId === projectId && last.source === source) {
    return last.text
  }
  const { id, name, vendor, category, platform } = bot
  const named = { bot_id: id, bot_name: name, bot_vendor: vendor, bot_category: category, platform }
  const shared = {
    project_id: projectId,
    source,
    ...named,
    user_agent: cut(userAgent, longest.userAgent),
  }
  const text = safeJson(shared).slice(0, -1)
  known.set(bot, { userAgent, projectId, source, text })
  return text
}
