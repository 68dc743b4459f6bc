import { beforeEach, describe, expect, test } from 'vitest'
import { askedProviders } from '../../core/collecting/providers/request.ts'
import { isService } from '../../core/collecting/providers/surfaces/names.ts'
import { parsePrivateHosts } from '../../core/sites/private-hosts.ts'
import { AskFault, askLimits, openAsker } from '../../imports/collecting/ask.ts'
import { page } from '../kit/collecting/pages.ts'
import {
  bodies,
  cutOff,
  type ModelProvider,
  type Reply,
  refusing,
  saying,
  sending,
  slowly,
  useProviders,
} from '../kit/collecting/provider.ts'
import {
  chatEvents,
  errorEvents,
  inPieces,
  messageEvents,
  responseEvents,
  streaming,
} from './streams.ts'

const providers = await useProviders()
const hosts = parsePrivateHosts(providers.hosts) ?? []
const asker = openAsker(hosts)
const secret = 'login:very-secret-0123456789'
const text = 'Acme is great – ausgezeichnet.'

const accessTo = (provider: ModelProvider) => ({
  provider,
  secret,
  baseUrl: providers.baseUrl(provider),
  model: 'model-1',
})

const ask = (provider: ModelProvider, by = asker) => by.ask(accessTo(provider), 'best anvils?')

/** The fault of a question. Neither its message nor its stack has the key, in any spelling. */
async function faultOf(work: Promise<unknown>): Promise<AskFault> {
  const fault = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(fault instanceof AskFault)) throw fault ?? new Error('answered')
  const said = JSON.stringify([fault.message, fault.stack, fault.cause])
  for (const one of [secret, btoa(secret), encodeURIComponent(secret)]) {
    expect(said).not.toContain(one)
  }
  return fault
}

/** The path of each API, and the key where the API wants it. */
const doors: Readonly<Record<ModelProvider, readonly [path: string, key: string]>> = {
  openai: ['responses', `Bearer ${secret}`],
  anthropic: ['messages', secret],
  gemini: ['models/model-1:generateContent', secret],
  perplexity: ['chat/completions', `Bearer ${secret}`],
  xai: ['responses', `Bearer ${secret}`],
  openrouter: ['chat/completions', `Bearer ${secret}`],
  mistral: ['conversations', `Bearer ${secret}`],
  compatible: ['chat/completions', `Bearer ${secret}`],
  dataforseo: ['serp/google/organic/live/advanced', `Basic ${btoa(secret)}`],
  serpapi: ['search.json', secret],
}

/** The stream of each API; none where the vendor has no streams. */
const streams: Readonly<Record<ModelProvider, readonly string[]>> = {
  openai: responseEvents(bodies.openai(text)),
  anthropic: messageEvents,
  gemini: [`data: ${JSON.stringify(bodies.gemini(text))}\n\n`],
  perplexity: chatEvents(text, page.url),
  xai: responseEvents(bodies.xai(text)),
  openrouter: chatEvents(text, page.url),
  mistral: [`data: ${JSON.stringify(bodies.mistral(text))}\n\n`],
  compatible: chatEvents(text, page.url),
  dataforseo: ['data: {"status":"working"}\n\n'],
  serpapi: ['data: {"status":"working"}\n\n'],
}

const inTwoSeconds = { 'retry-after': '2' }
const inAMinute = () => ({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })

/** Replies that are no answer, with the fault that each is. */
const faults: readonly (readonly [what: string, reply: Reply, fault: object])[] = [
  [
    '401',
    refusing(401),
    {
      kind: 'key',
      message: expect.stringMatching(
        /^providers\.test answered 401 \(a_code\): "Wrong: .*\*\*\*"\.$/,
      ),
    },
  ],
  ['404', refusing(404), { kind: 'model' }],
  ['429', refusing(429, inTwoSeconds), { kind: 'limited', retryAfterMs: 2000, mayPass: true }],
  ['500', refusing(500), { kind: 'unavailable', retryAfterMs: null, mayPass: true }],
  ['503', refusing(503, inTwoSeconds), { kind: 'unavailable', retryAfterMs: 2000 }],
  ['a body that breaks off', cutOff, { kind: 'unavailable', mayPass: true }],
  ['no JSON', sending('<html>'), { kind: 'unreadable', mayPass: true }],
  ['half a body', sending('{"object":"response","choices":[{"te'), { kind: 'unreadable' }],
  ['nothing', sending(''), { kind: 'unreadable' }],
  ['JSON of something else', sending('{"ok":true}'), { kind: 'unreadable' }],
  ['a stream that is not JSON', streaming('data: <html>\n\n'), { kind: 'unreadable' }],
  [
    'a stream that ends with an error',
    streaming(...errorEvents),
    { kind: 'unreadable', message: expect.stringContaining('ended with an error') },
  ],
  [
    'a stream that ends before its end',
    streaming(...chatEvents(text, page.url, false)),
    { kind: 'unreadable', message: expect.stringContaining('broke off') },
  ],
  [
    'a response that ends before its end',
    streaming(...responseEvents(bodies.openai(text), false)),
    { kind: 'unreadable', message: expect.stringContaining('broke off') },
  ],
]

