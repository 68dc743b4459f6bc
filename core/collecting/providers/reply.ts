/**
 * How a question to a provider ended. Only `answered` and `cut_off` replies have an answer that counts. `not_shown`: the
 * page of a search has no answer of an assistant.
 */
export const outcomes = [
  ...(['answered', 'cut_off', 'refused', 'filtered', 'empty', 'not_shown', 'failed'] as const),
] as const
export type Outcome = (typeof outcomes)[number]

/** A page that a provider returned. */
export interface ProviderPage {
  readonly url: string
  /** Empty when the provider gave none. */
  readonly title: string
  /** False: the assistant read the page, and the answer does not cite it. */
  readonly cited: boolean
}

/** What a question cost. Null where the body does not say. */
export interface ProviderUsage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly searches: number | null
  /** US dollars, by the provider's own figure. */
  readonly cost: number | null
  /** What a service has billed, in its own units: credits, records or results. Absent for a provider that bills money. */
  readonly units?: number | null
}

/** A product that an answer shows. */
export interface ProviderProduct {
  readonly name: string
  /** As it is shown, such as `$199.99`; empty without one. */
  readonly price: string
}

/** An advertisement that an answer shows. */
export interface ProviderAd {
  readonly advertiser: string
  readonly url: string
  readonly title: string
}

/** What a provider's body says, in one shape for all providers. */
export interface ProviderReply {
  readonly outcome: Outcome
  /** The provider's own word for an outcome other than `answered`; empty without one. */
  readonly reason: string
  /** The answer as Markdown. */
  readonly text: string
  /** Empty when the body names none. */
  readonly model: string
  /** Unix time in seconds; null when the body has none. */
  readonly createdAt: number | null
  readonly searchQueries: readonly string[]
  /** Cited pages in the order of the answer, then pages that were only read; each URL once. */
  readonly pages: readonly ProviderPage[]
  /** In the order of the answer. Absent where the API gives no products: that is no answer without products. */
  readonly products?: readonly ProviderProduct[]
  /** In the order of the answer. Absent where the API gives no ads. */
  readonly ads?: readonly ProviderAd[]
  readonly usage: ProviderUsage
}

interface Page {
  readonly url?: string | null | undefined
  readonly title?: string | null | undefined
}

/** Each URL once: with the title of whichever list has one, and cited where a citation has it. */
export function pagesOf(cited: readonly Page[], read: readonly Page[]): ProviderPage[] {
  const pages = new Map<string, ProviderPage>()
  for (const [list, isCited] of [
    [cited, true],
    [read, false],
  ] as const) {
    for (const { url, title } of list) {
      if (!url) continue
      const known = pages.get(url)
      pages.set(url, { url, title: known?.title || title || '', cited: known?.cited ?? isCited })
    }
  }
  return [...pages.values()]
}

/** The reply with the pages that its redirects lead to, each once. */
export function withTargets(
  reply: ProviderReply,
  redirects: Readonly<Record<string, string>>,
): ProviderReply {
  const pages = reply.pages.map((page) => ({ ...page, url: redirects[page.url] ?? page.url }))
  const [cited, read] = [pages.filter((page) => page.cited), pages.filter((page) => !page.cited)]
  return { ...reply, pages: pagesOf(cited, read) }
}

/** Distinct texts, without empty ones. */
export function textsOf(texts: readonly (string | null | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text?.trim() || []))]
}

/** The outcome of a body that was not refused, filtered or broken. */
export function outcomeOf(text: string, isCutOff: boolean): Outcome {
  if (text.trim() === '') return 'empty'
  return isCutOff ? 'cut_off' : 'answered'
}

/** The sum of counts; null where none is known. */
export const sum = (counts: readonly (number | null | undefined)[]): number | null =>
  counts.every((count) => count == null)
    ? null
    : counts.reduce<number>((total, count) => total + (count ?? 0), 0)
