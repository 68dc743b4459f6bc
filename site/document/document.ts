import type { EvidenceEntry } from '../../core/checks/check.ts'
import type { PageAbout } from '../../core/setup/site.ts'
import type { ContentType } from '../../core/sites/content-types.ts'
import type { Brand } from '../../core/text/mentions.ts'

/** Parts of a page that a check counts. `first` holds the first 20. */
export interface Counted {
  readonly n: number
  readonly first: readonly EvidenceEntry[]
}

/** A directive that names a crawler, in lower case: `googlebot`, `nosnippet`. */
export interface CrawlerDirective {
  readonly crawler: string
  readonly directive: string
}

/**
 * The HTML of a page, reduced to the properties that checks need. Plain data that JSON keeps.
 * Texts have collapsed white space, and stop after 1,000 characters. Addresses are absolute.
 */
export interface PageDocument {
  /** The attribute `lang` of `html`. */
  readonly language: string | null
  /** Encodings by the names of the WHATWG, null where the label is absent or unknown. */
  readonly charsets: { readonly header: string | null; readonly meta: string | null }
  readonly title: string | null
  /** Characters of the title, 0 without a title. */
  readonly titleLength: number
  readonly description: string | null
  readonly descriptionLength: number
  readonly kind: ContentType
  /** Words of the visible text. */
  readonly words: number
  /** Words of the main part. */
  readonly mainWords: number
  /** A hash of the folded main part: equal for two pages of the same main text. */
  readonly mainKey: string
  readonly hasPlaceholder: boolean
  /** The page has a `main`, `[role=main]` or `article`. */
  readonly hasMain: boolean
  /** Title or main part name the own brand. Null when no brand was given. */
  readonly namesBrand: boolean | null
  /** Directives for all crawlers, in lower case: `noindex`, `max-snippet:0`. */
  readonly directives: readonly string[]
  readonly crawlerDirectives: readonly CrawlerDirective[]
  /** Addresses of distinct URLs, of `link` elements and the header. */
  readonly canonicals: readonly string[]
  /** The first `meta` refresh of 30 seconds or less that leads to another URL. */
  readonly refresh: string | null
  /** A fault of the `hreflang` links; null without a fault and without such links. */
  readonly hreflangFault: string | null
  readonly hasViewport: boolean
  /** Texts of the `h1` with text, at most 20. */
  readonly h1: readonly string[]
  readonly h1Count: number
  readonly headingSkips: Counted
  readonly unansweredQuestions: Counted
  /** The main part has a heading h2 or h3. */
  readonly hasSubheadings: boolean
  /** Distinct addresses of own pages that `a` and `area` link to, without fragment, at most 5,000. */
  readonly links: readonly string[]
  /** Links to other sites and alternates at other origins, at most 500; none unless asked for. Older readings lack it. */
  readonly externalLinks?: readonly ExternalReference[]
  /** Resources loaded over plain http from another origin. */
  readonly mixedContent: Counted
  readonly imagesWithoutAlt: Counted
  readonly hasAuthor: boolean
  /** The newest date of the page, YYYY-MM-DD, between 1990 and tomorrow. */
  readonly newestDate: string | null
  /** Types of structured data, by their schema.org names. */
  readonly types: readonly string[]
  readonly invalidBlocks: Counted
  readonly missingProperties: Counted
  readonly contradictions: Counted
  /** Fewer than 50 words, and scripts that fill the page. */
  readonly needsJavascript: boolean
}

/** `link` is what people click, `canonical` and `alternate` (hreflang, AMP, media) are what crawlers follow. */
export type ExternalKind = 'link' | 'canonical' | 'alternate'

/** An address of another site, or of another origin for alternates, without fragment. */
export interface ExternalReference {
  readonly address: string
  readonly kind: ExternalKind
}

/** What a page is read with. Structured clone keeps it. */
export interface ReadOptions {
  /** Whether to list links to other sites. */
  readonly listsExternalLinks?: boolean
  /** Values of `X-Robots-Tag` and `Link`, one text for each header line. */
  readonly xRobotsTag: readonly string[]
  readonly link: readonly string[]
  /** Registrable domains of the brand. */
  readonly ownDomains: readonly string[]
  /** The own brand, for `namesBrand`. */
  readonly brand: Brand | null
  /** Dates after the day that follows are no dates of the page. */
  readonly now: Date
}

export interface ReadPage {
  readonly document: PageDocument
  /** The text of the main part, whole. */
  readonly main: string
  readonly about: PageAbout
}
