/**
 * Results of requests to a site, as plain data that JSON keeps. An `address` is a URL as the site spells it; a `url` is
 * its normalised form, the identity of a page. Times are in milliseconds, sizes in decoded bytes.
 */

/** An answer with a redirect status and a usable `Location`. */
export interface Hop {
  readonly address: string
  readonly status: number
  /** The absolute address that `Location` names. */
  readonly to: string
}

/** The last answer of a request chain. */
export interface Answer {
  readonly status: number
  /** The address that gave the answer. It differs from the requested address after redirects. */
  readonly address: string
  readonly url: string
  /** The whole header, such as `text/html; charset=utf-8`. */
  readonly contentType: string | null
  /** `Content-Type` is `text/html` or `application/xhtml+xml`. */
  readonly isHtml: boolean
  /** The first 512 bytes begin with `<!doctype html` or `<html`, white space and a byte order mark aside. */
  readonly looksLikeHtml: boolean
  /** The header in lower case; null where the body was not compressed. */
  readonly contentEncoding: string | null
  /** One text for each header line. */
  readonly xRobotsTag: readonly string[]
  readonly link: readonly string[]
  readonly lastModified: string | null
  /** From the request to the end of the headers. A slow page is requested twice: each time, oldest first. */
  readonly firstByteMs: readonly number[]
  /** Bytes of the body after decompression; 0 where the body was not read. */
  readonly bytes: number
}

export type UnreachableCause = 'dns' | 'connection' | 'timeout' | 'protocol' | 'encoding'

export type SkipReason =
  | 'not_html'
  | 'private_address'
  | 'no_own_host'
  /** A group of robots.txt that names SightlineBot forbids the page. */
  | 'robots'
  | 'budget'

/** A page cannot be judged: `completed` with one issue, or `skipped`. */
export type FailedOutcome =
  | { readonly kind: 'unreachable'; readonly cause: UnreachableCause; readonly detail: string }
  | { readonly kind: 'certificate'; readonly detail: string }
  /** `address` was part of the chain before, or is the target of the 11th redirect. */
  | { readonly kind: 'redirect_loop'; readonly address: string }
  /** `address` is not own, and was not requested. */
  | { readonly kind: 'redirect_off_site'; readonly address: string }
  /** The group `*` forbids `address`, by the rule on `line` of `robots`. Nothing was requested. */
  | {
      readonly kind: 'robots_blocked'
      readonly address: string
      readonly robots: string
      readonly line: number
    }
  /** robots.txt answers 5xx or 429, or not at all, so nothing else of its origin is requested. */
  | { readonly kind: 'robots_unreachable'; readonly robots: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly detail: string }

/** Outcome of reading a page. Only `read` has a document. */
export type PageOutcome =
  /** 200, HTML, whole, and not too deep. */
  | { readonly kind: 'read'; readonly answer: Answer }
  /** Another status than 200, or a 200 of another type whose body looks like HTML. The body was not read. */
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'too_large'; readonly answer: Answer }
  | {
      readonly kind: 'too_deep'
      readonly answer: Answer
      readonly limit: 'depth' | 'time' | 'memory'
    }
  | FailedOutcome

export interface PageReading {
  /** The requested address. */
  readonly address: string
  readonly url: string
  /** In the order of the requests. */
  readonly hops: readonly Hop[]
  readonly outcome: PageOutcome
}

/** A link target or canonical, requested once in an audit. */
export interface TargetReading {
  readonly address: string
  readonly url: string
  readonly hops: readonly Hop[]
  readonly outcome:
    | {
        readonly kind: 'answered'
        readonly status: number
        readonly address: string
        readonly url: string
      }
    | FailedOutcome
}

/** robots.txt of an origin, as an audit keeps it. `parseRobots` interprets it. */
export interface RobotsReading {
  /** Scheme, host and port. */
  readonly origin: string
  /** The address of the file: `{origin}/robots.txt`. */
  readonly address: string
  /**
   * - `read`: 2xx, so its rules apply
   * - `absent`: 4xx other than 429, or redirects that lead nowhere: all is allowed
   * - `unreachable`: 5xx, 429 or no answer: nothing is allowed
   * - `certificate`: no answer because the certificate is not valid: pages are `certificate-invalid`
   * - `refused`: the guard forbids the address: pages are skipped
   */
  readonly state: 'read' | 'absent' | 'unreachable' | 'certificate' | 'refused'
  /** Of the last answer; null without one. */
  readonly status: number | null
  /** The cause of a state other than `read`, for evidence. */
  readonly detail: string
  /** The first 512,000 bytes; empty unless read. */
  readonly text: string
  readonly isTooLong: boolean
}

/** A text file of a site, such as `/llms.txt`. `text` is empty unless the answer is 200. */
export interface FileReading {
  readonly address: string
  readonly hops: readonly Hop[]
  readonly outcome:
    | {
        readonly kind: 'answered'
        readonly status: number
        readonly text: string
        readonly isTooLong: boolean
      }
    | FailedOutcome
}

/** Whether a file that was requested as a sitemap answers. */
export interface SitemapReading {
  readonly address: string
  /** Null where nothing answered. */
  readonly status: number | null
  /** robots.txt names the file; otherwise its address is one of the usual three. */
  readonly isNamed: boolean
}
