import type { ContentType } from '../sites/content-types.ts'

/** A link of a page's navigation. */
export interface NavigationLink {
  readonly text: string
  readonly address: string
}

/** What a page says of its site, beside its text. Plain data that structured clone keeps. */
export interface PageAbout {
  /** `og:site_name`; empty without one. */
  readonly siteName: string
  /** Of organisations in structured data. */
  readonly names: readonly string[]
  /** Other and legal names of organisations in structured data. */
  readonly aliases: readonly string[]
  /** What structured data says that the organisation is; empty without it. */
  readonly summary: string
  /** Names of products in structured data. */
  readonly products: readonly string[]
  /** Questions of an FAQ, and headings that ask. */
  readonly questions: readonly string[]
  /** Links of the navigation to own pages, in their order. */
  readonly navigation: readonly NavigationLink[]
}

/** A page of a brand's site that was read for proposals. */
export interface SitePage extends PageAbout {
  readonly address: string
  readonly language: string | null
  readonly title: string
  readonly description: string
  readonly heading: string
  readonly kind: ContentType
}

/** Pages that are read for proposals, the front page included. */
export const mostPages = 12
