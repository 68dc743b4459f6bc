import robotsParser from 'robots-parser'
import type { RobotsReading } from '../reading.ts'
import { type RobotsFault, type RobotsText, readLines } from './lines.ts'

export interface RobotsVerdict {
  readonly isAllowed: boolean
  /** The deciding rule's line, from 1; null where no rule matches. */
  readonly line: number | null
}

export interface ContentSignal {
  readonly line: number
  /** Names and values in lower case, such as `search` and `no`. */
  readonly signals: Readonly<Record<string, string>>
}

/** The rules of one origin. A token is a bare product token, such as `GPTBot`. */
export interface Robots {
  readonly reading: RobotsReading
  /** Whether the token, or `*` for crawlers without a group, may request an address of this origin. */
  verdict(address: string, token: string): RobotsVerdict
  /** Whether a group names the token; without one the group `*` applies. */
  isNamed(token: string): boolean
  /** Seconds of `Crawl-delay` for the token; null without a number. */
  crawlDelay(token: string): number | null
  readonly sitemaps: readonly { readonly line: number; readonly address: string }[]
  readonly contentSignals: readonly ContentSignal[]
  /** The file begins with `<`: it is a page, not robots.txt. */
  readonly isMarkup: boolean
  readonly faults: readonly RobotsFault[]
}

/** Characters that mean the same with and without percent-encoding. */
const unreserved = /%(2[1789D]|2E|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi

/**
 * One spelling of a path or pattern: unreserved characters plain, all others percent-encoded.
 * @see RFC 9309, section 2.2.2
 */
function spelling(text: string): string {
  let encoded = text
  try {
    encoded = encodeURI(text).replace(/%25/g, '%')
  } catch {
    // A lone surrogate: the pattern matches no address.
  }
  return encoded.replace(unreserved, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
}

/** `*`, or the leading product token: `SightlineBot/1.0 (x)` names SightlineBot. */
function tokenOf(value: string): string {
  return value.startsWith('*') ? '*' : (/^[a-z0-9_.-]+/i.exec(value)?.[0] ?? '').toLowerCase()
}

/** Longer patterns cost time at each match; Google reads no more either. */
const longestLine = 16_664

/** The groups alone, on their own lines, in the one form that robots-parser reads as RFC 9309 means it. */
function groupsOf({ lines }: RobotsText): string {
  const out: string[] = []
  const tokens = new Set<string>()
  for (const { number, field, value } of lines) {
    if (field === 'user-agent') {
      const token = tokenOf(value)
      if (token === '') continue
      tokens.add(token)
      out[number - 1] = `user-agent: ${token}`
    } else if (field === 'allow' || field === 'disallow') {
      out[number - 1] = `${field}: ${spelling(value).slice(0, longestLine)}`
    } else if (field === 'crawl-delay') out[number - 1] = `crawl-delay: ${value}`
  }
  // A group without rules allows all; the parser needs a rule to know of the group.
  for (const token of tokens) out.push(`user-agent: ${token}`, 'disallow:')
  return Array.from(out, (line) => line ?? '').join('\n')
}

function signalsOf(value: string): Record<string, string> {
  const pairs = value.split(',').map((pair) => pair.split('=', 2).map((part) => part.trim()))
  return Object.fromEntries(
    pairs.flatMap(([name = '', value = '']) =>
      /^[a-z-]+$/i.test(name) ? [[name.toLowerCase(), value.toLowerCase()]] : [],
    ),
  )
}

/**
 * The rules that a reading of robots.txt stands for: all allowed where it is absent, nothing where it is unreachable.
 * The package robots-parser takes bare tokens and addresses of the same origin; other questions it leaves undecided.
 * @see RFC 9309
 */
export function parseRobots(reading: RobotsReading): Robots {
  const text = readLines(reading.state === 'read' ? reading.text : '')
  const groups = groupsOf(text)
  const parser = robotsParser(reading.address, groups)
  const named = new Set(groups.match(/^user-agent: .*$/gm)?.map((line) => line.slice(12)))
  const isOpen = reading.state === 'read' || reading.state === 'absent'
  return {
    reading,
    verdict(address, token) {
      if (!isOpen) return { isAllowed: false, line: null }
      const url = new URL(address)
      if (url.origin !== reading.origin) {
        throw new Error(`${address} is not of ${reading.origin}`)
      }
      const asked = `${url.origin}${spelling(url.pathname + url.search)}`
      const line = parser.getMatchingLineNumber(asked, token)
      // The file itself is always allowed.
      const isAllowed = url.pathname === '/robots.txt' || parser.isAllowed(asked, token) !== false
      return { isAllowed, line: line > 0 ? line : null }
    },
    isNamed: (token) => named.has(token.toLowerCase()),
    crawlDelay: (token) => parser.getCrawlDelay(token) ?? null,
    sitemaps: text.lines.flatMap(({ number, field, value }) =>
      field === 'sitemap' && URL.canParse(value, reading.address)
        ? [{ line: number, address: new URL(value, reading.address).href }]
        : [],
    ),
    contentSignals: text.lines.flatMap(({ number, field, value }) =>
      field === 'content-signal' ? [{ line: number, signals: signalsOf(value) }] : [],
    ),
    isMarkup: /^[\uFEFF\s]*</.test(reading.text),
    faults: text.faults,
  }
}
