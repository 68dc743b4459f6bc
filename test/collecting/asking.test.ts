import { beforeEach, describe, expect, test } from 'vitest'
import { askedProviders, type ProviderAccess } from '../../core/collecting/providers/request.ts'
import { isService } from '../../core/collecting/providers/surfaces/names.ts'
import { parsePrivateHosts } from '../../core/sites/private-hosts.ts'
import { AskFault, askLimits, openAsker } from '../../imports/collecting/ask.ts'
import {
  redirect,
  refusing,
  saying,
  sending,
  slowly,
  useProviders,
} from '../kit/collecting/provider.ts'
import { realData } from '../kit/real-data.ts'

const providers = await useProviders()
const secret = 'sk-very-secret-0123456789'
const asker = openAsker(parsePrivateHosts(providers.hosts) ?? [])

const accessTo = (provider: ProviderAccess['provider']): ProviderAccess => {
  return { provider, secret, baseUrl: providers.baseUrl(provider), model: 'model-1' }
}

/** The fault of one question to OpenAI. */
async function faultOf(work: Promise<unknown>) {
  const fault = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(fault instanceof AskFault)) throw fault ?? new Error('answered')
  expect(JSON.stringify([fault.message, fault.stack])).not.toContain(secret)
  return fault
}

const ask = () => asker.ask(accessTo('openai'), 'best anvils?')

beforeEach(() => {
  providers.questions.length = 0
  providers.next()
})

describe('a question', () => {
  test('to Gemini names the pages that its redirects lead to, each once', async () => {
    const to = (token: string) => `http://${redirect.host}${redirect.path}${token}`
    const body = JSON.stringify({
      candidates: [
        {
          content: { parts: [{ text: 'Acme is great.' }] },
          finishReason: 'STOP',
          groundingMetadata: {
            groundingChunks: [
              { web: { uri: to('a'), title: 'acme.com' } },
              { web: { uri: to('b'), title: 'acme.com' } },
              { web: { uri: to('gone'), title: 'rival.com' } },
            ],
            groundingSupports: [{ groundingChunkIndices: [1] }],
          },
        },
      ],
    })
    providers.next(sending(body))
    const { raw, reply, redirects } = await asker.ask(accessTo('gemini'), 'best anvils?')
    expect(raw).toBe(body)
    expect(redirects).toEqual({ [to('a')]: redirect.target, [to('b')]: redirect.target })
    expect(reply.pages).toEqual([
      { url: redirect.target, title: 'acme.com', cited: true },
      { url: to('gone'), title: 'rival.com', cited: false },
    ])
  })

  test('to OpenAI asks for a search, and for the pages that it reads', async () => {
    await ask()
    expect(providers.questions[0]?.body).toEqual({
      model: 'model-1',
      input: 'best anvils?',
      store: false,
      tools: [{ type: 'web_search' }],
      include: ['web_search_call.action.sources'],
    })
  })

  test('searches nothing in a test call', async () => {
    // Services are asked for the account alone: the tests of surfaces look at that.
    const models = askedProviders.filter((name) => !isService(name))
    for (const name of models) await asker.test(accessTo(name))
    const sent = JSON.stringify(providers.questions.map(({ body }) => body))
    expect(sent).not.toContain('search')
  })

  test.each([
    [401, {}, 'key', null],
    [403, {}, 'key', null],
    [404, {}, 'model', null],
    [429, {}, 'limited', null],
    [529, { 'retry-after': '0.5' }, 'unavailable', 500],
    [301, { location: 'https://elsewhere.test/' }, 'request', null],
  ] as const)('answered by %i %o is a fault of the kind %s', async (status, headers, kind, ms) => {
    providers.next(refusing(status, headers))
    const fault = await faultOf(ask())
    expect(fault).toMatchObject({ kind, retryAfterMs: ms })
    expect(fault.message).toBe(`providers.test answered ${status} (a_code): "Wrong: Bearer ***".`)
    expect(providers.questions).toHaveLength(1)
  })

  test('with a body beyond the limit is unreadable', async () => {
    const small = openAsker(parsePrivateHosts(providers.hosts) ?? [], {
      ...askLimits,
      bodyBytes: 99,
    })
    expect((await faultOf(small.ask(accessTo('openai'), 'best anvils?'))).kind).toBe('unreadable')
  })

  test('ends with its signal', async () => {
    providers.next(slowly(500, saying('Late.')))
    const stop = AbortSignal.timeout(50)
    await expect(asker.ask(accessTo('openai'), 'best anvils?', { signal: stop })).rejects.toThrow(
      'timeout',
    )
  })

  test('never reaches a private address that no setting opens, nor sends a key in clear text', async () => {
    const closed = openAsker([])
    for (const baseUrl of [
      `https://127.0.0.1:${providers.port}`,
      'https://10.0.0.1',
      'http://example.com',
    ]) {
      const access = { ...accessTo('openai'), baseUrl }
      expect((await faultOf(closed.ask(access, 'best anvils?'))).kind).toBe('address')
    }
    expect(providers.questions).toEqual([])
  })
})

const recorded = [
  ['openai', 'openai-responses-web-search.json'],
  ['anthropic', 'anthropic-web-search.json'],
  ['gemini', 'gemini-generate-content-grounding.json'],
  ['perplexity', 'perplexity-sonar-citations.json'],
  ['xai', 'xai-responses-web-search.json'],
  ['compatible', 'openrouter-chat-annotations.json'],
] as const

describe.each(recorded)('the recorded body of %s', (provider, file) => {
  const body = realData(`data/providers/${file}`)

  test.skipIf(body.isAbsent)(
    'is read over the wire, with its pages, and kept byte by byte',
    async () => {
      providers.next(sending(body.text))
      const { raw, reply } = await asker.ask(accessTo(provider), 'best anvils?')
      expect(raw).toBe(body.text)
      expect(reply.outcome).toBe('answered')
      expect(reply.pages.filter(({ cited }) => cited).length).toBeGreaterThan(0)
    },
  )
})
