import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readReply } from '../../core/collecting/providers/read.ts'
import { parsePrivateHosts } from '../../core/sites/private-hosts.ts'
import { AskFault, askLimits, openAsker } from '../../imports/collecting/ask.ts'
import { run as query } from '../../warehouse/run.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { type Reply, refusing, saying, sending, useProviders } from '../kit/collecting/provider.ts'
import {
  dataForSeoPage,
  dataForSeoTask,
  serpApiAnswer,
  serpApiLate,
  serpApiPage,
} from '../kit/collecting/search-bodies.ts'
import { flat } from '../kit/graphql/flat.ts'
import { isSoak } from '../kit/soak.ts'
import type { TestWorker } from '../kit/worker.ts'
import { startCollectingWorker } from './worker.ts'

const providers = await useProviders()
const hosts = parsePrivateHosts(providers.hosts) ?? []
const asker = openAsker(hosts)
const secret = 'me:very-secret-0123456789'
const json = (body: object) => sending(JSON.stringify(body))
const late = json(serpApiLate)
const overview = serpApiPage('google_ai_overview', { ai_overview: serpApiAnswer('Acme is late.') })

type Vendor = 'dataforseo' | 'serpapi'
const ask = (provider: Vendor, by = asker) => {
  const baseUrl = providers.baseUrl(provider)
  return by.ask({ provider, secret, baseUrl, model: 'ai_overviews' }, 'best anvils?')
}

async function faultOf(work: Promise<unknown>): Promise<AskFault> {
  const fault = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(fault instanceof AskFault)) throw fault ?? new Error('answered')
  expect(JSON.stringify([fault.message, fault.stack])).not.toContain(encodeURIComponent(secret))
  expect(JSON.stringify([fault.message, fault.stack])).not.toContain(secret)
  return fault
}

beforeEach(() => {
  providers.questions.length = 0
  providers.next()
  providers.always(saying('Acme is great.'))
})

describe('an overview of SerpApi that Google loads late', () => {
  test('is asked for at once by its token, and both bodies are kept as they were sent', async () => {
    providers.next(late, json(overview))
    const { raw, reply } = await ask('serpapi')
    expect(reply).toMatchObject({ outcome: 'answered', text: 'Acme is late.' })
    expect(providers.questions.map(({ path, query: sent }) => [path, sent])).toEqual([
      ['search.json', expect.objectContaining({ engine: 'google', api_key: secret })],
      ['search.json', { engine: 'google_ai_overview', page_token: 'a+token==', api_key: secret }],
    ])
    const kept = [JSON.stringify(serpApiLate), JSON.stringify(overview)]
    expect(raw).toBe(`{"google":${kept[0]},"google_ai_overview":${kept[1]}}`)
    expect(readReply(JSON.parse(raw))).toEqual(reply)
  })

  test.each([
    ['limited', refusing(429)],
    ['unavailable', refusing(503)],
    ['unreadable', sending('<html>')],
  ] as const)('is %s when its second request is', async (kind, reply: Reply) => {
    providers.next(late, reply)
    expect(await faultOf(ask('serpapi'))).toMatchObject({ kind, mayPass: true })
    expect(providers.questions).toHaveLength(2)
  })

  if (isSoak) {
    test('has the time of one question for both requests', async () => {
      providers.next(late, () => undefined)
      const hasty = openAsker(hosts, { ...askLimits, askMs: 3000 })
      const fault = await faultOf(ask('serpapi', hasty))
      expect(fault.message).toBe('providers.test did not answer in time.')
      expect(providers.questions).toHaveLength(2)
    })
  }
})

describe('an error inside an answer', () => {
  test.each([
    ['dataforseo', json(dataForSeoTask({ status_code: 40202 })), 'limited', '200 (40202): "Ok."'],
    ['dataforseo', json({ status_code: 40100, tasks: [] }), 'key', '200 (40100)'],
    ['dataforseo', json(dataForSeoTask({ status_code: 40501 })), 'request', '200 (40501): "Ok."'],
    [
      'dataforseo',
      json(dataForSeoTask({ status_code: 50000 })),
      'unavailable',
      '200 (50000): "Ok."',
    ],
    ['serpapi', json(serpApiPage('google', {}, 'Error')), 'unavailable', '200 (Error)'],
    [
      'serpapi',
      json({ error: `Invalid API key. ${secret}` }),
      'key',
      '200 (account): "Invalid API key. ***"',
    ],
    [
      'serpapi',
      sending('{"error":"Your account has run out of searches."}', 429),
      'key',
      '429 (account): "Your account has run out of searches."',
    ],
  ] as const)('of %s is a fault', async (vendor, reply, kind, said) => {
    providers.next(reply)
    const fault = await faultOf(ask(vendor))
    expect(fault).toMatchObject({ kind, message: `providers.test answered ${said}.` })
  })

  test('is also one in a test call', async () => {
    providers.next(json(dataForSeoTask({ status_code: 40104 })))
    const baseUrl = providers.baseUrl('dataforseo')
    const access = { provider: 'dataforseo', secret, baseUrl, model: 'ai_mode' } as const
    expect((await faultOf(asker.test(access))).kind).toBe('key')
  })
})

test('a body that repeats the key is kept without it', async () => {
  providers.next(json(serpApiPage('google', { url: `https://a.example/?api_key=${secret}` })))
  const { raw, reply } = await ask('serpapi')
  expect(raw).toContain('api_key=***')
  expect(raw).not.toContain(secret)
  expect(reply.outcome).toBe('not_shown')
})

