import { z } from 'zod'
import { jsonIn } from '../../../json.ts'
import { usual } from '../search/google.ts'
import type { SurfaceName } from './names.ts'
import { pageList, product, productsOf, surfaceReply, withoutEcho, word } from './reply.ts'
import { idIn, requestsWith, seenByStatus } from './requests.ts'
import type { TaskService } from './service.ts'

/**
 * Batches of Olostep: an address that has the prompt, and a parser of its page.
 * @see https://docs.olostep.com/features/batches
 * @see https://docs.olostep.com/features/retrieve
 */

const targets: Readonly<Record<SurfaceName, readonly [parser: string, address: string]>> = {
  chatgpt: ['@olostep/chatgpt-results', 'https://chatgpt.com/?q='],
  ai_mode: ['@olostep/google-aimode-results', 'https://google.com/aimode?q='],
  ai_overviews: ['@olostep/google-ai-overview-results', 'https://www.google.com/search?q='],
  gemini: ['@olostep/gemini-results', 'https://gemini.google.com/?q='],
  perplexity: ['@olostep/perplexity-results', 'https://www.perplexity.ai/?q='],
  copilot: ['@olostep/microsoft-copilot-results', 'https://copilot.microsoft.com/chats?q='],
}
const units = { chatgpt: 5, ai_mode: 3, ai_overviews: 3, gemini: 3, perplexity: 3, copilot: 3 }

const search = z.union([
  z.string(),
  z.object({ query: z.string() }).transform(({ query }) => query),
])
const searches = z.array(search).nullish().catch(null)

const answer = z.object({
  answer_markdown: word,
  answer: word,
  model: word,
  result: z.object({ markdown_content: word, text_content: word }).nullish().catch(null),
  sources: pageList,
  citations: pageList,
  inline_references: pageList,
  search_queries: searches,
  network_search_calls: z.object({ search_queries: searches }).nullish().catch(null),
  products: z.array(product).nullish().catch(null),
  shopping: z.array(product).nullish().catch(null),
})

const retrieved = z.object({ json_content: z.unknown() })
const items = z.object({ items: z.array(z.object({ retrieve_id: z.string() })) })

const request = requestsWith('Bearer')

export const olostep: TaskService = {
  units,
  unit: 'credit',
  placeOf: () => 'country',
  knowsLanguages: false,
  knowsIds: false,
  account: (endpoint) => ({ ...request(endpoint, '/batches?limit=1'), isAccount: true }),
  submit: (endpoint, { id, surface, prompt, place }) => {
    const [parser, address] = targets[surface]
    return request(endpoint, '/batches', {
      items: [{ custom_id: id, url: `${address}${encodeURIComponent(prompt)}` }],
      parser: { id: parser },
      country: place?.countryCode ?? usual.countryCode,
    })
  },
  taskIn: idIn('id'),
  look: (endpoint, taskId) => request(endpoint, `/batches/${encodeURIComponent(taskId)}`),
  see: seenByStatus('batch', 'completed', ['failed']),
  result: (endpoint, taskId) => request(endpoint, `/batches/${encodeURIComponent(taskId)}/items`),
  resultAfter: (endpoint, body) => {
    const id = items.safeParse(body).data?.items[0]?.retrieve_id
    if (id === undefined) return null
    return request(endpoint, `/retrieve?${new URLSearchParams({ retrieve_id: id })}&formats=json`)
  },
  read: (body, { surface, prompt }) => {
    const content = retrieved.safeParse(body).data?.json_content
    const given = typeof content === 'string' ? jsonIn(content) : content
    const found = answer.safeParse(given).data
    if (!found) return null
    const text = found.answer_markdown ?? found.result?.markdown_content ?? found.answer ?? ''
    const shown = text.trim() || found.result?.text_content || ''
    if (surface === 'ai_overviews' && shown === '') {
      return surfaceReply({ text: '', outcome: 'not_shown', units: units[surface] })
    }
    const products = found.products ?? found.shopping
    return surfaceReply({
      text: shown,
      model: found.model,
      searches: withoutEcho(
        [...(found.search_queries ?? []), ...(found.network_search_calls?.search_queries ?? [])],
        surface === 'perplexity' ? prompt : '',
      ),
      cited: [...found.sources, ...found.citations, ...found.inline_references],
      products: products ? productsOf(products) : undefined,
      units: units[surface],
    })
  },
}
