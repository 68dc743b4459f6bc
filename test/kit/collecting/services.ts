import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { ServiceName } from '../../../core/collecting/providers/surfaces/names.ts'
import { page } from './pages.ts'

/** Services that read surfaces, on the loopback interface: they queue, work and bill as their documentation says. */

/** A task as its service knows it. */
export interface ServiceTask {
  readonly id: string
  readonly service: ServiceName
  /** The id that came with the submission; empty where the service knows none. */
  readonly key: string
  readonly prompt: string
  /** What the submission said. */
  readonly sent: Readonly<Record<string, unknown>>
  looks: number
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** Whether its answer has been billed. */
  isBilled: boolean
}

/** The state of a task after a look; the default is queued, running, done. */
export type Fate = (task: ServiceTask) => ServiceTask['state']

/** A reply in place of that of the service; null for its own. */
export type Interrupt = (what: {
  readonly service: string
  readonly call: 'submit' | 'look' | 'account'
  readonly prompt: string
}) =>
  | { readonly status: number; readonly body: object; readonly headers?: object }
  | 'hang up'
  | null

export interface Services {
  readonly hosts: string
  baseUrl(service: ServiceName): string
  readonly tasks: ServiceTask[]
  /** Submissions that came, also those of a task that was there. */
  submissions: number
  fate: Fate
  interrupt: Interrupt
  /** After the work of a submission. False: its reply is lost. */
  beforeReply: (task: ServiceTask) => Promise<boolean>
  /** The answer to a prompt. */
  answer: (prompt: string) => string
  reset(): void
}

interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}
type Reply = readonly [status: number, body: unknown]

/** One service: its calls, by what they ask. */
interface Dialect {
  submission(call: Call): { readonly prompt: string; readonly key: string } | null
  submitted(task: ServiceTask): unknown
  /** The id of the task that a call looks at, takes the result of, or cancels. */
  looked(call: Call): readonly [id: string, what: 'look' | 'result' | 'cancel'] | null
  look(task: ServiceTask, text: string): unknown
  result(task: ServiceTask, text: string, call: Call): unknown
}

const record = (value: unknown) => value as Record<string, unknown>
const upper = {
  queued: 'QUEUED',
  running: 'PROCESSING',
  done: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'FAILED',
}

const scraped = (task: object) => ({
  version: '0.1.20260401',
  status_code: 20_000,
  status_message: 'Ok.',
  tasks: [{ cost: 0, ...task }],
})
const scraperStatus = {
  queued: [40_602, 'Task In Queue.'],
  running: [40_601, 'Task Handed.'],
  done: [20_000, 'Ok.'],
  failed: [40_103, 'Task Execution Failed.'],
  cancelled: [40_401, 'Task Not Found.'],
} as const

