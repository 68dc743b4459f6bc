import { z } from 'zod'
import type { FaultInside } from '../fault.ts'
import { hintOf, type Place } from '../place.ts'
import type { Endpoint, ProviderRequest, Question } from '../question.ts'
import { outcomeOf, type ProviderReply, pagesOf } from '../reply.ts'
import {
  countryCriterion,
  pageLanguage,
  placeName,
  searchReply,
  usual,
  withoutImages,
} from './google.ts'

/**
 * Live results of DataForSEO: pages of Google with AI Overviews, pages of AI Mode, and answers of Perplexity's API.
 * @see https://docs.dataforseo.com/v3/serp/google/organic/live/advanced/
 * @see https://docs.dataforseo.com/v3/serp/google/ai_mode/live/advanced/
 * @see https://docs.dataforseo.com/v3/ai_optimization/perplexity/llm_responses/live/
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
/** A message of a model. Its thoughts are elements of another type. */
const messageItem = z.object({
  type: z.literal('message'),
  sections: z.array(
    z.object({ text: z.string().nullish(), annotations: z.array(reference).nullish() }),
  ),
})
type Message = z.infer<typeof messageItem>
const task = z.object({
  status_code: z.number(),
  status_message: z.string().nullish(),
  cost: z.number().nullish(),
  result: z
    .array(
      z.object({
        type: z.string().nullish(),
        datetime: z.string().nullish(),
        model_name: z.string().nullish(),
        input_tokens: z.number().nullish(),
        output_tokens: z.number().nullish(),
        fan_out_queries: z.array(z.string()).nullish().catch(null),
        items: z.array(z.union([overviewItem, messageItem, otherItem])).nullish(),
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
/** A task is there, and has no answer yet. */
const created = 20_100
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

type Page = NonNullable<z.infer<typeof task>['result']>[number]

/** A response of a model, of which the vendor passes on text and citations. */
function readResponse(page: Page, cost: number | null | undefined): ProviderReply {
  const messages = (page.items ?? []).filter((one): one is Message => 'sections' in one)
  const sections = messages.flatMap((one) => one.sections)
  const text = sections.flatMap((one) => one.text?.trim() || []).join('\n\n')
  const time = Date.parse(page.datetime ?? '')
  return {
    outcome: outcomeOf(text, false),
    reason: '',
    text,
    model: page.model_name ?? '',
    createdAt: Number.isNaN(time) ? null : Math.floor(time / 1000),
    searchQueries: page.fan_out_queries ?? [],
    pages: pagesOf(
      sections.flatMap(({ annotations }) => annotations ?? []),
      [],
    ),
    usage: {
      inputTokens: page.input_tokens ?? null,
      outputTokens: page.output_tokens ?? null,
      searches: null,
      cost: cost ?? null,
    },
  }
}

export function readDataForSeo(body: Body): ProviderReply {
  const status = statusOf(body)
  const [{ cost, result } = {}] = body.tasks ?? []
  const [page] = result ?? []
  const shown = { text: '', sources: [], at: page?.datetime, cost }
  if (status === noResults) return searchReply({ ...shown, outcome: 'not_shown' })
  if (status !== done) return searchReply({ ...shown, outcome: 'failed', reason: String(status) })
  if (page?.model_name) return readResponse(page, cost)
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

/**
 * @param isLook the body says how far a task is: its status is no fault
 * @see https://docs.dataforseo.com/v3/appendix/errors/
 */
export function dataForSeoFault(body: unknown, isLook: boolean): FaultInside | null {
  const found = dataForSeoBody.safeParse(body)
  if (!found.success) return null
  const code = isLook ? found.data.status_code : statusOf(found.data)
  if (code === done || code === created || code === noResults) return null
  const { tasks, status_message: message } = found.data
  const words = tasks?.[0]?.status_message ?? message ?? ''
  return { kind: kindOf(code), code: String(code), words, waitMs: null }
}

export function locationOf(place: Place | null) {
  const country = countryCriterion(place?.countryCode ?? usual.countryCode)
  const isCountry = !place?.city && !place?.region
  if (isCountry && country !== null) return { location_code: country }
  return place ? { location_name: placeName(place) } : {}
}

/** The vendor decodes `%20` and reads `+` as a space. */
export const keywordOf = (prompt: string) => prompt.replaceAll('%', '%25').replaceAll('+', '%2B')

/** The model of a key that asks Perplexity by its API, through the LLM Responses of DataForSEO. */
export const dataForSeoPerplexity = 'perplexity'

/** The model of Perplexity that is asked, and the longest text that the vendor takes. */
const responseModel = 'sonar'
const mostResponseText = 500

/** The place is a country, which is all that the vendor passes on. The language is a hint. */
function responseBody({ prompt, from }: Question) {
  const hint = hintOf({ place: null, language: from.language })
  return {
    user_prompt: prompt,
    model_name: responseModel,
    ...(hint && { system_message: hint.slice(0, mostResponseText) }),
    ...(from.place && { web_search_country_iso_code: from.place.countryCode }),
  }
}

/** The test asks for the account, which costs nothing. */
export function dataForSeoRequest(
  { secret, baseUrl, model }: Endpoint,
  question: Question,
): ProviderRequest {
  const { prompt, from, isTest } = question
  const headers = { authorization: `Basic ${btoa(secret)}` }
  if (isTest) return { url: `${baseUrl}/appendix/user_data`, headers, body: null, isAccount: true }
  if (model === dataForSeoPerplexity) {
    const url = `${baseUrl}/ai_optimization/perplexity/llm_responses/live`
    return { url, headers, body: [responseBody(question)] }
  }
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
