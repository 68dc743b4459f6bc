import { z } from 'zod'
import type { Place } from '../place.ts'
import { placeName } from '../search/google.ts'
import type { SurfaceName } from './names.ts'
import {
  foreign,
  isSamePrompt,
  pageList,
  product,
  productsOf,
  surfaceReply,
  withoutEcho,
  word,
  words,
} from './reply.ts'
import { idIn, requestsWith, seenByStatus } from './requests.ts'
import type { TaskService } from './service.ts'

/**
 * Queries of Oxylabs, pushed and pulled. Gemini and Copilot are no sources of it.
 * @see https://developers.oxylabs.io/products/web-scraper-api/integration-methods/push-pull
 * @see https://developers.oxylabs.io/products/web-scraper-api/targets/llms-and-ai/chatgpt
 */

const sources: Readonly<Partial<Record<SurfaceName, string>>> = {
  chatgpt: 'chatgpt',
  perplexity: 'perplexity',
  ai_mode: 'google_ai_mode',
  ai_overviews: 'google_search',
}
const isOfGoogle = (surface: SurfaceName) => surface === 'ai_mode' || surface === 'ai_overviews'

const strings = z.union([z.string().transform((one) => [one]), z.array(z.string())])
/** A citation of AI Mode has several addresses. */
const modeCitation = z.object({ text: word, urls: strings.nullish().catch(null) })
const fragment = z.object({ text: word, references: pageList })
const overview = z.object({
  answer_text: z
    .array(z.object({ fragments: z.array(fragment).nullish().catch(null) }))
    .nullish()
    .catch(null),
  source_panel: z.object({ items: pageList }).nullish().catch(null),
})

const content = z.object({
  prompt: word,
  query: word,
  markdown_text: word,
  answer_results_md: word,
  response_text: word,
  llm_model: word,
  model: word,
  search_queries: words,
  citations: z.array(z.unknown()).nullish().catch(null),
  additional_results: z.object({ sources_results: pageList }).nullish().catch(null),
  products: z.array(product).nullish().catch(null),
  results: z
    .object({ ai_overviews: z.array(overview).nullish().catch(null) })
    .nullish()
    .catch(null),
})
type Content = z.infer<typeof content>

const resultsBody = z.object({
  results: z
    .array(z.object({ content: z.unknown(), created_at: word, status_code: z.number().nullish() }))
    .min(1),
})

function overviewOf({ results }: Content, at: string | null | undefined) {
  const all = results?.ai_overviews ?? []
  if (all.length === 0) return surfaceReply({ text: '', outcome: 'not_shown', at, units: 1 })
  const fragments = all.flatMap((one) =>
    (one.answer_text ?? []).map(({ fragments: own }) => own ?? []),
  )
  return surfaceReply({
    text: fragments.map((own) => own.map(({ text }) => text ?? '').join(' ')).join('\n\n'),
    cited: [
      ...fragments.flat().flatMap(({ references }) => references),
      ...all.flatMap((one) => one.source_panel?.items ?? []),
    ],
    at,
    units: 1,
  })
}

function citedIn({ citations, additional_results }: Content, surface: SurfaceName) {
  if (surface !== 'ai_mode') {
    return [...pageList.parse(citations), ...(additional_results?.sources_results ?? [])]
  }
  return (citations ?? []).flatMap((one) => {
    const { text, urls } = modeCitation.safeParse(one).data ?? {}
    return (urls ?? []).map((url) => ({ url, title: text ?? '', cited: null }))
  })
}

const request = requestsWith('Basic')
const query = (taskId: string) => `/v1/queries/${encodeURIComponent(taskId)}`

/** Google is asked from a city, the others from a country. */
const locationOf = (surface: SurfaceName, place: Place | null) =>
  place && {
    geo_location: placeName(isOfGoogle(surface) ? place : { ...place, city: null, region: null }),
  }

export const oxylabs: TaskService = {
  units: { chatgpt: 1, perplexity: 1, ai_mode: 1, ai_overviews: 1 },
  unit: 'result',
  placeOf: (surface) => (isOfGoogle(surface) ? 'city' : 'country'),
  knowsLanguages: false,
  knowsIds: false,
  account: (endpoint) => ({ ...request(endpoint, '/v2/stats'), isAccount: true }),
  submit: (endpoint, { surface, prompt, place }) =>
    request(endpoint, '/v1/queries', {
      source: sources[surface],
      [isOfGoogle(surface) ? 'query' : 'prompt']: prompt,
      parse: true,
      ...(isOfGoogle(surface) && { render: 'html' }),
      ...(surface === 'chatgpt' && { search: true }),
      ...locationOf(surface, place),
    }),
  taskIn: idIn('id'),
  look: (endpoint, taskId) => request(endpoint, query(taskId)),
  see: seenByStatus('query', 'done', ['faulted']),
  result: (endpoint, taskId) => request(endpoint, `${query(taskId)}/results`),
  read: (body, { surface, prompt }) => {
    const first = resultsBody.safeParse(body).data?.results[0]
    const found = content.safeParse(first?.content).data
    if (!first || !found) return null
    const at = first.created_at
    const asked = found.prompt ?? (surface === 'ai_mode' ? found.query : null)
    if (asked && !isSamePrompt(asked, prompt)) return foreign(1)
    if (surface === 'ai_overviews') return overviewOf(found, at)
    return surfaceReply({
      text: found.markdown_text ?? found.answer_results_md ?? found.response_text ?? '',
      model: found.llm_model ?? found.model,
      searches: withoutEcho(found.search_queries ?? [], surface === 'perplexity' ? prompt : ''),
      cited: citedIn(found, surface),
      products: found.products ? productsOf(found.products) : undefined,
      at,
      units: 1,
    })
  },
}