const dialects: Readonly<Record<ServiceName, Dialect>> = {
  cloro: {
    submission: ({ method, path, body }) => {
      if (method !== 'POST' || path !== 'async/task') return null
      const { payload, idempotencyKey } = record(body)
      const { prompt, query } = record(payload)
      return { prompt: String(prompt ?? query), key: String(idempotencyKey ?? '') }
    },
    submitted: ({ id, key }) => ({
      success: true,
      task: { id, taskType: 'CHATGPT', status: 'QUEUED', priority: 1, idempotencyKey: key },
      credits: { creditsToCharge: 7, creditsCharged: null },
    }),
    looked: ({ path }) => {
      const id = /^async\/task\/(.+)$/.exec(path)?.[1]
      return id === undefined ? null : [id, 'look']
    },
    look: ({ id, state, key }, text) => ({
      task: { id, taskType: 'CHATGPT', status: upper[state], idempotencyKey: key },
      credits: {
        creditsToCharge: 7,
        creditsCharged: state === 'done' ? 7 : state === 'failed' ? 0 : null,
      },
      ...(state === 'done' && {
        response: {
          text,
          markdown: text,
          model: 'gpt-5-3-mini',
          sources: [{ position: 1, url: page.url, label: page.title }],
          searchQueries: ['anvils'],
          shoppingCards: [{ products: [{ title: 'Anvil 9', price: '$199.99' }] }],
          ads: [],
        },
      }),
      ...(state === 'failed' && {
        response: { error: { code: 'INTERNAL_SERVER_ERROR', message: 'Maximum retries exceeded' } },
      }),
    }),
    result: () => null,
  },
  brightdata: {
    submission: ({ path, body }) => {
      if (path !== 'datasets/v3/trigger') return null
      return { prompt: String(record((body as unknown[])[0]).prompt), key: '' }
    },
    submitted: ({ id }) => ({ snapshot_id: id }),
    looked: ({ path }) => {
      const [, kind, id = '', cancel] =
        /^datasets\/v3\/(progress|snapshot)\/([^/]+)(\/cancel)?$/.exec(path) ?? []
      if (!kind) return null
      return [id, kind === 'progress' ? 'look' : cancel ? 'cancel' : 'result']
    },
    look: ({ state }) => ({
      status: {
        queued: 'starting',
        running: 'running',
        done: 'ready',
        failed: 'failed',
        cancelled: 'cancelled',
      }[state],
    }),
    result: ({ prompt }, text) => [
      {
        url: 'https://chatgpt.com/',
        prompt,
        input: { url: 'https://chatgpt.com/', prompt, country: 'US' },
        answer_text_markdown: text,
        citations: [{ ...page, cited: true }],
        web_search_query: ['anvils'],
        web_search_triggered: false,
        model: 'gpt-5-3',
      },
    ],
  },
  oxylabs: {
    submission: ({ method, path, body }) => {
      if (method !== 'POST' || path !== 'v1/queries') return null
      const { prompt, query } = record(body)
      return { prompt: String(prompt ?? query), key: '' }
    },
    submitted: ({ id }) => ({ id, status: 'pending' }),
    looked: ({ path }) => {
      const [, id, result] = /^v1\/queries\/([^/]+)(\/results)?$/.exec(path) ?? []
      return id === undefined ? null : [id, result ? 'result' : 'look']
    },
    look: ({ id, state }) => ({
      id,
      status: state === 'done' ? 'done' : state === 'failed' ? 'faulted' : 'pending',
    }),
    result: ({ prompt }, text) => ({
      results: [
        {
          content: {
            prompt,
            llm_model: 'gpt-5-3',
            markdown_text: text,
            citations: [page],
            search_queries: ['anvils'],
          },
          status_code: 200,
          created_at: '2026-11-20 10:00:00',
        },
      ],
    }),
  },
  olostep: {
    submission: ({ method, path, body }) => {
      if (method !== 'POST' || path !== 'batches') return null
      const [item] = record(body).items as Record<string, unknown>[]
      return { prompt: new URL(String(item?.url)).searchParams.get('q') ?? '', key: '' }
    },
    submitted: ({ id }) => ({ id, object: 'batch', status: 'in_progress' }),
    looked: ({ path, query }) => {
      const [, id, items] = /^batches\/([^/]+)(\/items)?$/.exec(path) ?? []
      if (id !== undefined) return [id, items ? 'result' : 'look']
      const retrieved = path === 'retrieve' ? query.get('retrieve_id') : null
      return retrieved === null ? null : [retrieved, 'result']
    },
    look: ({ id, state }) => ({
      id,
      status: state === 'done' ? 'completed' : state === 'failed' ? 'failed' : 'in_progress',
    }),
    result: ({ id, key }, text, { path }) =>
      path === 'retrieve'
        ? {
            json_content: JSON.stringify({
              answer_markdown: text,
              sources: [page],
              network_search_calls: { search_queries: [{ query: 'anvils' }] },
            }),
          }
        : { items: [{ custom_id: key, retrieve_id: id }] },
  },
  dataforseo_scraper: {
    submission: ({ path, body }) => {
      if (!path.endsWith('llm_scraper/task_post')) return null
      return { prompt: decodeURIComponent(String(record((body as unknown[])[0]).keyword)), key: '' }
    },
    submitted: ({ id }) => scraped({ id, status_code: 20_100, status_message: 'Task Created.' }),
    looked: ({ path }) => {
      const id = /llm_scraper\/task_get\/advanced\/(.+)$/.exec(path)?.[1]
      return id === undefined ? null : [id, 'look']
    },
    look: ({ id, state, prompt }, text) => {
      const [status_code, status_message] = scraperStatus[state]
      const answer = {
        keyword: prompt,
        model: 'gpt-5-3',
        markdown: text,
        sources: [page],
        search_results: [page],
        fan_out_queries: ['anvils'],
        items: [],
      }
      return scraped({
        id,
        status_code,
        status_message,
        result: state === 'done' ? [answer] : null,
      })
    },
    result: () => null,
  },
}

