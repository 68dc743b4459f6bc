import type { CheckId, Standing, Verdict } from '../../core/checks/checks.ts'
import type { Db } from '../../prisma/client.ts'
import type { OriginFacts } from '../../site/checks/facts.ts'
import type { PageDocument } from '../../site/document/document.ts'
import type { PageReading, RobotsReading, SitemapReading } from '../../site/reading.ts'

export type AuditRow = NonNullable<Awaited<ReturnType<Db['audit']['findFirst']>>>

/** What an audit keeps of a page in `AuditPage.reading`. */
export interface KeptReading {
  readonly reading: PageReading
  readonly document: PageDocument | null
}

/** What an audit keeps of a page in `AuditPage.findings`, from its end on. */
export interface KeptVerdict extends Verdict {
  readonly standing: Standing
  /** Checks that found a fault which nobody ignored at the end of the audit. */
  readonly counted: readonly CheckId[]
}

/** What an audit keeps of the site in `Audit.site`. Each part is read once. */
export interface KeptSite {
  readonly robots: readonly RobotsReading[]
  /** The origin of the site. */
  readonly origin?: string
  readonly probes?: readonly OriginProbe[]
  readonly sitemaps?: readonly SitemapReading[]
  /** Whether the link targets are chosen. */
  readonly hasTargets?: true
  /** Targets that answers cite and no page links: only their URL is known, so https is a guess. */
  readonly guessed?: readonly string[]
  /** Whether the links to other sites are listed. */
  readonly hasExternalLinks?: true
  /** The verdicts of origins, from the end on. */
  readonly verdicts?: readonly (Verdict & { readonly origin: string })[]
  /** Checks of the site that found a fault which nobody ignored, from the end on. */
  readonly counted?: readonly CheckId[]
}

/** What was requested once for an origin, beside robots.txt. */
export type OriginProbe = Omit<OriginFacts, 'robots'>
