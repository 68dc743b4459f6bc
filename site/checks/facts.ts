import type { Bot } from '../../core/bots/bots.ts'
import type { PageDocument } from '../document/document.ts'
import type {
  FileReading,
  PageReading,
  RobotsReading,
  SitemapReading,
  TargetReading,
} from '../reading.ts'

/**
 * Facts that the conditions of checks judge. F is the 30 UTC days that end on the day on which the audit started.
 * An AI hit is a request of a crawler that is no search engine. Maps that come from JSON are records.
 */

/** AI hits of a page in F, by host and path. */
export interface PageHits {
  /** Hits of each crawler with each status. */
  readonly byCrawler: readonly {
    readonly crawler: string
    readonly status: number
    readonly hits: number
  }[]
  /** The newest hit of each crawler. */
  readonly newest: readonly { readonly crawler: string; readonly status: number }[]
  /** Hits whose response time is known. */
  readonly timed: number
  /** The lower median of the response times in milliseconds; null without any. */
  readonly medianMs: number | null
}

/** A page of an audit. */
export interface PageFacts {
  readonly pageId: string
  /** The normalised URL of the page. */
  readonly url: string
  readonly reading: PageReading
  /** The HTML, only where the outcome of the reading is `read`. */
  readonly document: PageDocument | null
  readonly inSitemap: boolean
  /** Visible answers in F that cite the URL, by platform. */
  readonly citingAnswers: Readonly<Record<string, number>>
  /** Null where no traffic source is connected. */
  readonly hits: PageHits | null
  /** Words of the text that was imported for the page; null without such a text. */
  readonly importedWords: number | null
}

/** What an audit requested once for an origin: scheme, host and port. */
export interface OriginFacts {
  readonly origin: string
  readonly robots: RobotsReading
  /** `/llms.txt`. Null where it was not requested. */
  readonly llms: FileReading | null
  /** A random address that cannot exist, and the HTML that it gives. Null where it was not requested. */
  readonly probe: {
    readonly address: string
    readonly status: number
    readonly document: PageDocument | null
  } | null
}

export interface SitemapFacts {
  /** URLs of the sitemap that the project holds. */
  readonly urls: number
  /** URLs without `lastmod`. */
  readonly withoutLastmod: number
  /** The address of the first sitemap; null where none is known. */
  readonly address: string | null
  /** Why the last refresh failed for the sitemap's own sake; null where it did not. */
  readonly refreshFault: string | null
  /** Sitemaps that robots.txt names, and where it names none, the usual addresses. */
  readonly files: readonly SitemapReading[]
}

/** AI hits of the project in F. */
export interface SiteHits {
  readonly total: number
  /** Hits with a status from 500 to 599. */
  readonly errors: number
  /** The oldest AI hit of the project, also before F. */
  readonly oldestAt: Date | null
  /** Names of the crawlers with a hit in F, search engines included. */
  readonly crawlers: readonly string[]
  /** URLs of the 10 tracked pages of most AI hits, at least 5 each, ties by URL. */
  readonly topPages: readonly string[]
  /** Paths of own hosts that are no tracked pages, with at least 3 AI hits of 404 or 410. */
  readonly missingPaths: readonly { readonly address: string; readonly hits: number }[]
}

export interface SiteFacts {
  /** When the audit started. */
  readonly startedAt: Date
  /** The audit has all tracked pages. */
  readonly isWholeSite: boolean
  /** Registrable domains of the brand. */
  readonly ownDomains: readonly string[]
  /** The registry of crawlers. */
  readonly bots: readonly Bot[]
  /** Visible answers of the project in F, by platform. */
  readonly answers: Readonly<Record<string, number>>
  /** The origin of the site. Checks of the project as a whole belong to it. */
  readonly origin: string
  /** The origins of the audited pages, and the origin of the site. */
  readonly origins: readonly OriginFacts[]
  /** Links, canonicals and links of llms.txt that were requested, by address. */
  readonly targets: ReadonlyMap<string, TargetReading>
  readonly sitemap: SitemapFacts
  /** Null where no traffic source is connected. */
  readonly hits: SiteHits | null
  /** Topics of whose answers in F at least 5 cite a competitor's domain, and none an own domain. */
  readonly lostTopics: readonly {
    readonly id: string
    readonly name: string
    /** Answers that cite a competitor's domain. */
    readonly answers: number
  }[]
  /** Own URLs cited in F that are no tracked pages: the 50 most cited, with the status of each. */
  readonly citedUrls: readonly {
    readonly address: string
    readonly answers: number
    /** Null where nothing answered. */
    readonly status: number | null
  }[]
}