beforeEach(() => {
  providers.questions.length = 0
  providers.next()
})

/** Services answer by tasks: surfaces.test.ts asks them. */
const models = askedProviders.filter((name): name is ModelProvider => !isService(name))

describe.each(models)('%s', (name) => {
  test('is asked at the path of its API, with the key where the API wants it', async () => {
    await ask(name)
    const [question] = providers.questions
    const sent = question?.headers ?? {}
    const key = sent.authorization ?? sent['x-api-key'] ?? sent['x-goog-api-key']
    expect([question?.path, key ?? question?.query.api_key]).toEqual(doors[name])
    expect(question?.prompt).toBe('best anvils?')
    expect(providers.questions).toHaveLength(1)
  })

  test('answers with a text, pages and a body that is kept byte by byte', async () => {
    const body = JSON.stringify(bodies[name](text))
    for (const reply of [saying(text), inPieces(body, { 'content-type': 'application/json' })]) {
      providers.next(reply)
      const { raw, reply: read } = await ask(name)
      expect(read).toMatchObject({ outcome: 'answered', text })
      expect(read.pages[0]).toEqual({ ...page, title: expect.any(String), cited: true })
      expect(raw).toBe(body)
    }
  })

  test.each(faults)('answering with %s gives a fault', async (_what, reply, fault) => {
    providers.next(reply)
    expect(await faultOf(ask(name))).toMatchObject(fault)
  })

  test('may say a time until which it wants no question', async () => {
    providers.next(refusing(429, inAMinute()))
    const { retryAfterMs } = await faultOf(ask(name))
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test('that takes too long may answer later', async () => {
    providers.next(slowly(500, saying('Late.')))
    const fault = await faultOf(ask(name, openAsker(hosts, { ...askLimits, askMs: 50 })))
    expect(fault).toMatchObject({ kind: 'unavailable', mayPass: true })
    expect(fault.message).toBe('providers.test did not answer in time.')
  })

  test('passes a test call that costs little, and names what is wrong with it', async () => {
    await asker.test(accessTo(name))
    providers.next(refusing(401), sending('<html>'))
    expect((await faultOf(asker.test(accessTo(name)))).kind).toBe('key')
    expect((await faultOf(asker.test(accessTo(name)))).kind).toBe('unreadable')
  })
})

test.each(['openai', 'perplexity', 'xai', 'openrouter', 'compatible'] as const)(
  '%s may answer with a stream',
  async (name) => {
    providers.next(streaming(...streams[name]))
    const { raw, reply } = await ask(name)
    expect(reply).toMatchObject({ outcome: 'answered', text })
    expect(reply.pages[0]).toEqual({ ...page, cited: true })
    // What is kept is read again as one body.
    expect(Object.keys(JSON.parse(raw) as object)).toContain('object')
  },
)

test.each(['anthropic', 'gemini', 'mistral', 'dataforseo', 'serpapi'] as const)(
  '%s answering with a stream gives a fault',
  async (name) => {
    providers.next(streaming(...streams[name]))
    expect(await faultOf(ask(name))).toMatchObject({
      kind: 'unreadable',
      message: 'providers.test answered with a stream of neither chat completions nor responses.',
    })
  },
)

test('a stream of chat completions keeps price, model and the order of its text', async () => {
  providers.next(streaming(...chatEvents(text, page.url)))
  const { reply } = await ask('compatible')
  expect(reply).toMatchObject({ text, model: 'model-2', usage: { cost: 0.004 } })
})
