import { z } from 'zod'
import type { Endpoint, ProviderRequest } from '../question.ts'
import { usual } from '../search/google.ts'
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
 * Datasets of Bright Data, and its results of Google for AI Overviews, which come at once.
 * @see https://docs.brightdata.com/api-reference/web-scraper-api/trigger-a-collection
 * @see https://docs.brightdata.com/scraping-automation/serp-api/introduction
 */

type Dataset = Exclude<SurfaceName, 'ai_overviews'>

/** Bright Data changes them at times. */
const datasets: Readonly<Record<Dataset, string>> = {
  chatgpt: 'gd_m7aof0k82r803d5bjm',
  perplexity: 'gd_m7dhdot1vw9a7gc1n',
  copilot: 'gd_m7di5jy6s9geokz8w',
  gemini: 'gd_mbz66arm2mf9cu856y',
  ai_mode: 'gd_mcswdt6z2elth3zqr2',
}

const addresses: Readonly<Record<Dataset, string>> = {
  chatgpt: 'https://chatgpt.com/',
  perplexity: 'https://www.perplexity.ai/',
  copilot: 'https://copilot.microsoft.com/chats',
  gemini: 'https://gemini.google.com/',
  ai_mode: 'https://google.com/aimode',
}

const searched = z
  .union([words, z.object({ queries: words })])
  .nullish()
  .catch(null)

const record = z.object({
  prompt: word,
  input: z.object({ prompt: word }).nullish().catch(null),
  error: word,
  error_code: word,
  answer_text_markdown: word,
  answer_text: word,
  answer: word,
  model: word,
  timestamp: word,
  citations: pageList,
  links_attached: pageList,
  sources: pageList,
  search_sources: pageList,
  web_search_query: words,
  search_model_queries: searched,
  metadata: z.object({ search_model_queries: searched }).nullish().catch(null),
  shopping: z.array(product).nullish().catch(null),
})
type Found = z.infer<typeof record>

const queriesIn = (given: z.infer<typeof searched>) =>
  (Array.isArray(given) ? given : given?.queries) ?? []

function searchesOf({ web_search_query, search_model_queries, metadata }: Found) {
  if (web_search_query && web_search_query.length > 0) return web_search_query
  return queriesIn(metadata?.search_model_queries ?? search_model_queries)
}

/** A part of an overview: a text, or a list of parts. */
interface Part {
  readonly type?: string | null | undefined
  readonly snippet?: string | null | undefined
  readonly title?: string | null | undefined
  readonly list?: readonly Part[] | null | undefined
}
const part: z.ZodType<Part> = z.lazy(() =>
  z.object({ type: word, snippet: word, title: word, list: z.array(part).nullish() }),
)
const resultPage = z.object({
  general: z.object({ timestamp: word }).nullish().catch(null),
  ai_overview: z
    .object({ texts: z.array(part).nullish(), references: pageList })
    .nullish()
    .catch(null),
})

const textOfPart = ({ snippet, title, list }: Part, depth: number): string => {
  const own = [title, snippet].filter(Boolean).join(' ')
  const inside = (list ?? []).map((one) => `${'  '.repeat(depth)}- ${textOfPart(one, depth + 1)}`)
  return [own, ...inside].filter(Boolean).join('\n')
}

/** Google's own words for readers of screens. */
const withoutHint = (title: string) => title.replace(/[.\s]*Opens in new tab\.?$/i, '')

const request = requestsWith('Bearer')
const snapshot = (taskId: string) => `/datasets/v3/snapshot/${encodeURIComponent(taskId)}`

/** The zone of an account that reads Google's results, by the name that Bright Data's own SDKs give it. */
const serpZone = 'sdk_serp'

function resultsOfGoogle(endpoint: Endpoint, prompt: string, country: string): ProviderRequest {
  const query = new URLSearchParams({ q: prompt, gl: country.toLowerCase(), hl: usual.language })
  const url = `https://www.google.com/search?${query}&brd_json=1&brd_ai_overview=2`
  return request(endpoint, '/request', { zone: serpZone, url, method: 'GET', format: 'raw' })
}

function readResults(body: unknown) {
  const found = resultPage.safeParse(body).data
  // A page of results has `general`; what has neither is no page.
  if (!found?.general && !found?.ai_overview) return null
  const at = found.general?.timestamp
  const overview = found.ai_overview
  if (!overview) return surfaceReply({ text: '', outcome: 'not_shown', at, units: 1 })
  return surfaceReply({
    text: (overview.texts ?? []).map((one) => textOfPart(one, 0)).join('\n\n'),
    cited: overview.references.map((one) => ({ ...one, title: withoutHint(one.title) })),
    at,
    units: 1,
  })
}

export const brightdata: TaskService = {
  units: { chatgpt: 1, ai_mode: 1, ai_overviews: 1, gemini: 1, perplexity: 1, copilot: 1 },
  unit: 'record',
  placeOf: () => 'country',
  knowsLanguages: false,
  knowsIds: false,
  account: (endpoint) => ({ ...request(endpoint, '/status'), isAccount: true }),
  submit: (endpoint, { surface, prompt, place }) => {
    const country = place?.countryCode ?? usual.countryCode
    if (surface === 'ai_overviews') return resultsOfGoogle(endpoint, prompt, country)
    const query = new URLSearchParams({
      dataset_id: datasets[surface],
      include_errors: 'true',
      format: 'json',
    })
    const question = { url: addresses[surface], prompt, country, index: 1 }
    return request(endpoint, `/datasets/v3/trigger?${query}`, [
      { ...question, ...(surface === 'chatgpt' && { web_search: true }) },
    ])
  },
  isAtOnce: (surface) => surface === 'ai_overviews',
  taskIn: idIn('snapshot_id'),
  look: (endpoint, taskId) =>
    request(endpoint, `/datasets/v3/progress/${encodeURIComponent(taskId)}`),
  see: seenByStatus('snapshot', 'ready', ['failed', 'cancelled', 'error']),
  result: (endpoint, taskId) => request(endpoint, `${snapshot(taskId)}?format=json`),
  cancel: (endpoint, taskId) => request(endpoint, `${snapshot(taskId)}/cancel`, {}),
  read: (body, { surface, prompt }) => {
    if (surface === 'ai_overviews') return readResults(body)
    const [first] = Array.isArray(body) ? body : [body]
    const found = record.safeParse(first).data
    if (!found) return null
    const text = found.answer_text_markdown?.trim() || found.answer_text || found.answer || ''
    const reason = found.error ?? found.error_code
    if (text.trim() === '' && reason) {
      return surfaceReply({ text: '', outcome: 'failed', reason, units: 1 })
    }
    const asked = found.input?.prompt ?? found.prompt
    if (asked && !isSamePrompt(asked, prompt)) return foreign(1)
    if (text === '' && !asked) return null
    return surfaceReply({
      text,
      model: found.model,
      searches: withoutEcho(searchesOf(found), surface === 'perplexity' ? prompt : ''),
      cited: [...found.citations, ...found.links_attached, ...found.sources],
      shown: found.search_sources,
      products: found.shopping ? productsOf(found.shopping) : undefined,
      at: found.timestamp,
      units: 1,
    })
  },
}
