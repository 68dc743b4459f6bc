import { invalid } from '../../../core/errors.ts'
import { platformOfSource } from '../../../core/sites/ai-hosts.ts'
import { hostOfText } from '../../../core/sites/urls.ts'
import type { Entry } from '../../loads/runner.ts'
import type { DatedRow } from '../dated-rows.ts'

/** Where a session came from, as a tool says it; empty texts for what it does not say. */
export interface Origin {
  /** `utm_source` */
  readonly campaign: string
  /** The host of the referrer. */
  readonly host: string
  /** The name that the tool gives to the source, such as "ChatGPT". */
  readonly name: string
  readonly medium: string
}

/**
 * Source and medium in the words of Google Analytics, and the AI platform. A tool may show the
 * name of an assistant, its host, or the mark in a link: the text that is of an assistant wins.
 */
export function sourceOf({ campaign, host, name, medium }: Origin) {
  const given = [campaign, hostOfText(host), name].map((text) => text.trim().toLowerCase())
  const found = given.filter((text) => text !== '')
  const source = found.find((text) => platformOfSource(text) !== null) ?? found[0] ?? '(direct)'
  const isDirect = found.length === 0
  return {
    source,
    medium: medium.trim().toLowerCase() || (isDirect ? '(none)' : host === '' ? '' : 'referral'),
    platform: platformOfSource(source) ?? '',
  }
}

/** One session. */
export interface Session {
  /** YYYY-MM-DD */
  readonly day: string
  /** Host and path of its landing page. */
  readonly host: string
  readonly page: string
  readonly origin: Origin
  /** A text that differs by user. */
  readonly user: string
  readonly isBounce: boolean
  readonly seconds: number
}

const mostRows = 2_000_000

/** Sums of sessions by day, page and source. Memory holds the sums, and the users of each. */
export class SessionSums {
  readonly #rows = new Map<string, { row: DatedRow; users: Set<string>; sums: Sums }>()
  readonly #shape: string

  /** @param shape names the file's kind: a day holds rows of one shape */
  constructor(shape: string) {
    this.#shape = shape
  }

  add({ day, host, page, origin, user, isBounce, seconds }: Session): void {
    const key = { day, host, page, ...sourceOf(origin) }
    const id = JSON.stringify(Object.values(key))
    let found = this.#rows.get(id)
    if (found === undefined) {
      if (this.#rows.size >= mostRows) {
        throw invalid('content', 'has too many pages and sources: export fewer days at a time')
      }
      const row = { ...key, part: '', shape: this.#shape, conversions: null }
      found = { row, users: new Set(), sums: { sessions: 0, bounced: 0, seconds: 0 } }
      this.#rows.set(id, found)
    }
    found.users.add(user)
    found.sums.sessions++
    found.sums.bounced += Number(isBounce)
    found.sums.seconds += seconds
  }

  *rows(): Generator<Entry<DatedRow>, void> {
    let number = 0
    for (const { row, users, sums } of this.#rows.values()) {
      const { sessions, bounced: bounced_sessions, seconds: duration_seconds } = sums
      const counts = { sessions, users: users.size, bounced_sessions, duration_seconds }
      yield { number: ++number, row: { ...row, ...counts } }
    }
  }
}

interface Sums {
  sessions: number
  bounced: number
  seconds: number
}
