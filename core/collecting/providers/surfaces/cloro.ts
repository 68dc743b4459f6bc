import { z } from 'zod'
import { usual } from '../search/google.ts'
import type { SurfaceName } from './names.ts'
import { pageList, product, productsOf, surfaceReply, withoutEcho, word, words } from './reply.ts'
import { requestsWith } from './requests.ts'
import type { TaskService } from './service.ts'

/**
 * Tasks of Cloro. Its queue takes what its plan does not run at once. A task is billed when it completes, whether or not
 * somebody asks for it, and its answer is deleted a day after the task was made.
 * @see https://docs.cloro.dev/guides/making-requests/async
 * @see https://docs.cloro.dev/api-reference/endpoint/get-task-status
 */

const types: Readonly<Record<SurfaceName, string>> = {
  chatgpt: 'CHATGPT',
  ai_mode: 'AIMODE',
  ai_overviews: 'GOOGLE',
  gemini: 'GEMINI',
  perplexity: 'PERPLEXITY',
  copilot: 'COPILOT',
}

/** What a surface leaves out unless it is asked for. Markdown has the citations in their places. */
const included: Readonly<Record<SurfaceName, object>> = {
  chatgpt: { markdown: true, searchQueries: true, shopping: true, ads: true },
  ai_mode: { markdown: true },
  ai_overviews: { aioverview: { markdown: true } },
  gemini: { markdown: true },
  perplexity: { markdown: true },
  copilot: { markdown: true },
}

const card = z.object({ products: z.array(product).nullish().catch(null) })
const cards = z.array(card).nullish().catch(null)
const ad = z.object({
  brand: z.object({ name: word, url: word }).nullish().catch(null),
  cards: z
    .array(z.object({ title: word, url: word }))
    .nullish()
    .catch(null),
  rendered: z.boolean().nullish().catch(null),
})

const answer = z.object({
  text: word,
  markdown: word,
  model: word,
  sources: pageList,
  citationPills: pageList,
  searchQueries: words,
  mapSearchQueries: words,
  search_model_queries: words,
  shoppingCards: cards,
  shopping_cards: cards,
  inlineProducts: z
    .array(z.object({ product: product.nullish().catch(null) }))
    .nullish()
    .catch(null),
  ads: z.array(ad).nullish().catch(null),
})
type Answer = z.infer<typeof answer>

const taskBody = z.object({
  task: z.object({
    id: z.string().nullish(),
    status: z.string().nullish(),
    createdAt: word,
    error: z.unknown().optional(),
  }),
  credits: z.object({ creditsCharged: z.number().nullish() }).nullish().catch(null),
  response: z.unknown().optional(),
})

const problem = z.object({ error: z.union([z.string(), z.object({ message: word, code: word })]) })

function reasonOf({ task, response }: z.infer<typeof taskBody>): string {
  const said = [response, task].flatMap((one) => problem.safeParse(one).data?.error ?? [])
  const [first] = said
  const text = typeof first === 'string' ? first : (first?.message ?? first?.code ?? '')
  return text || 'the task failed'
}

/** Statuses of a task that has not begun. */
const queued = new Set(['QUEUED', 'PENDING', 'CREATED', 'SCHEDULED'])

function offered({ shoppingCards, shopping_cards, inlineProducts }: Answer) {
  if (!shoppingCards && !shopping_cards && !inlineProducts) return undefined
  const onCards = [...(shoppingCards ?? []), ...(shopping_cards ?? [])]
  return productsOf([
    ...onCards.flatMap(({ products }) => products ?? []),
    ...(inlineProducts ?? []).flatMap((one) => one.product ?? []),
  ])
}

/** Of the ads that were served, one at most was shown. */
const adsOf = ({ ads }: Answer) =>
  ads?.flatMap(({ brand, cards: own, rendered }) => {
    const [first] = own ?? []
    const advertiser = brand?.name?.trim()
    return advertiser && rendered !== false
      ? { advertiser, url: first?.url ?? brand?.url ?? '', title: first?.title ?? '' }
      : []
  })

const request = requestsWith('Bearer')

export const cloro: TaskService = {
  units: { chatgpt: 7, ai_mode: 4, ai_overviews: 5, gemini: 4, perplexity: 3, copilot: 5 },
  unit: 'credit',
  placeOf: () => 'country',
  knowsLanguages: false,
  knowsIds: true,
  account: (endpoint) => ({ ...request(endpoint, '/credits'), isAccount: true }),
  submit: (endpoint, { id, surface, prompt, place }) =>
    request(endpoint, '/async/task', {
      taskType: types[surface],
      idempotencyKey: id,
      payload: {
        [surface === 'ai_overviews' ? 'query' : 'prompt']: prompt,
        country: place?.countryCode ?? usual.countryCode,
        include: included[surface],
      },
    }),
  taskIn: (body) => taskBody.safeParse(body).data?.task.id ?? null,
  look: (endpoint, taskId) => request(endpoint, `/async/task/${encodeURIComponent(taskId)}`),
  see: (body) => {
    const found = taskBody.safeParse(body).data
    const status = found?.task.status?.toUpperCase() ?? ''
    if (status === 'COMPLETED') return { state: 'done' }
    if (found && status === 'FAILED') return { state: 'failed', reason: reasonOf(found) }
    return { state: queued.has(status) ? 'queued' : 'running' }
  },
  read: (body, { surface, prompt }) => {
    const found = taskBody.safeParse(body).data
    if (!found) return null
    const units = found.credits?.creditsCharged ?? null
    const at = found.task.createdAt
    const page = z.object({ aioverview: z.unknown().optional() }).safeParse(found.response).data
    const given = surface === 'ai_overviews' ? page?.aioverview : found.response
    if (surface === 'ai_overviews' && page && given == null) {
      return surfaceReply({ text: '', outcome: 'not_shown', at, units })
    }
    const one = answer.safeParse(given).data
    if (!one) return null
    return surfaceReply({
      text: one.markdown?.trim() || one.text || '',
      model: one.model,
      searches: withoutEcho(
        [
          ...(one.searchQueries ?? []),
          ...(one.mapSearchQueries ?? []),
          ...(one.search_model_queries ?? []),
        ],
        surface === 'perplexity' ? prompt : '',
      ),
      cited: [...one.sources, ...one.citationPills],
      products: offered(one),
      ads: adsOf(one),
      at,
      units,
    })
  },
}
