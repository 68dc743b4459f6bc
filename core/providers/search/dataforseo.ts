import { z } from 'zod'
import type { FaultInside } from '../fault.ts'
import type { Place } from '../place.ts'
import type { Endpoint, ProviderRequest, Question } from '../question.ts'
import type { ProviderReply } from '../reply.ts'
import {
  countryCriterion,
  pageLanguage,
  placeName,
  searchReply,
  usual,
  withoutImages,
} from './google.ts'

/**
 * Live results of DataForSEO: pages of Google with AI Overviews, and pages of AI Mode.
 * @see https://docs.dataforseo.com/v3/serp/google/organic/live/advanced/
 * @see https://docs.dataforseo.com/v3/serp/google/ai_mode/live/advanced/
 */

const reference = z.object({ url: z.string().nullish(), title: z.string().nullish() })
const part = z.object({
  title: z.string().nullish(),
  text: z.string().nullish(),
  markdown: z.string().nullish(),
  references: z.array(reference).nullish(),
})
/** A product or an advertisement. */
const offer = z.object({
  title: z.string().nullish(),
  price: z
    .object({
      displayed_price: z.string().nullish(),
      current: z.number().nullish(),
      currency: z.string().nullish(),
    })
    .nullish(),
  url: z.string().nullish(),
  domain: z.string().nullish(),
  website_name: z.string().nullish(),
})
const element = part.extend({
  type: z.string().nullish(),
  components: z.array(part).nullish(),
  /** Of other elements something else, which nobody reads. */
  items: z.array(offer).nullish().catch(null),
})
const overviewItem = element.extend({
  type: z.literal('ai_overview'),
  asynchronous_ai_overview: z.boolean().nullish(),
  items: z.array(element).nullish(),
})
/** Results, advertisements and all else of a page. An overview in another shape must not pass for one of them. */
const otherItem = z.object({ type: z.string().refine((type) => type !== 'ai_overview') })
const task = z.object({
  status_code: z.number(),
  status_message: z.string().nullish(),
  cost: z.number().nullish(),
  result: z
    .array(
      z.object({
        type: z.string().nullish(),
        datetime: z.string().nullish(),
        items: z.array(z.union([overviewItem, otherItem])).nullish(),
      }),
    )
    .nullish(),
})

export const dataForSeoBody = z.object({
  version: z.string().nullish(),
  status_code: z.number(),
  status_message: z.string().nullish(),
  tasks: z.array(task).nullish(),
})
type Body = z.infer<typeof dataForSeoBody>

const done = 20_000
/** Google has nothing for this prompt. */
const noResults = 40_102

/** The status of the task, else that of the request. */
const statusOf = ({ status_code, tasks }: Body) => tasks?.[0]?.status_code ?? status_code

type Element = z.infer<typeof element>
type Overview = z.infer<typeof overviewItem>

function textOf({ title, text, markdown, components }: Element): string {
  const own = markdown?.trim() || [title, text].filter(Boolean).join('\n\n')
  const inside = (components ?? []).map((one) => one.markdown?.trim() || one.text || '')
  return [own, ...inside].filter(Boolean).join('\n\n')
}

const sourcesOf = ({ references, components }: Element) => [
  ...(references ?? []),
  ...(components ?? []).flatMap((one) => one.references ?? []),
]

type Offer = z.infer<typeof offer>

function priceOf({ price }: Offer): string {
  if (price?.displayed_price) return price.displayed_price
  return price?.current == null ? '' : [price.current, price.currency].filter(Boolean).join(' ')
}

/** What the elements of a type offer. */
const offersOf = (elements: readonly Element[], type: string) =>
  elements.flatMap((one) => (one.type === type ? (one.items ?? []) : []))

function productsOf(elements: readonly Element[]) {
  return offersOf(elements, 'ai_overview_shopping').flatMap((one) => {
    const name = one.title?.trim()
    return name ? { name, price: priceOf(one) } : []
  })
}

