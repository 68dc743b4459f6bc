import { z } from 'zod'
import type { FaultInside } from '../fault.ts'
import type { Endpoint, ProviderRequest, Question } from '../question.ts'
import type { ProviderReply } from '../reply.ts'
import { block, textOfBlocks } from './blocks.ts'
import { pageLanguage, placeName, type Shown, searchReply, withoutImages } from './google.ts'

/**
 * Results of SerpApi: pages of Google with AI Overviews, and pages of AI Mode. Google loads some overviews late: their
 * page has a token, and a second request has the overview.
 * @see https://serpapi.com/ai-overview
 * @see https://serpapi.com/google-ai-overview-api
 * @see https://serpapi.com/google-ai-mode-api
 */

const answer = z.object({
  text_blocks: z.array(block).nullish(),
  references: z
    .array(z.object({ link: z.string().nullish(), title: z.string().nullish() }))
    .nullish(),
  reconstructed_markdown: z.string().nullish(),
  shopping_results: z
    .array(z.object({ title: z.string().nullish(), price: z.string().nullish() }))
    .nullish(),
  error: z.string().nullish(),
})

const page = answer.extend({
  search_metadata: z.object({ status: z.string().nullish(), created_at: z.string().nullish() }),
  search_parameters: z.object({ engine: z.string().nullish() }).nullish(),
  ai_overview: answer.extend({ page_token: z.string().nullish() }).nullish(),
})
type Page = z.infer<typeof page>

/** A page, or a page and its late overview in one, each as it was sent. */
export const serpApiBody = z.union([page, z.object({ google: page, google_ai_overview: page })])

function read(found: z.infer<typeof answer>) {
  const { text_blocks, references, reconstructed_markdown, shopping_results, error } = found
  return {
    products: (shopping_results ?? []).flatMap(({ title, price }) =>
      title?.trim() ? { name: title.trim(), price: price ?? '' } : [],
    ),
    text: withoutImages(reconstructed_markdown?.trim() || textOfBlocks(text_blocks ?? [])),
    sources: (references ?? []).map(({ link, title }) => ({ url: link, title })),
    error: error ?? '',
  }
}

export function readSerpApi(body: z.infer<typeof serpApiBody>): ProviderReply {
  const last: Page = 'google' in body ? body.google_ai_overview : body
  const { search_metadata, search_parameters, ai_overview: overview } = last
  const at = search_metadata.created_at
  const isMode = search_parameters?.engine === 'google_ai_mode'
  const found = isMode ? last : overview
  const ended = (): Omit<Shown, 'at'> => {
    const { text, sources, products, error } = read(found ?? {})
    // The products of a result page are no part of its overview.
    if (text !== '') return { text, sources, ...(isMode && { products }) }
    const reason = error || last.error || ''
    const isLate = last !== body || Boolean(overview?.page_token)
    // An overview that is announced and does not come is shown to people.
    if (isLate) return { text, sources, outcome: 'failed', reason: reason || 'page_token' }
    const isShown = isMode ? Boolean(last.text_blocks) : Boolean(overview) && error === ''
    return { text, sources, outcome: isShown ? 'empty' : 'not_shown', reason }
  }
  return searchReply({ ...ended(), at })
}

const account = /invalid api key|run out of searches/i

/** @see https://serpapi.com/api-status-and-error-codes */
export function serpApiFault(body: unknown): FaultInside | null {
  const { error, search_metadata: search } = page.partial().safeParse(body).data ?? {}
  const words = error ?? ''
  if (account.test(words)) return { kind: 'key', code: 'account', words, waitMs: null }
  const status = search?.status ?? 'Success'
  if (status === 'Success') return null
  return { kind: 'unavailable', code: status.slice(0, 60), words, waitMs: null }
}

/** The key is a parameter: SerpApi takes it in no header. */
function urlOf({ baseUrl, secret }: Endpoint, path: string, asked: Record<string, string>) {
  return `${baseUrl}/${path}?${new URLSearchParams({ ...asked, api_key: secret })}`
}

const get = (url: string): ProviderRequest => ({ url, headers: {}, body: null })

/** The test asks for the account, which costs nothing. */
export function serpApiRequest(
  access: Endpoint,
  { prompt, from: { place, language }, isTest }: Question,
): ProviderRequest {
  if (isTest) return { ...get(urlOf(access, 'account.json', {})), isAccount: true }
  const country = place?.countryCode.toLowerCase()
  const asked = {
    engine: access.model === 'ai_mode' ? 'google_ai_mode' : 'google',
    q: prompt,
    ...(place && { location: placeName(place), gl: country === 'gb' ? 'uk' : (country ?? '') }),
    ...(language && { hl: pageLanguage(language).toLowerCase() }),
    // A repetition would get the page of the hour before.
    no_cache: 'true',
  }
  return get(urlOf(access, 'search.json', asked))
}

/** The request for the overview that Google loads late; null where the page has none. The token holds for a minute. */
export function serpApiFollowUp(access: Endpoint, body: unknown): ProviderRequest | null {
  const { page_token: token, text_blocks: blocks } = page.safeParse(body).data?.ai_overview ?? {}
  if (!token || blocks) return null
  return get(urlOf(access, 'search.json', { engine: 'google_ai_overview', page_token: token }))
}

/** The two bodies as one that is read and kept. Neither is changed. */
export const joinedBodies = (first: string, second: string) =>
  `{"google":${first},"google_ai_overview":${second}}`
