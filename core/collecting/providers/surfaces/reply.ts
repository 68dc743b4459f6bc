import { z } from 'zod'
import { shownText } from '../answer-text.ts'
import {
  type Outcome,
  outcomeOf,
  type ProviderAd,
  type ProviderProduct,
  type ProviderReply,
  pagesOf,
  textsOf,
} from '../reply.ts'
import { withoutImages } from '../search/google.ts'

/** What the replies of services have in common. */

export const word = z.string().nullish().catch(null)
export const words = z.array(z.string()).nullish().catch(null)

/** A page by its address alone, or with its title, which services name differently. */
const page = z.union([
  z.string().transform((url) => ({ url, title: '', cited: null as boolean | null })),
  z
    .object({
      url: word,
      link: word,
      href: word,
      title: word,
      label: word,
      cited: z.boolean().nullish().catch(null),
    })
    .transform(({ url, link, href, title, label, cited }) => ({
      url: url ?? link ?? href ?? '',
      title: title || label || '',
      cited: cited ?? null,
    })),
])
type Page = z.infer<typeof page>

/** A list of pages. What is no page in it is left out. */
export const pageList = z
  .array(z.unknown())
  .nullish()
  .catch(null)
  .transform((list) => (list ?? []).flatMap((one) => page.safeParse(one).data ?? []))

export const product = z.object({
  title: word,
  name: word,
  price: z.union([z.string(), z.number()]).nullish().catch(null),
})

export const productsOf = (list: readonly z.infer<typeof product>[]): ProviderProduct[] => {
  const found = list.flatMap(({ title, name, price }) => {
    const text = (title ?? name)?.trim()
    return text ? { name: text, price: price == null ? '' : String(price) } : []
  })
  // A product in the text and on a card is one product.
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

const spaces = /\s+/g
const folded = (text: string) => text.trim().replace(spaces, ' ').toLowerCase()

/** The searches without those that repeat the prompt: services echo it where they know no search. */
export const withoutEcho = (searches: readonly (string | null | undefined)[], prompt: string) =>
  textsOf(searches).filter((one) => folded(one) !== folded(prompt))

export const isSamePrompt = (one: string, other: string): boolean => folded(one) === folded(other)

/** What a service says of an answer. What it does not say is absent. */
interface Said {
  readonly text: string
  readonly outcome?: Outcome
  readonly reason?: string
  readonly model?: string | null | undefined
  readonly searches?: readonly string[]
  readonly cited?: readonly Page[]
  /** Shown beside the answer, or read for it. */
  readonly shown?: readonly Page[]
  readonly products?: readonly ProviderProduct[] | undefined
  readonly ads?: readonly ProviderAd[] | undefined
  /** A time as the service writes it. */
  readonly at?: string | null | undefined
  readonly units?: number | null | undefined
  /** US dollars, by the service's own figure. */
  readonly cost?: number | null | undefined
}

export function surfaceReply(said: Said): ProviderReply {
  const text = withoutImages(shownText(said.text))
  const time = Date.parse(said.at ?? '')
  const cited = (said.cited ?? []).filter((one) => one.cited !== false)
  const shown = [...(said.cited ?? []).filter((one) => one.cited === false), ...(said.shown ?? [])]
  return {
    outcome: said.outcome ?? outcomeOf(text, false),
    reason: said.reason ?? '',
    text: said.outcome ? '' : text,
    model: said.model ?? '',
    createdAt: Number.isNaN(time) ? null : Math.floor(time / 1000),
    searchQueries: said.searches ?? [],
    pages: said.outcome ? [] : pagesOf(cited, shown),
    ...(said.products && { products: said.products }),
    ...(said.ads && { ads: said.ads }),
    usage: {
      inputTokens: null,
      outputTokens: null,
      searches: null,
      cost: said.cost ?? null,
      units: said.units ?? null,
    },
  }
}

/** A reply to another prompt than the one that was asked. */
export const foreign = (units: number | null): ProviderReply =>
  surfaceReply({ text: '', outcome: 'failed', reason: 'the reply is to another prompt', units })