describe('a key and its run', () => {
  const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })
  let worker: TestWorker
  let workspace: TestWorkspace
  let project = ''
  let admin = ''
  const send = asking(api, () => admin)

  beforeAll(async () => {
    worker = await startCollectingWorker(api)
  })

  beforeEach(async () => {
    workspace = await api.workspace()
    project = await workspace.project()
    admin = (await workspace.key({ scopes: ['admin'] })).key
    await send(
      `mutation { addPrompts(projectId: "${project}", prompts: [{ text: "best anvils?" }]) { __typename } }`,
    )
  })

  const setKey = (provider: Vendor, more = '', key = secret) =>
    send(
      `mutation { setProviderKey(workspaceId: "${workspace.id}", provider: ${provider}, secret: "${key}", baseUrl: "${providers.baseUrl(provider)}"${more}) { providerKey { id model } } }`,
    )

  test('is tested by its account, which costs nothing, and names a surface', async () => {
    expect((await setKey('dataforseo')).errors).toBeUndefined()
    expect((await setKey('serpapi', ', model: "ai_mode"')).errors).toBeUndefined()
    const paths = providers.questions.map(({ path }) => path)
    expect(paths).toEqual(['appendix/user_data', 'account.json'])
    expect(faultIn(await setKey('serpapi', ', model: "gpt-5"'))).toBe('invalid_argument model')
    expect(faultIn(await setKey('dataforseo', '', 'no-login'))).toBe('invalid_argument secret')
    providers.next(refusing(401))
    expect(faultIn(await setKey('serpapi'))).toBe('invalid_argument secret')
  })

  async function collect() {
    const begun = await send(`mutation { runPrompts(projectId: "${project}") { id expectedCost } }`)
    expect(begun.errors).toBeUndefined()
    const { id, expectedCost } = begun.data.runPrompts as { id: string; expectedCost: number }
    await worker.idle()
    const fields = 'coverage { provider answered absent failed cost }'
    const text = `{ project(id: "${project}") { run(id: "${id}") { ${fields} } answers { nodes { platform { slug } model text citations { url } } } visibility { coverage { provider notShown } } } }`
    return { id, expectedCost, ...flat((await send(text)).data.project as object) }
  }

  test('asks both surfaces, each as its own platform, at the price of the vendor', async () => {
    await setKey('dataforseo', ', label: "Overviews"')
    await setKey('dataforseo', ', label: "Mode", model: "ai_mode"')
    providers.always(saying('Acme is great.'))
    const { expectedCost, ...found } = await collect()
    expect(expectedCost).toBeCloseTo(0.008)
    const citations = [{ url: 'https://acme.com/cited' }]
    expect(found).toMatchObject({
      run: { coverage: [{ provider: 'dataforseo', answered: 2, cost: 0.008 }] },
      answers: {
        nodes: expect.arrayContaining([
          { platform: 'google_ai_mode', model: 'ai_mode', text: 'Acme is great.', citations },
          {
            platform: 'google_ai_overviews',
            model: 'ai_overviews',
            text: 'Acme is great.',
            citations,
          },
        ]),
      },
    })
  })

  test('shows the products and the ads of an answer', async () => {
    await setKey('dataforseo', ', model: "ai_mode"')
    const items = [
      {
        type: 'ai_overview_shopping',
        items: [{ title: 'Anvil 9', price: { displayed_price: '$199.99' } }],
      },
      {
        type: 'ai_overview_paid',
        items: [{ title: 'Buy', url: 'https://shop.example/', website_name: 'Shop' }],
      },
    ]
    const found = { type: 'ai_overview', markdown: 'Acme is great.', items }
    providers.always(json(dataForSeoTask({ result: [{ type: 'ai_mode', items: [found] }] })))
    await collect()
    const text = `{ project(id: "${project}") { answers { nodes { products { name price } ads { advertiser url title } } } } }`
    expect((await send(text)).data.project).toEqual({
      answers: {
        nodes: [
          {
            products: [{ name: 'Anvil 9', price: 199.99 }],
            ads: [{ advertiser: 'Shop', url: 'https://shop.example/', title: 'Buy' }],
          },
        ],
      },
    })
  })

  test('counts a page without an overview as not shown, and keeps both bodies of a late one', async () => {
    await setKey('dataforseo')
    await setKey('serpapi')
    providers.questions.length = 0
    providers.always((question, response) => {
      const isLate = question.query.engine === 'google_ai_overview'
      const found = isLate ? overview : serpApiLate
      const body = question.provider === 'serpapi' ? found : dataForSeoPage({ type: 'organic' })
      return json(body)(question, response)
    })
    const { id, expectedCost, ...found } = await collect()
    // SerpApi has no price for a search.
    expect(expectedCost).toBeNull()
    expect(found).toMatchObject({
      run: {
        coverage: [
          { provider: 'dataforseo', answered: 0, absent: 1, failed: 0, cost: 0.004 },
          { provider: 'serpapi', answered: 1, absent: 0, failed: 0, cost: 0 },
        ],
      },
      answers: { nodes: [{ platform: 'google_ai_overviews', text: 'Acme is late.' }] },
      visibility: {
        coverage: [
          { provider: 'dataforseo', notShown: 1 },
          { provider: 'serpapi', notShown: 0 },
        ],
      },
    })
    expect(providers.questions).toHaveLength(3)
    const rows = await query<{ body: string }>(api.warehouse, {
      id: 'test.raw',
      sql: "SELECT body FROM raw_answers WHERE run_id = {id:UUID} AND provider = 'serpapi'",
      params: { id },
    })
    expect(rows.map(({ body }) => readReply(JSON.parse(body))?.text)).toEqual(['Acme is late.'])
  })
})
