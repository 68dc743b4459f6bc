import { z } from 'zod'
import { keywordOf, locationOf } from '../search/dataforseo.ts'
import { pageLanguage, usual } from '../search/google.ts'
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
import { requestsWith } from './requests.ts'
import type { TaskSeen, TaskService } from './service.ts'

/**
 * The LLM Scraper of DataForSEO, by tasks of its standard queue: its live pages cost more than three times as much. A task
 * is billed when it is set, and its answer is there for thirty days.
 * @see https://docs.dataforseo.com/v3/ai_optimization/chat_gpt/llm_scraper/task_post
 * @see https://docs.dataforseo.com/v3/ai_optimization/chat_gpt/llm_scraper/task_get/advanced
 */

const engines: Readonly<Partial<Record<SurfaceName, string>>> = {
  chatgpt: 'chat_gpt',
  gemini: 'gemini',
}
const pathOf = (surface: SurfaceName) => `/ai_optimization/${engines[surface]}/llm_scraper`

/** A product or a business on a card. */
const offer = product.extend({ currency: word })
const element = z.object({
  type: word,
  markdown: word,
  text: word,
  title: word,
  url: word,
  domain: word,
  advertiser: z.object({ name: word }).nullish().catch(null),
  items: z.array(offer).nullish().catch(null),
})
type Element = z.infer<typeof element>

const answer = z.object({
  keyword: word,
  model: word,
  datetime: word,
  markdown: word,
  sources: pageList,
  search_results: pageList,
  fan_out_queries: words,
  items: z.array(element).nullish().catch(null),
})

const taskBody = z.object({
  tasks: z
    .array(
      z.object({
        id: z.string(),
        status_code: z.number(),
        status_message: word,
        cost: z.number().nullish().catch(null),
        result: z.array(answer).nullish().catch(null),
      }),
    )
    .min(1),
})
const firstIn = (body: unknown) => taskBody.safeParse(body).data?.tasks[0]

const done = 20_000
const created = 20_100
const noResults = 40_102
const handed = 40_601
const inQueue = 40_602
/** Requests that came too fast, or too many at once: the task goes on. */
const limits = new Set([40_202, 40_209])
/** The task, or its answer, is no longer there. */
const gone = new Set([40_400, 40_401, 40_403])

function see(body: unknown): TaskSeen {
  const { status_code: code = handed, status_message: words } = firstIn(body) ?? {}
  if (code === done || code === noResults) return { state: 'done' }
  if (code === created || code === inQueue) return { state: 'queued' }
  if (code === handed || limits.has(code) || code >= 50_000) return { state: 'running' }
  const reason = words?.replace(/\.+$/, '') || `the task has the status ${code}`
  return { state: 'failed', reason, ...(gone.has(code) && { isBilled: true }) }
}

const isOf = (type: string) => (one: Element) => one.type?.endsWith(type) === true

const priceOf = ({ price, currency }: z.infer<typeof offer>) =>
  price == null ? price : [price, currency].filter(Boolean).join(' ')

const offered = (elements: readonly Element[]) =>
  productsOf(
    elements
      .filter(isOf('_products'))
      .flatMap(({ items }) => items ?? [])
      .map((one) => ({ ...one, price: priceOf(one) })),
  )

const adsOf = (elements: readonly Element[]) =>
  elements.filter(isOf('_ad')).flatMap(({ advertiser, domain, url, title }) => {
    const name = advertiser?.name?.trim() || domain?.trim()
    return name ? { advertiser: name, url: url ?? '', title: title ?? '' } : []
  })

const request = requestsWith('Basic')

export const scraper: TaskService = {
  units: { chatgpt: 1, gemini: 1 },
  unit: 'result',
  listPrice: 0.0012,
  placeOf: () => 'country',
  knowsLanguages: true,
  knowsIds: false,
  account: (endpoint) => ({ ...request(endpoint, '/appendix/user_data'), isAccount: true }),
  submit: (endpoint, { id, surface, prompt, place, language }) =>
    request(endpoint, `${pathOf(surface)}/task_post`, [
      {
        keyword: keywordOf(prompt),
        ...locationOf(place),
        language_code: pageLanguage(language ?? usual.language),
        tag: id,
        ...(surface === 'chatgpt' && { force_web_search: true }),
      },
    ]),
  taskIn: (body) => firstIn(body)?.id ?? null,
  look: (endpoint, taskId, surface) => ({
    ...request(endpoint, `${pathOf(surface)}/task_get/advanced/${encodeURIComponent(taskId)}`),
    isLook: true,
  }),
  see,
  read: (body, { surface, prompt }) => {
    const task = firstIn(body)
    if (!task) return null
    const [found] = task.result ?? []
    // The reply to a look costs nothing, and says so.
    const cost = task.cost || null
    if (!found) return surfaceReply({ text: '', cost, units: 1 })
    const { keyword } = found
    if (keyword && ![prompt, keywordOf(prompt)].some((one) => isSamePrompt(one, keyword))) {
      return foreign(1)
    }
    const elements = found.items ?? []
    const parts = elements.flatMap(({ markdown, text }) => markdown?.trim() || text || [])
    return surfaceReply({
      text: found.markdown?.trim() || parts.join('\n\n'),
      model: found.model,
      searches: withoutEcho(found.fan_out_queries ?? [], prompt),
      cited: found.sources,
      shown: found.search_results,
      // Pages of ChatGPT say which products and ads they show; those of Gemini do not.
      ...(surface === 'chatgpt' && { products: offered(elements), ads: adsOf(elements) }),
      at: found.datetime,
      cost,
      units: 1,
    })
  },
}