function adsOf(elements: readonly Element[]) {
  return offersOf(elements, 'ai_overview_paid').flatMap(({ website_name, domain, url, title }) => {
    const advertiser = website_name?.trim() || domain?.trim()
    return advertiser ? { advertiser, url: url ?? '', title: title ?? '' } : []
  })
}

export function readDataForSeo(body: Body): ProviderReply {
  const status = statusOf(body)
  const [{ cost, result } = {}] = body.tasks ?? []
  const [page] = result ?? []
  const shown = { text: '', sources: [], at: page?.datetime, cost }
  if (status === noResults) return searchReply({ ...shown, outcome: 'not_shown' })
  if (status !== done) return searchReply({ ...shown, outcome: 'failed', reason: String(status) })
  const overview = page?.items?.find((one) => one.type === 'ai_overview') as Overview | undefined
  if (!overview) return searchReply({ ...shown, outcome: 'not_shown' })
  const elements = overview.items ?? []
  const text = withoutImages(
    overview.markdown?.trim() || elements.map(textOf).filter(Boolean).join('\n\n'),
  )
  // Google shows an overview, and the vendor did not load it.
  if (text === '' && overview.asynchronous_ai_overview) {
    return searchReply({ ...shown, outcome: 'failed', reason: 'asynchronous_ai_overview' })
  }
  const sources = [...elements.flatMap(sourcesOf), ...(overview.references ?? [])]
  const ads = adsOf(elements)
  return searchReply({
    ...shown,
    text,
    sources,
    products: productsOf(elements),
    // The overviews of result pages have no place for ads.
    ...((page?.type === 'ai_mode' || ads.length > 0) && { ads }),
  })
}

/** Codes of 402xx that pass with time. All others are of the account: its balance, limits and rights. */
const rates = new Set([40_202, 40_209])
/** Google failed, a task failed, a task still waits. */
const passing = new Set([40_101, 40_103, 40_601, 40_602])

function kindOf(code: number): FaultInside['kind'] {
  if (rates.has(code)) return 'limited'
  if (passing.has(code) || code >= 50_000) return 'unavailable'
  const isOfAccount = code === 40_100 || code === 40_104 || Math.floor(code / 100) === 402
  return isOfAccount ? 'key' : 'request'
}

/** @see https://docs.dataforseo.com/v3/appendix/errors/ */
export function dataForSeoFault(body: unknown): FaultInside | null {
  const found = dataForSeoBody.safeParse(body)
  if (!found.success) return null
  const code = statusOf(found.data)
  if (code === done || code === noResults) return null
  const { tasks, status_message: message } = found.data
  const words = tasks?.[0]?.status_message ?? message ?? ''
  return { kind: kindOf(code), code: String(code), words, waitMs: null }
}

function locationOf(place: Place | null) {
  const country = countryCriterion(place?.countryCode ?? usual.countryCode)
  const isCountry = !place?.city && !place?.region
  if (isCountry && country !== null) return { location_code: country }
  return place ? { location_name: placeName(place) } : {}
}

/** The vendor decodes `%20` and reads `+` as a space. */
const keywordOf = (prompt: string) => prompt.replaceAll('%', '%25').replaceAll('+', '%2B')

/** The test asks for the account, which costs nothing. */
export function dataForSeoRequest(
  { secret, baseUrl, model }: Endpoint,
  { prompt, from, isTest }: Question,
): ProviderRequest {
  const headers = { authorization: `Basic ${btoa(secret)}` }
  if (isTest) return { url: `${baseUrl}/appendix/user_data`, headers, body: null, isAccount: true }
  const isMode = model === 'ai_mode'
  const asked = {
    keyword: keywordOf(prompt),
    ...locationOf(from.place),
    language_code: pageLanguage(from.language ?? usual.language),
    ...(!isMode && { load_async_ai_overview: true }),
  }
  const url = `${baseUrl}/serp/google/${isMode ? 'ai_mode' : 'organic'}/live/advanced`
  return { url, headers, body: [asked] }
}