const host = 'services.test'
const json = { 'content-type': 'application/json' }
const steps: readonly ServiceTask['state'][] = ['queued', 'running', 'done']
const inTurn: Fate = ({ looks }) => steps[Math.min(looks, steps.length - 1)] ?? 'done'

async function startServices(): Promise<Services & { close(): void }> {
  const defaults = () => ({
    fate: inTurn,
    interrupt: (() => null) as Interrupt,
    beforeReply: async () => true,
    answer: () => 'Acme is great.',
  })
  const services: Services = {
    hosts: '',
    baseUrl: (service) => `http://${host}/${service}`,
    tasks: [],
    submissions: 0,
    ...defaults(),
    reset: () => {
      services.tasks.length = 0
      services.submissions = 0
      Object.assign(services, defaults())
    },
  }

  async function submit(
    service: ServiceName,
    found: { prompt: string; key: string },
    call: Call,
  ): Promise<Reply | 'hang up'> {
    services.submissions += 1
    const { prompt, key } = found
    if (key && services.tasks.some((task) => task.key === key)) {
      const details = { field: 'idempotencyKey', value: key }
      const error = { code: 'RESOURCE_ALREADY_EXISTS', message: 'Task already exists', details }
      return [409, { success: false, error }]
    }
    const task: ServiceTask = {
      id: randomUUID(),
      service,
      key,
      prompt,
      sent: record(call.body),
      looks: 0,
      state: 'queued',
      isBilled: false,
    }
    services.tasks.push(task)
    if (!(await services.beforeReply(task))) return 'hang up'
    return [200, dialects[service].submitted(task)]
  }

  function look(service: ServiceName, [id, what]: readonly [string, string], call: Call): Reply {
    const task = services.tasks.find((one) => one.id === id)
    if (!task) {
      return [
        404,
        { success: false, error: { code: 'RESOURCE_NOT_FOUND', message: 'Task not found' } },
      ]
    }
    if (what === 'cancel') {
      task.state = 'cancelled'
      return [200, { status: 'cancelled' }]
    }
    if (what === 'look') {
      task.state = services.fate(task)
      task.looks += 1
      task.isBilled ||= task.state === 'done'
    }
    const text = services.answer(task.prompt)
    return [
      200,
      what === 'look'
        ? dialects[service].look(task, text)
        : dialects[service].result(task, text, call),
    ]
  }

  async function replyTo(service: ServiceName, call: Call): Promise<Reply | 'hang up'> {
    const dialect = dialects[service]
    const submission = dialect.submission(call)
    const looked = submission ? null : dialect.looked(call)
    const prompt =
      submission?.prompt ?? services.tasks.find(({ id }) => id === looked?.[0])?.prompt ?? ''
    const kind = submission ? 'submit' : looked ? 'look' : 'account'
    const instead = services.interrupt({ service, call: kind, prompt })
    if (instead === 'hang up') return instead
    if (instead) return [instead.status, instead.body]
    if (submission) return submit(service, submission, call)
    return looked ? look(service, looked, call) : [200, { remaining: 1000, status: 'active' }]
  }

  const server = createServer(async (request, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://services.test')
    const [, service = '', ...rest] = pathname.split('/')
    const call: Call = {
      method: request.method ?? '',
      path: rest.join('/'),
      query: searchParams,
      body: text === '' ? null : JSON.parse(text),
    }
    const reply = await replyTo(service as ServiceName, call)
    if (reply === 'hang up') response.destroy()
    else response.writeHead(reply[0], json).end(JSON.stringify(reply[1]))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(services, {
    hosts: `${host}:80=127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
}

/** The services for the tests of a file. */
export async function useServices(): Promise<Services> {
  const services = await startServices()
  afterAll(() => services.close())
  return services
}
