import { expect, test } from 'vitest'
import { type AskedProvider, providerTerms } from '../../core/collecting/providers/request.ts'
import { parsePrivateHosts } from '../../core/sites/private-hosts.ts'
import { askLimits } from '../../imports/collecting/ask.ts'
import { judgeByKey } from '../../worker/judging/provider.ts'
import { bodies, type Question, type Reply, useProviders } from '../kit/collecting/provider.ts'
import { firstWords } from '../kit/judge/provider.ts'

const providers = await useProviders()

/** The text that a model works on, where its provider has it. */
function inputOf({ provider, body }: Question): string {
  const { input, messages, contents } = body as {
    input?: string
    messages?: { role: string; content: string }[]
    contents?: { parts: { text: string }[] }[]
  }
  const last = messages?.at(-1)?.content ?? contents?.at(-1)?.parts[0]?.text ?? input
  if (last === undefined) throw new Error(`no input at ${provider}`)
  return last
}

/** Mistral answers tasks as chats. */
const bodyOf = ({ provider, path }: Question, text: string) =>
  bodies[path === 'chat/completions' && provider === 'mistral' ? 'compatible' : provider](text)

const rating: Reply = (question, response) => {
  const { mentions } = JSON.parse(inputOf(question)) as {
    mentions: { id: number; passage: string }[]
  }
  const ratings = mentions.map(({ id, passage }) => ({
    id,
    quote: firstWords(passage),
    tone: passage.includes('great') ? 'positive' : 'negative',
  }))
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(bodyOf(question, JSON.stringify({ ratings }))))
}

function judgeOf(provider: AskedProvider, taskMs = askLimits.taskMs) {
  const { model } = providerTerms[provider]
  return judgeByKey(
    {
      provider,
      secret: 'sk-1234567890ab',
      baseUrl: providers.baseUrl(provider),
      model: model ?? 'llama3.3',
    },
    parsePrivateHosts(providers.hosts) ?? [],
    { ...askLimits, taskMs },
  )
}

const questions = ['Acme is great.', 'Acme is awful.'].map((passage) => ({
  brand: 'Acme',
  passage,
}))
const signal = new AbortController().signal

test.each([
  ['openai', 'responses'],
  ['anthropic', 'messages'],
  ['gemini', 'models/gemini-2.5-flash:generateContent'],
  ['perplexity', 'chat/completions'],
  ['xai', 'responses'],
  ['openrouter', 'chat/completions'],
  ['mistral', 'chat/completions'],
  ['compatible', 'chat/completions'],
] as const)('a model of %s rates passages, and says what it took', async (provider, path) => {
  providers.questions.length = 0
  providers.next(rating)
  expect(await judgeOf(provider).rate(questions, signal)).toEqual({
    verdicts: ['positive', 'negative'],
    used: {
      inputTokens: 1000,
      outputTokens: 100,
      cost: provider === 'compatible' || provider === 'mistral' ? 0.004 : expect.any(Number),
    },
  })
  expect(providers.questions).toMatchObject([{ path }])
  expect(providers.questions[0]?.body).not.toHaveProperty('tools')
})

test('a call that never ends is given up in its time, and asked again', async () => {
  const endless: Reply = (_question, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":[')
    const more = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(more))
  }
  providers.questions.length = 0
  providers.next(endless, rating)
  const { verdicts } = await judgeOf('compatible', 300).rate(questions, signal)
  expect(verdicts).toEqual(['positive', 'negative'])
  expect(providers.questions).toHaveLength(2)
})
